// Functions of matrices: shapes and execution.
#include "linalg/operations/infer.hpp"
#include "linalg/operations/run.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

std::vector<TensorMeta> MatrixExp::infer(std::span<const TensorMeta> in) const {
    const SquareShape a(in[0], kName);
    return {a.of({a.n, a.n})};
}
std::vector<Tensor> MatrixExp::run(BackendSession&, std::span<const TensorRead> in) const {
    return outputs(LinalgBackend::current().matrix_exp_read(in[0]));
}

std::vector<TensorMeta> MatrixExpDerivative::infer(std::span<const TensorMeta> in) const {
    static_cast<void>(SquareShape(in[0], kName));
    return {common_meta(in[0], in[1], kName, "the matrix", "the direction")};
}

std::vector<Tensor> MatrixExpDerivative::run(BackendSession&, std::span<const TensorRead> in) const {
    return outputs(LinalgBackend::current().matrix_exp_derivative_read(in[0], in[1]));
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
