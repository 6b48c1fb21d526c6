// Eigenvalues of Hermitian matrices: shapes and execution.
#include "linalg/operations/infer.hpp"
#include "linalg/operations/run.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

std::vector<TensorMeta> Eigh::infer(std::span<const TensorMeta> in) const {
    const SquareShape a(in[0], kName);
    return {a.of(real_dtype(a.dtype), {a.n}), a.of({a.n, a.n})};
}
std::vector<Tensor> Eigh::run(BackendSession&, std::span<const TensorRead> in) const {
    EigenTensors eigen = LinalgBackend::current().eigh_read(in[0], *this);
    return outputs(std::move(eigen.values), std::move(eigen.vectors));
}
std::shared_ptr<const ExtensionOp> Eigh::with_outputs(std::span<const bool> used) const {
    return used[0] && !used[1] ? std::make_shared<Eigvalsh>(lower) : nullptr;
}

std::vector<TensorMeta> Eigvalsh::infer(std::span<const TensorMeta> in) const {
    const SquareShape a(in[0], kName);
    return {a.of(real_dtype(a.dtype), {a.n})};
}
std::vector<Tensor> Eigvalsh::run(BackendSession&, std::span<const TensorRead> in) const {
    return outputs(LinalgBackend::current().eigvalsh_read(in[0], {.lower = lower}));
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
