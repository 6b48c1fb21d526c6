// The functions on handles: eager, traced and compiled with extents that are known only when the program
// runs, with and without a batch, against each other and against definitions.
#include "tenferro/linalg/functions.hpp"

#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "tenferro/linalg/backend.hpp"
#include "tenferro/linalg/spectral.hpp"
#include "tenferro/runtime/graph_json.hpp"
#include "tenferro/tenferro.hpp"
#include "unit/linalg/backends.hpp"
#include "unit/linalg/matrices.hpp"

using namespace tenferro;
using namespace tenferro::testing;

namespace {

/// A drawn tensor whose matrices are Hermitian positive definite where they are square.
Tensor drawn(DType dtype, std::vector<Index> shape, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    Tensor all = Tensor::zeros(dtype, shape);
    const Index m = shape[0], n = shape[1];
    visit_dtype(dtype, [&]<class T>() {
        for (Index at = 0; at < all.size(); at += m * n) {
            Dense a = random_matrix(m, n, info(dtype).is_complex, random);
            if (m == n) {
                a = a * adjoint(a);
                for (Index i = 0; i < n; ++i) a(i, i) += static_cast<double>(n);
            }
            const Tensor matrix = tensor_of(a, dtype);
            std::copy_n(matrix.data_as<T>(), m * n, all.write().data_as<T>() + at);
        }
    });
    return all;
}

/// What is computed, as a list of handles, for each kind of handle.
struct Computation {
    std::string name;
    std::function<std::vector<TracedTensor>(const TracedTensor&)> traced;
    std::function<std::vector<EagerTensor>(const EagerTensor&)> at_once;
    bool square = true;
};
template <class F>
Computation computation(std::string name, bool square, F f) {
    return {std::move(name), [f](const TracedTensor& a) { return f(a); },
            [f](const EagerTensor& a) { return f(a); }, square};
}

std::vector<Computation> computations() {
    using linalg::MatrixNorm;
    std::vector<Computation> all;
    const auto add = [&](std::string name, bool square, auto f) {
        all.push_back(computation(std::move(name), square, f));
    };
    add("cholesky", true, [](auto a) {
        return std::vector{linalg::cholesky(a), linalg::cholesky(a, {.upper = true})};
    });
    add("triangular_solve", true, [](auto a) { return std::vector{linalg::triangular_solve(a, a)}; });
    add("lu", false, [](auto a) {
        auto y = linalg::lu(a);
        return std::vector{y.p, y.l, y.u, y.parity};
    });
    add("full_piv_lu", false, [](auto a) {
        auto y = linalg::full_piv_lu(a);
        return std::vector{y.p, y.l, y.u, y.q, y.parity};
    });
    add("qr", false, [](auto a) {
        auto y = linalg::qr(a), z = linalg::qr(a, {.full = true});
        return std::vector{y.q, y.r, z.q, z.r};
    });
    add("pivoted_qr", false, [](auto a) {
        auto y = linalg::pivoted_qr(a);
        return std::vector{y.q, y.r, y.columns, y.rank};
    });
    add("svd", false, [](auto a) {
        auto y = linalg::svd(a, {.fix_gauge = true});
        return std::vector{y.u, y.s, y.vh};
    });
    add("svdvals", false, [](auto a) { return std::vector{linalg::svdvals(a)}; });
    add("truncated_svd", false, [](auto a) {
        auto y = linalg::truncated_svd(a, 1);
        return std::vector{y.s};
    });
    add("eigh", true, [](auto a) {
        auto y = linalg::eigh(a, {.fix_gauge = true});
        return std::vector{y.values, y.vectors};
    });
    add("eigvalsh", true, [](auto a) { return std::vector{linalg::eigvalsh(a)}; });
    add("eig", true, [](auto a) {
        auto y = linalg::eig(a);
        return std::vector{y.values, y.vectors};
    });
    add("eigvals", true, [](auto a) { return std::vector{linalg::eigvals(a)}; });
    add("solve", true, [](auto a) {
        return std::vector{
            linalg::solve(a, a),
            linalg::solve(a, extract_diagonal(a, 0, 1).rank() == 1 ? extract_diagonal(a, 0, 1) : a)};
    });
    add("full_piv_lu_solve", true, [](auto a) { return std::vector{linalg::full_piv_lu_solve(a, a)}; });
    add("inv", true, [](auto a) { return std::vector{linalg::inv(a)}; });
    add("pinv", false, [](auto a) { return std::vector{linalg::pinv(a)}; });
    add("lstsq", false, [](auto a) {
        auto y = linalg::lstsq(a, a);
        return std::vector{y.x, y.rank, y.s};
    });
    add("det", true, [](auto a) {
        auto y = linalg::slogdet(a);
        return std::vector{linalg::det(a), y.sign, y.logabsdet};
    });
    add("matrix_exp", true, [](auto a) { return std::vector{linalg::matrix_exp(a / 10.0)}; });
    add("matrix_power", true, [](auto a) {
        return std::vector{linalg::matrix_power(a, 5), linalg::matrix_power(a, -2),
                           linalg::matrix_power(a, 0)};
    });
    add("kron", false, [](auto a) { return std::vector{linalg::kron(a, a)}; });
    add("trace", false,
        [](auto a) { return std::vector{linalg::trace(linalg::product(a, linalg::adjoint(a)))}; });
    for (const MatrixNorm kind :
         {MatrixNorm::Frobenius, MatrixNorm::One, MatrixNorm::MinusOne, MatrixNorm::Inf, MatrixNorm::MinusInf,
          MatrixNorm::Two, MatrixNorm::MinusTwo, MatrixNorm::Nuclear})
        add("norm", false, [kind](auto a) { return std::vector{linalg::matrix_norm(a, kind)}; });
    for (const double p : {-1.0, 0.0, 0.5, 1.0, 2.0, 3.0, std::numeric_limits<double>::infinity()})
        add("vector_norm", false, [p](auto a) {
            return std::vector{linalg::vector_norm(a, p), linalg::vector_norm(a, p, {0})};
        });
    return all;
}

TEST(LinalgFunctions, EagerAndCompiledAgree) {
    for (const DType dtype : {DType::F64, DType::C32})
        for (const std::vector<Index>& shape :
             {std::vector<Index>{4, 4}, {3, 3, 2, 2}, {5, 3}, {3, 5, 2}, {1, 1}}) {
            const Tensor a = drawn(dtype, shape, 11);
            std::vector<Index> unknown(shape.size(), kAnyExtent);
            const TracedTensor t = TracedTensor::input(dtype, unknown);
            for (const Computation& f : computations()) {
                if (f.square && shape[0] != shape[1]) continue;
                SCOPED_TRACE(f.name + " " + std::string(info(dtype).name) + " " + list_text(shape));
                try {
                    const std::vector<EagerTensor> now = f.at_once(eager(a.duplicate()));
                    const std::vector<Tensor> compiled = evaluate(f.traced(t), {{t, a}});
                    ASSERT_EQ(now.size(), compiled.size());
                    for (std::size_t i = 0; i < now.size(); ++i)
                        EXPECT_LE(
                            one_norm(
                                matrix_of(now[i].value().read().reshape_view({now[i].value().size(), 1})) -
                                matrix_of(compiled[i].read().reshape_view({compiled[i].size(), 1}))),
                            1e3 * ulp_of(dtype) *
                                (1 + one_norm(matrix_of(
                                         compiled[i].read().reshape_view({compiled[i].size(), 1})))))
                            << i;
                } catch (const Error& error) {
                    ADD_FAILURE() << error.what();
                }
            }
        }
}

/// Nothing takes as long as a matrix of no elements is wide.
TEST(LinalgFunctions, LongSidesOfEmptyMatrices) {
    constexpr Index kLong = Index{1} << 40;
    const Dims shapes[] = {{0, kLong}, {kLong, 0}};
    for (const Dims& shape : shapes) {
        const EagerTensor a = eager(Tensor::zeros(DType::F64, shape));
        EXPECT_EQ(linalg::svdvals(a).value().shape(), (Dims{0}));
        EXPECT_EQ(linalg::svd(a).vh.value().size(), 0);
        EXPECT_EQ(linalg::qr(a).r.value().size(), 0);
        EXPECT_EQ(linalg::pinv(a).value().shape(), (Dims{shape[1], shape[0]}));
        if (shape[0] == 0) {
            EXPECT_EQ(linalg::lu_factor(a).lu.value().shape(), shape);
        }
        EXPECT_EQ(linalg::matrix_norm(a, linalg::MatrixNorm::Two).item(), 0);
        EXPECT_EQ(linalg::low_rank(a, 1).value().shape(), shape);
        EXPECT_EQ(tril(a).value().shape(), shape);
        EXPECT_EQ(triu(eager(Tensor::zeros(DType::F64, {kLong, kLong, 0}))).value().size(), 0);
        EXPECT_ERROR((void)linalg::kron(a, a), InvalidConfig, "overflows");
    }
}

TEST(LinalgFunctions, Definitions) {
    const Tensor a = Tensor::from_data<double>({4, 1, 2, 1, 5, 3, 2, 3, 6}, {3, 3});
    const EagerTensor e = eager(a.duplicate());
    const double n_ulp = 3 * ulp_of(DType::F64);
    EXPECT_NEAR(linalg::det(e).item(), 70, 70 * 30 * n_ulp);
    EXPECT_NEAR(linalg::slogdet(e).logabsdet.item(), std::log(70.0), 30 * n_ulp);
    EXPECT_EQ(linalg::trace(e).item(), 15);
    EXPECT_EQ(linalg::trace(eager(Tensor::from_data<double>({1, 2, 3, 4, 5, 6}, {2, 3}))).item(), 5);
    EXPECT_EQ(linalg::trace(eager(Tensor::from_data<double>({1, 2, 3, 4, 5, 6}, {3, 2}))).item(), 6);
    EXPECT_NEAR(linalg::matrix_norm(e).item(), std::sqrt(105.0), 11 * 30 * n_ulp);
    EXPECT_EQ(linalg::matrix_norm(e, linalg::MatrixNorm::One).item(), 11);
    EXPECT_EQ(linalg::matrix_norm(e, linalg::MatrixNorm::MinusInf).item(), 7);
    EXPECT_NEAR(linalg::matrix_norm(e, linalg::MatrixNorm::Nuclear).item(), 15, 15 * 50 * n_ulp);
    EXPECT_NEAR(linalg::vector_norm(e, 3).item(), std::cbrt(477.0), 30 * 8 * n_ulp);
    const Dense product = matrix_of(linalg::product(linalg::matrix_power(e, -1), e).value());
    EXPECT_LT(residual_ratio(Dense::identity(3), product, DType::F64), 30);
    const Tensor b = Tensor::from_data<double>({1, 2, 3, 4, 5, 6}, {3, 2});
    const Tensor kron = linalg::kron(eager(b.duplicate()), e).value().duplicate();
    for (Index i = 0; i < 3; ++i)
        for (Index j = 0; j < 2; ++j)
            for (Index p = 0; p < 3; ++p)
                for (Index q = 0; q < 3; ++q) EXPECT_EQ(kron(i * 3 + p, j * 3 + q), b(i, j) * a(p, q));
    // exp of a nilpotent and of a rotation's generator
    const Tensor turn =
        linalg::matrix_exp(eager(Tensor::from_data<double>({0, 30, -30, 0}, {2, 2}))).value().duplicate();
    EXPECT_NEAR(turn(0, 0), std::cos(30.0), 100 * 60 * ulp_of(DType::F64));
    EXPECT_NEAR(turn(1, 0), std::sin(30.0), 100 * 60 * ulp_of(DType::F64));
}

TEST(LinalgFunctions, PseudoinversesAndLeastSquaresOfDeficientMatrices) {
    std::mt19937_64 random(3);
    for (const auto& [m, n] : {std::pair<Index, Index>{7, 4}, {4, 7}, {5, 5}})
        for (const NamedMatrix& drawn_one : drawn_matrices(m, n, true, random)) {
            SCOPED_TRACE(drawn_one.name);
            const EagerTensor e = eager(tensor_of(drawn_one.matrix, DType::C64));
            const Dense a = matrix_of(e.value()), p = matrix_of(linalg::pinv(e).value());
            const double tolerance = 50 * ulp_of(DType::F64) * one_norm(a) * one_norm(p) * 7;
            EXPECT_LE(one_norm(a * p * a - a), tolerance * one_norm(a));
            EXPECT_LE(one_norm(p * a * p - p), tolerance * one_norm(p));
            EXPECT_LE(one_norm(adjoint(a * p) - a * p), tolerance);
            const EagerTensor b = eager(tensor_of(random_matrix(m, 2, true, random), DType::C64));
            const auto least = linalg::lstsq(e, b);
            EXPECT_LE(one_norm(matrix_of(least.x.value()) - p * matrix_of(b.value())),
                      tolerance * one_norm(p) * one_norm(matrix_of(b.value())));
            EXPECT_EQ(least.rank.item(),
                      drawn_one.name == "rank-deficient" ? std::min(m, n) / 2 : std::min(m, n));
        }
}

TEST(LinalgFunctions, Truncation) {
    const Tensor s = Tensor::from_data<double>({4, 2, 1, 5, 1, 0.5}, {3, 2});
    EXPECT_EQ(linalg::kept_rank(s, {}), 3);
    EXPECT_EQ(linalg::kept_rank(s, {.max_rank = 2}), 2);
    EXPECT_EQ(linalg::kept_rank(s, {.cutoff = 2}), 2);  // inclusive, as many as the matrix that keeps most
    EXPECT_EQ(linalg::kept_rank(s, {.cutoff = 2.1}), 1);
    EXPECT_EQ(linalg::kept_rank(s, {.cutoff = 100}), 1);
    EXPECT_THROW((void)linalg::kept_rank(s, {.max_rank = -1}), Error);
    EXPECT_THROW((void)linalg::kept_rank(s, {.cutoff = std::numeric_limits<double>::quiet_NaN()}), Error);
}

TEST(LinalgFunctions, NormsOfLargeAndSmallElements) {
    for (const double scale : {1e-320, 1e-200, 1e200, 1e300}) {
        const EagerTensor e = eager(Tensor::from_data<double>({3 * scale, 0, 0, 4 * scale}, {2, 2}));
        EXPECT_NEAR(linalg::matrix_norm(e).item() / scale, 5, 1e-3) << scale;  // subnormals have few digits
    }
    EXPECT_EQ(linalg::matrix_norm(eager(Tensor::zeros(DType::F64, {2, 2}))).item(), 0);
}

TEST(LinalgFunctions, NormsOfNoNumbersAndOfInfinities) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto norm_of = [](std::initializer_list<double> x, double p) {
        return linalg::vector_norm(eager(Tensor::from_data<double>(x, {static_cast<Index>(x.size())})), p)
            .item();
    };
    for (const double p : {0.5, 1.0, 2.0, 3.0, -1.0, kInfinity, -kInfinity}) {
        EXPECT_TRUE(std::isnan(norm_of({1, nan, 2}, p))) << p;
        EXPECT_TRUE(std::isnan(norm_of({0, nan}, p))) << p;
        EXPECT_EQ(norm_of({-kInfinity, kInfinity}, p), kInfinity) << p;
        EXPECT_EQ(norm_of({}, p), p < 0 ? kInfinity : 0) << p;
        EXPECT_EQ(norm_of({0, 0}, p), 0) << p;
        if (p > 0) {
            EXPECT_EQ(norm_of({1, -kInfinity, 2}, p), kInfinity) << p;
        }
    }
    EXPECT_NEAR(norm_of({1, -kInfinity, 2}, -1), 2.0 / 3, 1e-15);
    EXPECT_EQ(norm_of({}, 0), 0);
    EXPECT_EQ(norm_of({0, 3, -kInfinity}, 0), 2);
    EXPECT_TRUE(std::isnan(norm_of({0, nan}, 0)));
    EXPECT_ERROR((void)norm_of({1}, nan), InvalidArgument, "vector_norm: p is NaN but must be a number");
    using linalg::MatrixNorm;
    const EagerTensor a = eager(Tensor::from_data<double>({1, nan, 3, 4}, {2, 2}));
    for (const MatrixNorm kind : {MatrixNorm::Frobenius, MatrixNorm::One, MatrixNorm::Inf})
        EXPECT_TRUE(std::isnan(linalg::matrix_norm(a, kind).item())) << static_cast<int>(kind);
    for (const MatrixNorm kind :
         {MatrixNorm::Frobenius, MatrixNorm::One, MatrixNorm::Inf, MatrixNorm::Two, MatrixNorm::Nuclear})
        for (const Dims& shape : {Dims{0, 3}, Dims{3, 0}, Dims{0, 0}})
            EXPECT_EQ(linalg::matrix_norm(eager(Tensor::zeros(DType::F64, shape)), kind).item(), 0)
                << static_cast<int>(kind);
}

