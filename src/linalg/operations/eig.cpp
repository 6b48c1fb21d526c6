// Eigenvalues of general matrices: shapes and execution.
#include "linalg/operations/infer.hpp"
#include "linalg/operations/run.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

std::vector<TensorMeta> Eig::infer(std::span<const TensorMeta> in) const {
    const SquareShape a(in[0], kName);
    const DType dtype = complex_dtype(a.dtype);
    return {a.of(dtype, {a.n}), a.of(dtype, {a.n, a.n})};
}
std::vector<Tensor> Eig::run(BackendSession&, std::span<const TensorRead> in) const {
    EigenTensors eigen = LinalgBackend::current().eig_read(in[0], *this);
    return outputs(std::move(eigen.values), std::move(eigen.vectors));
}
std::shared_ptr<const ExtensionOp> Eig::with_outputs(std::span<const bool> used) const {
    return used[0] && !used[1] ? std::make_shared<Eigvals>() : nullptr;
}

std::vector<TensorMeta> Eigvals::infer(std::span<const TensorMeta> in) const {
    const SquareShape a(in[0], kName);
    return {a.of(complex_dtype(a.dtype), {a.n})};
}
std::vector<Tensor> Eigvals::run(BackendSession&, std::span<const TensorRead> in) const {
    return outputs(LinalgBackend::current().eigvals_read(in[0]));
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
