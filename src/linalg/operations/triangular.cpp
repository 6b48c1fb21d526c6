// triangular_solve: shape and execution.
#include "linalg/operations/infer.hpp"
#include "linalg/operations/run.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

std::vector<TensorMeta> TriangularSolve::infer(std::span<const TensorMeta> in) const {
    SquareShape a(in[0], kName, "the matrix");
    const MatrixShape b(in[1], kName, "the right-hand side");
    join_batches(a, b, kName);
    const SymDim n =
        tensor_ops::common_extent(in[0], 0, in[1], left ? 0 : 1, kName, "the matrix", "the right-hand side");
    return {left ? a.of({n, b.n}) : a.of({b.m, n})};
}
std::vector<Tensor> TriangularSolve::run(BackendSession&, std::span<const TensorRead> in) const {
    return outputs(LinalgBackend::current().triangular_solve_read(in[0], in[1], *this));
}
MatrixPlan::MaybeValue TriangularSolve::matrix_step(MatrixPlan& plan, MatrixPlan::Values in) const {
    return plan.substitute({in[0], in[1], left, lower, transpose, unit_diagonal});
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