TEST(LinalgFunctions, ExponentialsOfMatricesWhoseNormIsOutOfRange) {
    const EagerTensor a = eager(Tensor::from_data<double>({1e308, 1e308, 1e308, 1e308}, {2, 2}));
    const Tensor x = linalg::matrix_exp(a).value().duplicate();
    for (Index i = 0; i < 4; ++i) EXPECT_EQ(x.data_as<double>()[i], std::numeric_limits<double>::infinity());
}

/// Of an n x n matrix, whose elements follow column by column, and its derivative along ones.
std::pair<Dense, Dense> exponentials_of(const TensorBackend& backend, DType dtype, const Dense& a) {
    const linalg::LinalgBackend on(const_cast<TensorBackend&>(backend));
    Dense ones(a.rows, a.columns);
    std::fill(ones.elements.begin(), ones.elements.end(), 1.0);
    return {matrix_of(on.matrix_exp_read(tensor_of(a, dtype))),
            matrix_of(on.matrix_exp_derivative_read(tensor_of(a, dtype), tensor_of(ones, dtype)))};
}

TEST(LinalgFunctions, ExponentialsOfMatricesThatAreFarFromNormal) {
    for (const NamedBackend& named : linalg_backends())
        for (const DType dtype : kFloatingDTypes) {
            SCOPED_TRACE(text(named.name, ", ", info(dtype).name));
            const bool single = dtype == DType::F32 || dtype == DType::C32;
            const double ulp = ulp_of(dtype);
            for (const double exponent : single ? std::vector{3.0, 8.0, 15.0} : std::vector{3.0, 17.0, 100.0})
                for (const bool lower : {false, true}) {
                    const double x = std::exp2(std::floor(exponent * std::log2(10.0)));
                    Dense a(2, 2);
                    a(lower ? 1 : 0, lower ? 0 : 1) = x;
                    const auto [value, slope] = exponentials_of(*named.backend, dtype, a);
                    EXPECT_LE(one_norm(value - Dense::identity(2) - a), 4 * ulp * x) << x << lower;
                    EXPECT_NEAR(value(0, 0).real(), 1, 4 * ulp);
                    EXPECT_NEAR(value(1, 1).real(), 1, 4 * ulp);
                    // Along ones: 1 + x + x²/6 where x is, 1 + x/2 on the diagonal, 1 opposite.
                    Dense expected(2, 2);
                    expected(0, 0) = expected(1, 1) = 1 + x / 2;
                    expected(0, 1) = expected(1, 0) = 1;
                    expected(lower ? 1 : 0, lower ? 0 : 1) += x + x * (x / 6);
                    EXPECT_LE(one_norm(slope - expected), 16 * ulp * one_norm(expected)) << x << lower;
                    EXPECT_LE(std::abs(slope(0, 0) / expected(0, 0) - 1.0), 16 * ulp) << x << lower;
                }
            // Nilpotent, of degree three to nine: I + A + A²/2 + ...
            std::mt19937_64 random(7);
            for (const Index n : {3, 4, 6, 9})
                for (const double size : {1e1, 1e2, 1e3}) {
                    Dense a = random_matrix(n, n, info(dtype).is_complex, random);
                    for (Index i = 0; i < n; ++i)
                        for (Index j = 0; j < n; ++j) a(i, j) *= i > j ? size : 0;
                    a = matrix_of(tensor_of(a, dtype));
                    Dense power = Dense::identity(n), sum = power;
                    for (Index k = 1; k < n; ++k) {
                        power = power * a;
                        for (Complex& x : power.elements) x /= static_cast<double>(k);
                        for (Index i = 0; i < n * n; ++i) sum.elements[i] += power.elements[i];
                    }
                    EXPECT_LE(one_norm(exponentials_of(*named.backend, dtype, a).first - sum),
                              50 * ulp * one_norm(sum))
                        << n << ", " << size;
                }
            const double x = single ? 1e4 : 1e9;
            Dense a(2, 2), expected(2, 2);
            a(0, 0) = 1, a(0, 1) = x, a(1, 1) = -1;
            expected(0, 0) = std::exp(1.0), expected(0, 1) = x * std::sinh(1.0),
                        expected(1, 1) = std::exp(-1.0);
            EXPECT_LE(one_norm(exponentials_of(*named.backend, dtype, a).first - expected), 8 * ulp * x);
        }
}

