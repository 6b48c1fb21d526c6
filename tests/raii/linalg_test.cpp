// Linear algebra of the RAII layer, on every element type: factors give the matrix back, and the derivatives
// of each function are transposes of each other.
#include "support.hpp"

template <class T>
class RaiiLinalg : public ::testing::Test {
protected:
    // Positive definite, with a tangent that keeps it so.
    const tfe::Tensor<T> hermitian{{4, 1, 1, 3}, {2, 2}}, tangent{{1, 2, 2, -1}, {2, 2}};
    const tfe::Tensor<T> any{{1, 3, -2, 5}, {2, 2}}, right{{2, 3}, {2}};

    static constexpr double tolerance = sizeof(tfe::Real<T>) == 4 ? 2e-5 : 2e-14;

    static void expect_near(const tfe::Tensor<T>& found, const tfe::Tensor<T>& expected) {
        ASSERT_EQ(found.shape(), expected.shape());
        for (std::size_t i = 0; i < found.size(); ++i)
            EXPECT_NEAR(std::abs(found.data()[i] - expected.data()[i]), 0, 10 * tolerance) << i;
    }
};
TYPED_TEST_SUITE(RaiiLinalg, ElementTypes);

template <class T>
tfe::Tensor<T> as(const tfe::Tensor<tfe::Real<T>>& real) {
    return tfe::Tensor<T>(std::vector<T>(real.begin(), real.end()), real.shape());
}

TYPED_TEST(RaiiLinalg, Svd) {
    using T = TypeParam;
    const auto [u, s, vt] = tfe::svd(this->any);
    this->expect_near(tfe::einsum("ik,k,kj->ij", u, as<T>(s), vt), this->any);
    const auto d = tfe::svd_jvp(this->any, this->tangent);
    EXPECT_NEAR(inner(tfe::svd_vjp(this->any, u, s, vt), this->tangent),
                inner(u, d.u) + inner(s, d.s) + inner(vt, d.vt), 100 * this->tolerance);
    this->expect_near(tfe::svd_vjp(this->any, {}, s, {}), this->any);
    const auto best = tfe::svd(this->any, {}, {1, 0.1});
    EXPECT_EQ(best.u.shape(), (tfe::Shape{2, 1}));
    EXPECT_EQ(tfe::svd(this->any, {{1}, {0}}, {0, 1e6}).s.size(), 1u);
}

TYPED_TEST(RaiiLinalg, Qr) {
    const auto [q, r] = tfe::qr(this->any);
    this->expect_near(tfe::einsum("ik,kj->ij", q, r), this->any);
    this->expect_near(
        tfe::einsum("ik,kj->ij", tfe::qr(this->any, {{1}, {0}}).q, tfe::qr(this->any, {{1}, {0}}).r),
        tfe::einsum("ij->ji", this->any));
    const auto d = tfe::qr_jvp(this->any, this->tangent);
    EXPECT_NEAR(inner(tfe::qr_vjp(this->any, this->any, this->tangent), this->tangent),
                inner(this->any, d.q) + inner(this->tangent, d.r), 100 * this->tolerance);
}

TYPED_TEST(RaiiLinalg, Eigh) {
    using T = TypeParam;
    const auto [values, vectors] = tfe::eigh(this->hermitian);
    this->expect_near(tfe::einsum("ik,k,jk->ij", vectors, as<T>(values), vectors.conj()), this->hermitian);
    const auto d = tfe::eigh_jvp(this->hermitian, this->tangent);
    EXPECT_NEAR(inner(tfe::eigh_vjp(this->hermitian, values, this->any), this->tangent),
                inner(values, d.values) + inner(this->any, d.vectors), 100 * this->tolerance);
}

TYPED_TEST(RaiiLinalg, Eig) {
    using C = tfe::Complex<TypeParam>;
    const auto [values, vectors] = tfe::eig(this->any);
    const tfe::Tensor<C> matrix(std::vector<C>(this->any.begin(), this->any.end()), {2, 2});
    const auto turned = tfe::einsum("ij,jk->ik", matrix, vectors),
               stretched = tfe::einsum("ik,k->ik", vectors, values);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(std::abs(turned.data()[i] - stretched.data()[i]), 0, 100 * this->tolerance);
    const auto d = tfe::eig_jvp(this->any, this->tangent);
    EXPECT_NEAR(inner(tfe::eig_vjp(this->any, values, vectors), this->tangent),
                inner(values, d.values) + inner(vectors, d.vectors), 200 * this->tolerance);
}

TYPED_TEST(RaiiLinalg, Lu) {
    const auto [p, l, u] = tfe::lu(this->any);
    this->expect_near(tfe::einsum("ik,kj->ij", l, u), tfe::einsum("ik,kj->ij", p, this->any));
    const auto d = tfe::lu_jvp(this->any, this->tangent);
    EXPECT_FALSE(d.p);
    EXPECT_NEAR(inner(tfe::lu_vjp(this->any, this->any, this->tangent), this->tangent),
                inner(this->any, d.l) + inner(this->tangent, d.u), 100 * this->tolerance);
}

TYPED_TEST(RaiiLinalg, Cholesky) {
    const auto l = tfe::cholesky(this->hermitian);
    this->expect_near(tfe::einsum("ik,jk->ij", l, l.conj()), this->hermitian);
    EXPECT_NEAR(inner(tfe::cholesky_vjp(this->hermitian, this->any), this->tangent),
                inner(this->any, tfe::cholesky_jvp(this->hermitian, this->tangent)), 100 * this->tolerance);
    expect_error([&] { tfe::cholesky(this->tangent); }, TFE_INVALID_ARGUMENT, TFE_DETAIL_NUMERICAL,
                 "positive definite");
}

TYPED_TEST(RaiiLinalg, Solve) {
    const auto x = tfe::solve(this->any, this->right);
    this->expect_near(tfe::einsum("ij,j->i", this->any, x), this->right);
    const auto gradients = tfe::solve_vjp(this->any, this->right, x);
    const auto d = tfe::solve_jvp(this->any, this->right, this->tangent, this->right);
    EXPECT_NEAR(inner(gradients.a, this->tangent) + inner(gradients.b, this->right), inner(x, d),
                100 * this->tolerance);
}

TYPED_TEST(RaiiLinalg, NamesTheAxisThatDoesNotExist) {
    expect_error([&] { tfe::svd(this->any, {{0}, {7}}); }, TFE_INVALID_ARGUMENT, TFE_DETAIL_AXIS, "7");
}
