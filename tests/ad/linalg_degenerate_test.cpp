// Derivatives of functions of spectra where values are repeated, nearly so, or 0: losses that do not depend
// on the choice of vectors have the gradients that are known for them.
#include <gtest/gtest.h>

#include "ad/values.hpp"
#include "tenferro/api/evaluate.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/graph/resolve.hpp"
#include "tenferro/linalg/functions.hpp"
#include "tenferro/linalg/norms.hpp"
#include "tenferro/linalg/spectral.hpp"

namespace tenferro::ad::degenerate { namespace {

using T = TracedTensor;
using Function = std::function<T(const T&)>;
using Numbers = std::vector<double>;

constexpr double kEps = std::numeric_limits<double>::epsilon();

Value drawn_value(DType dtype, Dims shape, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    return gradcheck::drawn(random, dtype, shape, gradcheck::kDirection);
}
Value value_of(const T& expression, const std::vector<T>& inputs, const std::vector<Value>& values) {
    GraphCompiler compiler;
    return run(*compiler.compile({&expression, 1}, inputs), cpu(), values).front();
}
/// Columns orthonormal, drawn.
Value orthonormal(DType dtype, Index m, Index k, std::uint64_t seed) {
    const T x = T::input(dtype, {m, k});
    return value_of(linalg::qr(x).q, {x}, {drawn_value(dtype, {m, k}, seed)});
}
T scaled_columns(const T& u, const T& s) {
    const T scale = broadcast_in_dim(s, shape_of(u), {1});
    return u * (scale.dtype() == u.dtype() ? scale : convert(scale, u.dtype()));
}
/// U diag(s) Vᴴ [m, n] of drawn U and V.
Value with_spectrum(DType dtype, Index m, Index n, const Numbers& s) {
    const Index k = static_cast<Index>(s.size());
    const T u = T::input(dtype, {m, k}), v = T::input(dtype, {n, k}), values = T::input(DType::F64, {k});
    return value_of(
        linalg::product(scaled_columns(u, values), linalg::adjoint(v)), {u, v, values},
        {orthonormal(dtype, m, k, 1), orthonormal(dtype, n, k, 2), {DType::F64, {k}, {s.begin(), s.end()}}});
}
/// V diag(w) Vᴴ, Hermitian in every bit.
Value hermitian_with_spectrum(DType dtype, const Numbers& w) {
    const Index n = static_cast<Index>(w.size());
    const T v = T::input(dtype, {n, n}), values = T::input(DType::F64, {n});
    const T a = linalg::product(scaled_columns(v, values), linalg::adjoint(v));
    return value_of((a + linalg::adjoint(a)) * 0.5, {v, values},
                    {orthonormal(dtype, n, n, 1), {DType::F64, {n}, {w.begin(), w.end()}}});
}
Value diagonal_matrix(const Numbers& s) {
    const Index n = static_cast<Index>(s.size());
    Value a{DType::F64, {n, n}, std::vector<std::complex<double>>(s.size() * s.size())};
    for (std::size_t i = 0; i < s.size(); ++i) a.elements[i * (s.size() + 1)] = s[i];
    return a;
}

/// Re sum conj(W) y, as an expression.
T against(const Value& w, const T& y) {
    const T product = conj(T::constant(gradcheck::to_tensor(w))) * y;
    return reduce_sum(info(product.dtype()).is_complex ? real(product) : product);
}
Value gradient(const Function& loss, const Value& a) {
    const T x = T::input(a.dtype, a.shape);
    return value_of(grad(loss(x), {&x, 1}).front(), {x}, {a});
}
/// Re sum conj(W) times the result of f.
Value gradient_against(const Value& w, const Function& f, const Value& a) {
    return gradient([&](const T& x) { return against(w, f(x)); }, a);
}
double distance(const Value& a, const Value& b) { return norm(moved(a, -1, b)); }

/// U f(S) Vᴴ and V f(w) Vᴴ, as anybody writes them.
T rebuilt(const linalg::SvdResult<T>& f, const T& s) { return linalg::product(scaled_columns(f.u, s), f.vh); }
T reconstruction(const T& x) {
    const auto f = linalg::svd(x);
    return rebuilt(f, f.s);
}
T hermitian_function(const T& x, T (*function)(const T&)) {
    const auto f = linalg::eigh(x);
    return linalg::product(scaled_columns(f.vectors, function(f.values)), linalg::adjoint(f.vectors));
}

struct Spectrum {
    Index m, n;
    Numbers s;
};
const Spectrum kSpectra[] = {{3, 3, {1, 1, 1}}, {4, 4, {3, 2, 2, 1}}, {4, 4, {2, 2, 0, 0}},
                             {4, 2, {1, 1}},    {2, 5, {2, 2}},       {5, 3, {1, 1, 0}},
                             {3, 5, {1, 0, 0}}, {3, 3, {0, 0, 0}},    {4, 2, {0, 0}}};

// The derivative of the identity is W. In a square matrix of zeros, and where U and V are arbitrary in a
// space that is as large, all of it comes from limits.
TEST(LinalgDegenerate, ReconstructionHasTheGradientOfTheIdentity) {
    for (const DType dtype : {DType::F64, DType::C64})
        for (const Spectrum& spectrum : kSpectra) {
            const Value a = with_spectrum(dtype, spectrum.m, spectrum.n, spectrum.s),
                        w = drawn_value(dtype, a.shape, 5);
            EXPECT_LE(distance(gradient_against(w, reconstruction, a), w), 1e3 * kEps * norm(w))
                << info(dtype).name << " " << spectrum.m << "x" << spectrum.n;
        }
    const Value w = drawn_value(DType::F64, {3, 3}, 5);
    for (const Numbers& s : {Numbers{1, 1, 1}, Numbers{2, 2, 0}, Numbers{0, 0, 0}})
        EXPECT_LE(distance(gradient_against(w, reconstruction, diagonal_matrix(s)), w), 1e3 * kEps * norm(w));
}

TEST(LinalgDegenerate, TwoFunctionsWithEqualCotangentsHaveTheirOwnGradients) {
    const Value one = diagonal_matrix({1, 1, 1}), ones{DType::F64, {3, 3}, std::vector(9, std::complex(1.0))};
    EXPECT_LE(distance(gradient([](const T& x) { return reduce_sum(reconstruction(x)); }, one), ones),
              100 * kEps);
    const auto other = [](const T& x) {
        const auto f = linalg::svd(x);
        return reduce_sum(f.s) + reduce_sum(linalg::product(f.u, f.vh));
    };
    EXPECT_LE(distance(gradient(other, one), one), 100 * kEps);
}

TEST(LinalgDegenerate, EagerGradientsAreTheSame) {
    EagerContext context(cpu());
    const Value w = drawn_value(DType::F64, {3, 3}, 5);
    for (const Numbers& s : {Numbers{1, 1, 1}, Numbers{2, 2, 0}}) {
        const EagerTensor a(context, gradcheck::to_tensor(diagonal_matrix(s)), true),
            weights(context, gradcheck::to_tensor(w));
        const auto f = linalg::svd(a);
        const EagerTensor scale = broadcast_in_dim(f.s, {3, 3}, {1});
        reduce_sum(linalg::product(f.u * scale, f.vh) * weights).backward();
        EXPECT_LE(distance(gradcheck::to_value(a.grad().value()), w), 1e3 * kEps);
    }
}

T exp_by_eigh(const T& x) {
    return hermitian_function(x, [](const T& e) { return exp(e); });
}
T exp_by_pade(const T& x) { return linalg::matrix_exp((x + linalg::adjoint(x)) * 0.5); }

TEST(LinalgDegenerate, FunctionsOfHermitianMatrices) {
    for (const DType dtype : {DType::F64, DType::C64})
        for (const Numbers& spectrum : {Numbers{1, 1, 1}, Numbers{-1, 0.5, 0.5, 2}, Numbers{0, 0, 0}}) {
            const Value a = hermitian_with_spectrum(dtype, spectrum), w = drawn_value(dtype, a.shape, 5);
            const Value expected = gradient_against(w, exp_by_pade, a);
            EXPECT_LE(distance(gradient_against(w, exp_by_eigh, a), expected), 1e3 * kEps * norm(expected));
        }
}

// Across a gap that is not taken for 0, rounding errors are divided by it; below the square root of the
// precision limits take over, which are off by the gap itself.
TEST(LinalgDegenerate, SmallGapsKeepTheAccuracyThatTheyLeave) {
    for (const double gap : {1e-3, 1e-6, 1e-8, 1e-9, 1e-10, 1e-12, 1e-14, 1e-15}) {
        const double expected_error = 100 * std::max(kEps, std::min(kEps / gap, gap));
        const Value w = drawn_value(DType::F64, {4, 4}, 5);
        const Value a = with_spectrum(DType::F64, 4, 4, {2, 1 + gap, 1, 0.5});
        const double by_svd = distance(gradient_against(w, reconstruction, a), w) / norm(w);
        EXPECT_LE(by_svd, expected_error) << gap;
        const Value h = hermitian_with_spectrum(DType::F64, {-1, 1, 1 + gap, 2});
        const Value exact = gradient_against(w, exp_by_pade, h);
        const double by_eigh = distance(gradient_against(w, exp_by_eigh, h), exact) / norm(exact);
        EXPECT_LE(by_eigh, expected_error) << gap;
        std::printf("gap %.0e: reconstruction by svd %.1e, exp by eigh %.1e\n", gap, by_svd, by_eigh);
    }
}

// The unitary factor Q of A = c Q has the derivative (dA - Q dAᴴ Q) / 2c, by differences of values alone.
TEST(LinalgDegenerate, PolarFactorNuclearNormAndDeterminant) {
    for (const DType dtype : {DType::F64, DType::C64}) {
        const Value q = with_spectrum(dtype, 3, 3, {1, 1, 1}), a = moved(q, 1, q),
                    w = drawn_value(dtype, q.shape, 5);
        const T x = T::input(dtype, {3, 3}), y = T::input(dtype, {3, 3});
        const Value expected =
            value_of((y - linalg::product(x, linalg::product(linalg::adjoint(y), x))) * 0.25, {x, y}, {q, w});
        const auto polar = [](const T& z) {
            const auto f = linalg::svd(z);
            return linalg::product(f.u, f.vh);
        };
        EXPECT_LE(distance(gradient_against(w, polar, a), expected), 1e3 * kEps);
        const auto nuclear = [](const T& z) { return linalg::matrix_norm(z, linalg::MatrixNorm::Nuclear); };
        EXPECT_LE(distance(gradient(nuclear, a), q), 1e3 * kEps);
        const auto log_det = [](const T& z) { return reduce_sum(log(linalg::svd(z).s)); };
        EXPECT_LE(distance(gradient(log_det, a), moved(q, -0.5, q)), 1e3 * kEps);
        const auto spectral = [](const T& z) { return linalg::matrix_norm(z, linalg::MatrixNorm::Two); };
        EXPECT_LE(distance(gradient(spectral, a), moved(q, -2.0 / 3, q)), 1e3 * kEps);
    }
}

// Computed copies of a value differ by more units of rounding the more there are.
TEST(LinalgDegenerate, PolarFactorsOfManyRowsInSinglePrecision) {
    constexpr Index kRows = 96;
    const Value q = orthonormal(DType::F32, kRows, kRows, 1), w = drawn_value(DType::F32, q.shape, 5);
    const T x = T::input(DType::F32, q.shape), y = T::input(DType::F32, q.shape);
    const T by_differences = y - linalg::product(x, linalg::product(linalg::adjoint(y), x));
    const Value expected = value_of(by_differences * 0.5, {x, y}, {q, w});
    const auto polar = [](const T& z) {
        const auto f = linalg::svd(z);
        return linalg::product(f.u, f.vh);
    };
    EXPECT_LE(distance(gradient_against(w, polar, q), expected),
              10 * std::numeric_limits<float>::epsilon() * kRows * norm(w));
}

TEST(LinalgDegenerate, NormsOfZeroHaveTheGradientZero) {
    const Value zero{DType::F64, {2, 3}, std::vector<std::complex<double>>(6)};
    using linalg::MatrixNorm;
    for (const MatrixNorm kind :
         {MatrixNorm::Frobenius, MatrixNorm::One, MatrixNorm::MinusOne, MatrixNorm::Inf, MatrixNorm::MinusInf,
          MatrixNorm::Two, MatrixNorm::MinusTwo, MatrixNorm::Nuclear})
        EXPECT_EQ(norm(gradient([=](const T& x) { return linalg::matrix_norm(x, kind); }, zero)), 0)
            << static_cast<int>(kind);
    for (const double p : {-1.0, 0.5, 1.0, 1.5, 2.0, 3.0})
        EXPECT_EQ(norm(gradient([=](const T& x) { return linalg::vector_norm(x, p); }, zero)), 0) << p;
}

// Projectors onto whole clusters do not feel the gaps inside: P = U₂ U₂ᴴ, and onto a null space.
TEST(LinalgDegenerate, ProjectorsOntoClusters) {
    const Numbers spectra[] = {{2, 2, 1, 1}, {2, 2, 0, 0}};
    for (const DType dtype : {DType::F64, DType::C64})
        for (const Numbers& s : spectra) {
            const Value a = with_spectrum(dtype, 4, 4, s), w = drawn_value(dtype, {4, 4}, 5);
            const auto onto = [](Index from, bool right) {
                return [=](const T& x) {
                    const auto f = linalg::svd(x);
                    const T vectors = right ? linalg::adjoint(f.vh) : f.u;
                    const T part = slice(vectors, {0, from}, {4, from + 2}, {1, 1});
                    return linalg::product(part, linalg::adjoint(part));
                };
            };
            for (const bool right : {false, true}) {
                const Value first = gradient_against(w, onto(0, right), a),
                            last = gradient_against(w, onto(2, right), a);
                EXPECT_LE(norm(moved(first, 1, last)), 1e4 * kEps);  // they add up to the identity
                // by differences of fourth order
                const Value direction = drawn_value(dtype, {4, 4}, 6);
                const T x = T::input(dtype, {4, 4});
                const auto at = [&](double step) {
                    return value_of(against(w, onto(0, right)(x)), {x}, {moved(a, step, direction)})
                        .elements[0]
                        .real();
                };
                const double h = 1e-3;
                const double expected = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
                EXPECT_NEAR(inner(first, direction), expected, 1e-8);
            }
        }
}

// Forward mode has the tangents of U, S and Vh one by one, in which the limits are lost; transposed twice
// they are there.
TEST(LinalgDegenerate, TangentsAreFiniteAndTransposedTwiceTheyAreRight) {
    const Value a = diagonal_matrix({1, 1, 0}), direction = drawn_value(DType::F64, {3, 3}, 6);
    const T x = T::input(DType::F64, {3, 3}), dx = T::input(DType::F64, {3, 3}),
            ct = T::input(DType::F64, {3, 3});
    const T y = reconstruction(x);
    const std::optional<T> along = dx, back = ct;
    for (const auto& element :
         value_of(jvp({&y, 1}, {&x, 1}, {&along, 1}).front(), {x, dx}, {a, direction}).elements)
        EXPECT_TRUE(std::isfinite(element.real()));
    const T pulled = vjp({&y, 1}, {&x, 1}, {&back, 1}).front();
    const T pushed = grad(reduce_sum(pulled * dx), {&ct, 1}).front();
    EXPECT_LE(distance(value_of(pushed, {x, dx, ct}, {a, direction, direction}), direction), 1e3 * kEps);
}

/// The JVP of f at `a`.
Value pushed(const Function& f, const Value& a, const Value& direction) {
    const T x = T::input(a.dtype, a.shape), dx = T::input(a.dtype, a.shape), y = f(x);
    const std::optional<T> along = dx;
    return value_of(jvp({&y, 1}, {&x, 1}, {&along, 1}).front(), {x, dx}, {a, direction});
}

TEST(LinalgDegenerate, NormsOfNoElementsHaveTheTangentZero) {
    for (const DType dtype : {DType::F64, DType::C64}) {
        const Value none{dtype, {0, 3}, {}};
        for (const double p : {-2.0, -1.0, 0.5, 1.0, 1.5, 2.0, 3.0}) {
            const auto tangent = pushed([=](const T& x) { return linalg::vector_norm(x, p); }, none, none);
            EXPECT_EQ(norm(tangent), 0) << p;
        }
        const auto frobenius = [](const T& x) { return linalg::matrix_norm(x); };
        EXPECT_EQ(norm(pushed(frobenius, none, none)), 0);
        EXPECT_EQ(
            value_of(reduce_sum(linalg::vector_norm(T::constant(gradcheck::to_tensor(none)), -2)), {}, {})
                .elements[0]
                .real(),
            std::numeric_limits<double>::infinity());
    }
}

TEST(LinalgDegenerate, SpectralFunctionsAreRightInBothModes) {
    for (const DType dtype : {DType::F64, DType::C64}) {
        for (const Spectrum& spectrum : kSpectra) {  // the approximation of full rank is the matrix itself
            const Value a = with_spectrum(dtype, spectrum.m, spectrum.n, spectrum.s),
                        w = drawn_value(dtype, a.shape, 5);
            const Index rank = static_cast<Index>(spectrum.s.size());
            const auto whole = [=](const T& x) { return linalg::low_rank(x, rank); };
            EXPECT_LE(distance(pushed(whole, a, w), w), 1e3 * kEps * norm(w));
            EXPECT_LE(distance(gradient_against(w, whole, a), w), 1e3 * kEps * norm(w));
        }
        for (const double gap : {0.0, 1e-14, 1e-10, 1e-6}) {
            const Value a = hermitian_with_spectrum(dtype, {-1, 0.5, 0.5 + gap, 2}),
                        w = drawn_value(dtype, {4, 4}, 5);
            const auto exponential = [](const T& x) { return linalg::hermitian_exp(x); };
            const Value expected = pushed(exp_by_pade, a, w);
            const double bound =
                100 * std::max(kEps, std::min(kEps / std::max(gap, kEps), gap)) * norm(expected);
            EXPECT_LE(distance(pushed(exponential, a, w), expected), bound) << gap;
            EXPECT_LE(distance(gradient_against(w, exponential, a), gradient_against(w, exp_by_pade, a)),
                      bound)
                << gap;
        }
        // Q of A = 2 Q
        const Value q = with_spectrum(dtype, 3, 3, {1, 1, 1}), w = drawn_value(dtype, q.shape, 5);
        const T x = T::input(dtype, {3, 3}), y = T::input(dtype, {3, 3});
        const Value expected =
            value_of((y - linalg::product(x, linalg::product(linalg::adjoint(y), x))) * 0.25, {x, y}, {q, w});
        const auto unitary = [](const T& z) { return linalg::polar(z).unitary; };
        EXPECT_LE(distance(pushed(unitary, moved(q, 1, q), w), expected), 1e3 * kEps);
        EXPECT_LE(distance(gradient_against(w, unitary, moved(q, 1, q)), expected), 1e3 * kEps);
    }
}

// Losses of values alone have their second derivatives as well: those of sum f(w) are those of the matrix
// f'(A), of the nuclear norm those of the unitary factor.
TEST(LinalgDegenerate, SecondDerivativesOfLossesOfValues) {
    for (const DType dtype : {DType::F64, DType::C64}) {
        const auto hessian_times = [](const Function& loss, const Value& a, const Value& direction) {
            const T x = T::input(a.dtype, a.shape), dx = T::input(a.dtype, a.shape);
            const std::optional<T> along = dx;
            return value_of(hvp(loss(x), {&x, 1}, {&along, 1}).front(), {x, dx}, {a, direction});
        };
        const Value h = hermitian_with_spectrum(dtype, {0.5, 0.5, 0.5, -1}),
                    w = drawn_value(dtype, {4, 4}, 5);
        const auto trace_exp = [](const T& x) { return reduce_sum(exp(linalg::eigvalsh(x))); };
        const Value expected = pushed(exp_by_pade, h, w);
        EXPECT_LE(distance(hessian_times(trace_exp, h, w), expected), 1e4 * kEps * norm(expected));
        // log det (A Aᴴ + 1), by values and by the determinant
        for (const Numbers& s : {Numbers{2, 2, 1}, Numbers{1, 0, 0}, Numbers{0, 0, 0}}) {
            const Value a = with_spectrum(dtype, 3, 3, s), v = drawn_value(dtype, {3, 3}, 6);
            const auto by_values = [](const T& x) {
                const T values = linalg::svdvals(x);
                return reduce_sum(log(values * values + 1.0));
            };
            const auto by_determinant = [](const T& x) {
                const T square = linalg::product(x, linalg::adjoint(x));
                return linalg::slogdet(square + linalg::identity_like(square)).logabsdet;
            };
            const Value exact = hessian_times(by_determinant, a, v);
            EXPECT_LE(distance(hessian_times(by_values, a, v), exact), 1e4 * kEps * norm(exact)) << s[1];
        }
    }
}

// Each decomposition adds what lies between it and the next: the gradient of a chain grows in proportion.
TEST(LinalgDegenerate, GradientsOfChainsGrowInProportion) {
    const auto operations = [](int length) {
        const T x = T::input(DType::F64, {4, 4});
        T y = x;
        for (int i = 0; i < length; ++i) {
            const auto f = linalg::svd(y);
            const T root = sqrt(f.s + 1.0);
            y = linalg::product(f.vh, scaled_columns(f.u, root));
        }
        const GlobalValKey key = grad(reduce_sum(y * y), {&x, 1}).front().key();
        return op_graph::resolve<StdTensorOp>(std::span(&key, 1)).size();
    };
    const std::size_t two = operations(2), four = operations(4), eight = operations(8);
    EXPECT_LE(eight - four, 2 * (four - two) + (four - two) / 4) << two << " " << four << " " << eight;
}

using Precise = std::vector<long double>;
/// Of 2 x 2 and 3 x 3 matrices, column-major: the gradient of det, and its derivative along x.
std::pair<Precise, Precise> exact_gradients(const Numbers& a, const Numbers& x) {
    if (a.size() == 4) return {{a[3], -a[2], -a[1], a[0]}, {x[3], -x[2], -x[1], x[0]}};
    Precise value(9), derivative(9);
    const auto minor = [](const Numbers& first, const Numbers& second, std::size_t i, std::size_t j) {
        const std::size_t i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3 * 3, j2 = (j + 2) % 3 * 3;
        const auto product = [](long double p, long double q) { return p * q; };
        return product(first[i1 + j1], second[i2 + j2]) - product(first[i1 + j2], second[i2 + j1]);
    };
    for (std::size_t j = 0; j < 3; ++j)
        for (std::size_t i = 0; i < 3; ++i) {
            value[i + 3 * j] = minor(a, a, i, j);
            derivative[i + 3 * j] = minor(a, x, i, j) + minor(x, a, i, j);
        }
    return {value, derivative};
}
/// The gradient of det at each matrix of a batch, and its derivative along each of another.
std::pair<std::vector<Numbers>, std::vector<Numbers>> det_gradients(DType dtype,
                                                                    const std::vector<Numbers>& matrices,
                                                                    const std::vector<Numbers>& directions) {
    const Index n = matrices[0].size() == 4 ? 2 : 3;
    const auto value = [&](const std::vector<Numbers>& all) {
        Value made{dtype, {n, n, static_cast<Index>(all.size())}, {}};
        for (const Numbers& one : all) made.elements.insert(made.elements.end(), one.begin(), one.end());
        return made;
    };
    const auto numbers = [&](const Value& all) {
        std::vector<Numbers> made(matrices.size());
        for (std::size_t i = 0; i < all.elements.size(); ++i)
            made[i / matrices[0].size()].push_back(all.elements[i].real());
        return made;
    };
    const T x = T::input(dtype, value(matrices).shape), dx = T::input(dtype, value(matrices).shape);
    const T loss = reduce_sum(linalg::det(x));
    const std::optional<T> along = dx;
    return {numbers(value_of(grad(loss, {&x, 1}).front(), {x}, {value(matrices)})),
            numbers(value_of(hvp(loss, {&x, 1}, {&along, 1}).front(), {x, dx},
                             {value(matrices), value(directions)}))};
}
/// The largest difference beside the largest element; or of each element beside it.
double relative_difference(const Numbers& a, const Precise& b, bool each = false) {
    long double difference = 0, largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const long double off = std::abs(static_cast<long double>(a[i]) - b[i]), size = std::abs(b[i]);
        if (std::isnan(off)) return std::numeric_limits<double>::infinity();
        difference = std::max(difference, each && size > 0 ? off / size : off);
        largest = std::max(largest, size);
    }
    return static_cast<double>(each || largest == 0 ? difference : difference / largest);
}

TEST(LinalgDegenerate, DeterminantsOfNearlySingularMatrices) {
    std::mt19937_64 random(11);
    std::normal_distribution<double> normal;
    const auto rounded = [](DType dtype, Numbers a) {
        if (dtype == DType::F32)
            for (double& x : a) x = static_cast<float>(x);
        return a;
    };
    for (const DType dtype : {DType::F64, DType::F32}) {
        const double bound = dtype == DType::F64 ? 2e-13 : 1e-4;
        std::vector<Numbers> matrices, directions;
        // without a tiny pivot
        const double l[] = {1, 0.5, -0.7, 0, 1, 0.3, 0, 0, 1}, u[] = {1, 0, 0, 0.3, 1e-8, 0, -0.4, 1, 1e-11};
        Numbers small_product(9);
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j)
                for (std::size_t k = 0; k < 3; ++k) small_product[i + 3 * j] += l[i + 3 * k] * u[k + 3 * j];
        matrices.push_back(rounded(dtype, small_product));
        directions.push_back({1, 4, 2, 2, 5, -1, 3, 7, 5});
        for (int power = 0; power < 16; ++power)
            for (int draw = 0; draw < 5; ++draw) {
                const Value a = with_spectrum(DType::F64, 3, 3, {2, 1, std::pow(10, -power)});
                Numbers matrix, direction;
                for (const auto& element : a.elements) matrix.push_back(element.real());
                // rows mixed by a drawn rotation
                const double turn = normal(random), c = std::cos(turn), s = std::sin(turn);
                for (std::size_t j = 0; j < 9; j += 3) {
                    const double first = matrix[j], last = matrix[j + 2];
                    matrix[j] = c * first + s * last;
                    matrix[j + 2] = c * last - s * first;
                }
                for (int i = 0; i < 9; ++i) direction.push_back(normal(random));
                matrices.push_back(rounded(dtype, matrix));
                directions.push_back(rounded(dtype, direction));
            }
        matrices.push_back(Numbers(9, 1.0));
        directions.push_back(directions[1]);
        const auto [gradients, seconds] = det_gradients(dtype, matrices, directions);
        for (std::size_t i = 0; i < matrices.size(); ++i) {
            const auto [gradient, second] = exact_gradients(matrices[i], directions[i]);
            const auto [alone, second_alone] = det_gradients(dtype, {matrices[i]}, {directions[i]});
            EXPECT_LE(relative_difference(gradients[i], gradient), bound) << info(dtype).name << " " << i;
            EXPECT_LE(relative_difference(alone[0], gradient), bound) << info(dtype).name << " " << i;
            EXPECT_LE(relative_difference(seconds[i], second), bound) << info(dtype).name << " " << i;
            EXPECT_LE(relative_difference(second_alone[0], second), bound) << info(dtype).name << " " << i;
        }
    }
}