TEST(LinalgFunctions, ExponentialsOfTriangularMatricesHaveThoseOfTheDiagonal) {
    for (const NamedBackend& named : linalg_backends())
        for (const DType dtype : kFloatingDTypes) {
            SCOPED_TRACE(text(named.name, ", ", info(dtype).name));
            const double ulp = ulp_of(dtype);
            const double diagonal[] = {60, -50, 0, -50, 30.5}, beside[] = {1000, -3, 7, 2000};
            for (const bool lower : {false, true}) {
                Dense a(5, 5);
                for (Index i = 0; i < 5; ++i) {
                    a(i, i) = diagonal[i];
                    if (i > 0) a(lower ? i : i - 1, lower ? i - 1 : i) = beside[i - 1];
                }
                const Dense x = exponentials_of(*named.backend, dtype, a).first;
                for (Index i = 0; i < 5; ++i) {
                    EXPECT_LE(std::abs(x(i, i) / std::exp(diagonal[i]) - 1.0), 4 * ulp) << i;
                    if (i == 0) continue;
                    const double from = diagonal[i - 1], to = diagonal[i];
                    const double expected = beside[i - 1] * (std::exp(to) - std::exp(from)) / (to - from);
                    EXPECT_LE(std::abs(x(lower ? i : i - 1, lower ? i - 1 : i) / expected - 1.0), 16 * ulp)
                        << i;
                    EXPECT_EQ(x(lower ? i - 1 : i, lower ? i : i - 1), 0.0) << i;
                }
            }
        }
}

