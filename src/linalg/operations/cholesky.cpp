// cholesky: shape and execution.
#include "linalg/operations/infer.hpp"
#include "linalg/operations/run.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

std::vector<TensorMeta> Cholesky::infer(std::span<const TensorMeta> in) const {
    const SquareShape a(in[0], kName);
    return {a.of({a.n, a.n})};
}
std::vector<Tensor> Cholesky::run(BackendSession&, std::span<const TensorRead> in) const {
    return outputs(LinalgBackend::current().cholesky_read(in[0]));
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
