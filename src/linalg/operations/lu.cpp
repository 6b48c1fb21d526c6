// LU: shapes and execution.
#include "linalg/operations/lu.hpp"

#include "linalg/operations/run.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

std::vector<TensorMeta> Lu::infer(std::span<const TensorMeta> in) const {
    const MatrixShape a(in[0], kName);
    return {a.of({a.m, a.m}), a.of({a.m, a.k}), a.of({a.k, a.n}), a.of({})};
}
std::vector<Tensor> Lu::run(BackendSession&, std::span<const TensorRead> in) const {
    LuTensors lu = LinalgBackend::current().lu_read(in[0]);
    return outputs(std::move(lu.p), std::move(lu.l), std::move(lu.u), std::move(lu.parity));
}

std::vector<TensorMeta> LuFactor::infer(std::span<const TensorMeta> in) const {
    const MatrixShape a(in[0], kName);
    return {a.of({a.m, a.n}), a.of(DType::I64, {a.m}), a.of(DType::I64, {})};
}
std::vector<Tensor> LuFactor::run(BackendSession&, std::span<const TensorRead> in) const {
    LuFactors factors = LinalgBackend::current().lu_factors_read(in[0]);
    return outputs(std::move(factors.lu), std::move(factors.rows), std::move(factors.exponent));
}

std::vector<TensorMeta> LuSolve::infer(std::span<const TensorMeta> in) const {
    SquareShape a(in[0], kName, "the matrix");
    const MatrixShape b(in[4], kName, "the right-hand side");
    join_batches(a, b, kName);
    const SymDim n =
        tensor_ops::common_extent(in[0], 0, in[4], left ? 0 : 1, kName, "the matrix", "the right-hand side");
    return {left ? a.of({n, b.n}) : a.of({b.m, n})};
}
std::vector<Tensor> LuSolve::run(BackendSession&, std::span<const TensorRead> in) const {
    return outputs(LinalgBackend::current().lu_solve_read(
        in[1], in[2], in[3], in[4], {.left = left, .transpose = transpose, .conjugate = conjugate}));
}

std::vector<TensorMeta> Det::infer(std::span<const TensorMeta> in) const {
    return {SquareShape(in[0], kName).of({})};
}
std::vector<Tensor> Det::run(BackendSession&, std::span<const TensorRead> in) const {
    return outputs(LinalgBackend::current().det_read(in[1], in[2], in[3]));
}

std::vector<TensorMeta> Slogdet::infer(std::span<const TensorMeta> in) const {
    const SquareShape a(in[0], kName);
    return {a.of({}), a.of(real_dtype(a.dtype), {})};
}
std::vector<Tensor> Slogdet::run(BackendSession&, std::span<const TensorRead> in) const {
    SlogdetTensors det = LinalgBackend::current().slogdet_read(in[1], in[2], in[3]);
    return outputs(std::move(det.sign), std::move(det.logabsdet));
}

std::vector<TensorMeta> Inv::infer(std::span<const TensorMeta> in) const {
    const SquareShape a(in[0], kName);
    return {a.of({a.n, a.n})};
}
std::vector<Tensor> Inv::run(BackendSession&, std::span<const TensorRead> in) const {
    return outputs(LinalgBackend::current().inv_read(in[0]));
}

std::vector<TensorMeta> FullPivLu::infer(std::span<const TensorMeta> in) const {
    const MatrixShape a(in[0], kName);
    return {a.of({a.m, a.m}), a.of({a.m, a.k}), a.of({a.k, a.n}), a.of({a.n, a.n}), a.of({})};
}
std::vector<Tensor> FullPivLu::run(BackendSession&, std::span<const TensorRead> in) const {
    FullPivLuTensors lu = LinalgBackend::current().full_piv_lu_read(in[0]);
    return outputs(std::move(lu.p), std::move(lu.l), std::move(lu.u), std::move(lu.q), std::move(lu.parity));
}

std::vector<TensorMeta> FullPivLuSolve::infer(std::span<const TensorMeta> in) const {
    SquareShape a(in[0], kName, "the matrix");
    const MatrixShape b(in[1], kName, "the right-hand side");
    join_batches(a, b, kName);
    const SymDim n =
        tensor_ops::common_extent(in[0], 0, in[1], 0, kName, "the matrix", "the right-hand side");
    return {a.of({n, b.n})};
}
std::vector<Tensor> FullPivLuSolve::run(BackendSession&, std::span<const TensorRead> in) const {
    return outputs(LinalgBackend::current().full_piv_lu_solve_read(in[0], in[1]));
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