TEST(LinalgFunctions, ExponentialsWhosePowersAreOutOfRange) {
    for (const NamedBackend& named : linalg_backends()) {
        SCOPED_TRACE(named.name);
        Dense a(2, 2);
        a(0, 1) = 1e200;
        const auto [value, slope] = exponentials_of(*named.backend, DType::F64, a);
        EXPECT_EQ(value(0, 1), 1e200);
        EXPECT_EQ(value(0, 0), 1.0);
        EXPECT_NEAR(slope(0, 0).real() / 5e199, 1, 1e-14);
        EXPECT_NEAR(slope(1, 1).real() / 5e199, 1, 1e-14);
        Dense b(3, 3);  // whose square has 1e400
        b(1, 0) = 1e200, b(2, 1) = 1e200;
        const Dense x = exponentials_of(*named.backend, DType::F64, b).first;
        EXPECT_NEAR(x(1, 0).real() / 1e200, 1, 1e-14);
        EXPECT_NEAR(x(2, 1).real() / 1e200, 1, 1e-14);
        EXPECT_EQ(x(2, 0).real(), std::numeric_limits<double>::infinity());
        for (Index i = 0; i < 3; ++i) EXPECT_EQ(x(i, i), 1.0) << i;
    }
}

TEST(LinalgFunctions, ProgramsComputeOnlyTheValuesThatAreUsed) {
    const TracedTensor t = TracedTensor::input(DType::F64, {3, 3});
    const auto program = compile({linalg::svd(t).s, linalg::eigh(t).values}, t);
    EXPECT_NE(program->text().find("tenferro-linalg.svdvals.v1"), std::string::npos) << program->text();
    EXPECT_NE(program->text().find("tenferro-linalg.eigvalsh.v1"), std::string::npos) << program->text();
}

TEST(LinalgGraphs, AreReadInAProcessThatMadeNoOperation) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");  // the child is a new process that runs this test alone
    constexpr std::string_view kGraph =
        R"({"format":"tenferro-graph","version":1,"inputs":[{"dtype":"f64","shape":[2,2]}],"nodes":[)"
        R"({"op":"extension","family_id":"tenferro-linalg.inv.v1","payload":"","inputs":[0],)"
        R"("outputs":[{"dtype":"f64","shape":[2,2]}]}],"outputs":[1],"guards":[]})";
    EXPECT_EXIT(
        {
            const bool absent = !lookup_extension_factory("tenferro-linalg.inv.v1");
            const auto graph = graph_runtime::graph_from_json(kGraph);
            const bool same = graph_runtime::graph_to_json(graph) == kGraph;
            std::exit(absent && same ? 0 : 1);
        },
        ::testing::ExitedWithCode(0), "");
}

}  // namespace
