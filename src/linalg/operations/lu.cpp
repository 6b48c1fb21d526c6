// LU: shapes and execution.
#include "linalg/backend/factors.hpp"
#include "linalg/operations/infer.hpp"
#include "linalg/operations/run.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// Throws Singular where a pivot of full_piv_lu is at most N times the machine precision times the first.
void check_pivots(BackendSession& session, const TensorRead& u) {
    constexpr std::string_view kOp = FullPivLuSolve::kName;
    visit_floating(u.dtype(), [&]<class T>() {
        const Index n = u.shape()[0];
        const Slices<T> factors(u, 2, Part::Upper);
        for_each_matrix(session, kOp, batch_extents(u, 2, kOp), static_cast<double>(n * n),
                        [&](Index i, Scratch& scratch) -> MaybeProblem {
                            T* const pivots = scratch.take<T>(n * n);
                            static_cast<void>(factors.copy(i, pivots));
                            return negligible_pivot(n, pivots, 0);
                        });
    });
}

}  // namespace

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
    SquareShape a = factored(in, kName);
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

// P A = L U, so A^-1 = U^-1 L^-1 P and its transpose P^T L^-T U^-T.
MatrixPlan::MaybeValue LuSolve::matrix_step(MatrixPlan& plan, MatrixPlan::Values in) const {
    if (!left) return std::nullopt;
    MatrixPlan::MaybeValue x = in[4];
    const auto exchange = [&] {
        if (x) x = plan.permute({*x, in[2], in[3], transpose});
    };
    const auto substitute = [&](bool lower) {
        if (x) x = plan.substitute({in[1], *x, true, lower, transpose, lower});
    };
    if (!transpose) exchange();
    substitute(!transpose);
    substitute(transpose);
    if (transpose) exchange();
    return x;
}

std::vector<TensorMeta> Det::infer(std::span<const TensorMeta> in) const {
    return {factored(in, kName).of({})};
}
std::vector<Tensor> Det::run(BackendSession&, std::span<const TensorRead> in) const {
    return outputs(LinalgBackend::current().det_read(in[1], in[2], in[3]));
}

std::vector<TensorMeta> Slogdet::infer(std::span<const TensorMeta> in) const {
    const SquareShape a = factored(in, kName);
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
    constexpr std::string_view kFactors[] = {"p", "l", "u", "q"};
    for (std::size_t i = 0; i < std::size(kFactors); ++i) check_factor(in[0], in[i + 1], kName, kFactors[i]);
    const MatrixShape b(in[5], kName, "the right-hand side");
    join_batches(a, b, kName);
    const SymDim n =
        tensor_ops::common_extent(in[0], 0, in[5], 0, kName, "the matrix", "the right-hand side");
    return {a.of({n, b.n})};
}
// P A Q = L U, so A⁻¹ = Q U⁻¹ L⁻¹ P and its transpose is Pᵀ L⁻ᵀ U⁻ᵀ Qᵀ; P and Q are real.
std::vector<Tensor> FullPivLuSolve::run(BackendSession& session, std::span<const TensorRead> in) const {
    check_pivots(session, in[3]);
    const LinalgBackend backend = LinalgBackend::current();
    const TensorRead &first = in[transpose ? 4 : 1], &last = in[transpose ? 1 : 4];
    const Index summed = transpose ? 0 : 1;
    const TriangularOptions by_l{.transpose = transpose, .conjugate = conjugate, .unit_diagonal = true},
        by_u{.lower = false, .transpose = transpose, .conjugate = conjugate};
    const Tensor b = product_of(session, first, in[5], summed);
    const Tensor y = transpose ? backend.triangular_solve_read(in[3], b, by_u)
                               : backend.triangular_solve_read(in[2], b, by_l);
    const Tensor x = transpose ? backend.triangular_solve_read(in[2], y, by_l)
                               : backend.triangular_solve_read(in[3], y, by_u);
    return outputs(product_of(session, last, x, summed));
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