// Of polynomials of degree 7 central differences of eighth order are exact but for rounding.
TEST(LinalgDegenerate, DeterminantsOfNearlySingularComplexAndLargerMatrices) {
    for (const DType dtype : {DType::F64, DType::C64})
        for (const Index n : {1, 2, 4, 7})
            for (const double least : {1.0, 1e-6, 1e-11, 0.0}) {
                Numbers s(static_cast<std::size_t>(n), 1.0);
                s.back() = least;
                const Value a = with_spectrum(dtype, n, n, s), along = drawn_value(dtype, a.shape, 6);
                const T x = T::input(dtype, {n, n}), dx = T::input(dtype, {n, n}), y = linalg::det(x);
                const std::optional<T> direction = dx;
                const T first = jvp({&y, 1}, {&x, 1}, {&direction, 1}).front(),
                        second = jvp({&first, 1}, {&x, 1}, {&direction, 1}).front();
                const auto at = [&](double step) {
                    return value_of(linalg::det(x), {x}, {moved(a, step, along)}).elements[0];
                };
                const double h = 1.0 / 64;
                std::complex<double> slope = 0, bend = 0;
                const double slopes[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280},
                             bends[] = {8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
                for (int k = 1; k <= 4; ++k) {
                    const auto ahead = at(k * h), behind = at(-k * h);
                    slope += slopes[k - 1] * (ahead - behind) / h;
                    bend += bends[k - 1] * (ahead + behind) / (h * h);
                }
                bend -= 205.0 / 72 * at(0) / (h * h);
                const auto value = [&](const T& of) { return value_of(of, {x, dx}, {a, along}).elements[0]; };
                SCOPED_TRACE(std::string(info(dtype).name) + " " + std::to_string(n) + " " +
                             std::to_string(least));
                EXPECT_LE(std::abs(value(first) - slope), 1e-12 * (1 + std::abs(slope)));
                EXPECT_LE(std::abs(value(second) - bend), 1e-9 * (1 + std::abs(bend)));
            }
}

TEST(LinalgDegenerate, DeterminantsNearTheEndsOfTheRange) {
    const auto check = [](DType dtype, const Numbers& a, const Numbers& x, double bound, bool each = true) {
        const auto [gradient, second] = exact_gradients(a, x);
        const auto [first_got, second_got] = det_gradients(dtype, {a}, {x});
        EXPECT_LE(relative_difference(first_got[0], gradient, each), bound);
        EXPECT_LE(relative_difference(second_got[0], second, false), bound);
    };
    const Numbers two(4, 1.0), three{1, 4, 2, 2, 5, -1, 3, 7, 5};
    check(DType::F64, {1e-200, 0, 0, 1e-200}, two, 1e-14);
    check(DType::F64, {1e200, 0, 0, 1e200}, two, 1e-14);
    check(DType::F64, {1e-150, 0, 0, 0, 1e-150, 0, 0, 0, 1e-150}, three, 1e-14);
    check(DType::F64, {1e150, 0, 0, 0, 1e150, 0, 0, 0, 1e150}, three, 1e-14);
    const double least = 1.5e-323;
    check(DType::F64, {least, 3 * least, 2 * least, 4 * least}, two, 1e-14);
    const double large = std::numeric_limits<float>::max() / 16;
    check(DType::F32, {large, static_cast<float>(3 * large), 2 * large, 4 * large}, two, 1e-5);
    // graded: every row and column of its own size
    check(DType::F64, {1, 0, 0, 0.5, 1e-9, 0, 0.2, 0.3, 1e9}, three, 1e-13);
    check(DType::F64, {1, 0, 0, 0.5, 1e-9, 0, 0.2, 0.3, 1e-18}, three, 1e-13);
    check(DType::F64, {1e100, 2e100, 3e100, 2, 3, 5, 3e-100, 4e-100, 5e-100}, three, 1e-13, false);
    const Numbers wide{1e200, 0, 0, 0, 0, 1e200, 0, 0, 0, 0, 1e-250, 0, 0, 0, 0, 0};
    Value a{DType::F64, {4, 4}, {wide.begin(), wide.end()}};
    const Value gradient_of_wide = gradient([](const T& x) { return linalg::det(x); }, a);
    for (std::size_t i = 0; i < 15; ++i) EXPECT_EQ(gradient_of_wide.elements[i].real(), 0) << i;
    EXPECT_NEAR(gradient_of_wide.elements[15].real(), 1e150, 1e136);
}

}}  // namespace tenferro::ad::degenerate
