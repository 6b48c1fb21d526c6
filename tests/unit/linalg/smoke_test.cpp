// Every function on every kind of handle, on a small batch.
#include <gtest/gtest.h>

#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/linalg/backend.hpp"
#include "tenferro/linalg/functions.hpp"
#include "tenferro/reference/reference_backend.hpp"
#include "tenferro/tenferro.hpp"
#include "unit/linalg/residuals.hpp"

using namespace tenferro;
using namespace tenferro::testing;

namespace {

TEST(Linalg, Smoke) {
    const Tensor a = Tensor::from_data<double>({4, 1, 2, 1, 5, 3, 2, 3, 6}, {3, 3});
    const EagerTensor e = eager(a.duplicate());
    const auto svd = linalg::svd(e);
    const Dense u = matrix_of(svd.u.value()), s = matrix_of(svd.s.value(), 0, 1),
                vh = matrix_of(svd.vh.value());
    EXPECT_LT(residual_ratio(matrix_of(a), u * Dense::diagonal(s, 3, 3) * vh, DType::F64), 50);
    EXPECT_LT(orthogonality_ratio(u, DType::F64), 50);
    const auto eigh = linalg::eigh(e);
    const Dense v = matrix_of(eigh.vectors.value()), w = matrix_of(eigh.values.value(), 0, 1);
    EXPECT_LT(residual_ratio(matrix_of(a), v * Dense::diagonal(w, 3, 3) * adjoint(v), DType::F64), 60);
    const auto eig = linalg::eig(e);
    const Dense x = matrix_of(eig.vectors.value()), z = matrix_of(eig.values.value(), 0, 1);
    EXPECT_LT(residual_ratio(matrix_of(a) * x, x * Dense::diagonal(z, 3, 3), DType::F64), 20);
    const EagerTensor inverse = linalg::inv(e);
    EXPECT_LT(residual_ratio(Dense::identity(3), matrix_of(linalg::product(e, inverse).value()), DType::F64),
              30);
    EXPECT_NEAR(linalg::det(e).item(), 70, 1e-12);
    EXPECT_NEAR(linalg::slogdet(e).logabsdet.item(), std::log(70.0), 1e-12);
    const auto lu = linalg::lu(e);
    EXPECT_LT(residual_ratio(matrix_of(linalg::product(lu.p, e).value()),
                             matrix_of(linalg::product(lu.l, lu.u).value()), DType::F64),
              30);
    const auto qr = linalg::qr(e);
    EXPECT_LT(residual_ratio(matrix_of(a), matrix_of(linalg::product(qr.q, qr.r).value()), DType::F64), 30);
    const EagerTensor l = linalg::cholesky(e);
    EXPECT_LT(
        residual_ratio(matrix_of(a), matrix_of(linalg::product(l, linalg::adjoint(l)).value()), DType::F64),
        30);
    EXPECT_LT(
        residual_ratio(Dense::identity(3),
                       matrix_of(linalg::product(linalg::matrix_exp(e), linalg::matrix_exp(-e)).value()),
                       DType::F64),
        1e6);
    EXPECT_NEAR(linalg::matrix_norm(e).item(), std::sqrt(105.0), 1e-12);
    EXPECT_NEAR(linalg::vector_norm(e, 3).item(), std::cbrt(64 + 1 + 8 + 1 + 125 + 27 + 8 + 27 + 216.0),
                1e-12);

    const TracedTensor t = TracedTensor::input(DType::F64, {kAnyExtent, kAnyExtent});
    const Tensor nuclear = evaluate(linalg::matrix_norm(t, linalg::MatrixNorm::Nuclear), {{t, a}});
    EXPECT_NEAR(nuclear.item(), 15, 1e-12);
    const Tensor powers = evaluate(linalg::matrix_power(t, -2), {{t, a}});
    const Tensor unit = evaluate(linalg::solve(t, t), {{t, a}});
    EXPECT_LT(residual_ratio(Dense::identity(3), matrix_of(unit), DType::F64), 30);
}

}  // namespace
