// The matrix exponential of LinalgBackend: Padé approximants with scaling and squaring (N. J. Higham, SIAM J.
// Matrix Anal. Appl. 26, 2005); halving.hpp says how often. Its derivative is computed beside it, by the
// derivative of every step (A. H. Al-Mohy and N. J. Higham, same journal 30, 2009).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <new>

#include "linalg/backend/halving.hpp"
#include "linalg/backend/operand.hpp"
#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

using namespace pade;

/// Coefficients of the approximant of a degree: b_j = (2m - j)! m! / ((2m)! (m - j)! j!).
constexpr std::array<double, 14> coefficients(int degree) {
    std::array<double, 14> b{};
    b[0] = 1;
    for (int j = 1; j <= degree; ++j)
        b[static_cast<std::size_t>(j)] =
            b[static_cast<std::size_t>(j - 1)] * (degree - j + 1) / (j * (2 * degree - j + 1));
    return b;
}
/// The odd part u and the even part v of the numerator, v + u, where it is of degree 13; the denominator is
/// v - u.
template <class T>
void numerator(Algebra<T>& algebra, const T* a, const Powers<T>& powers, T* u, T* v) {
    constexpr std::array<double, 14> b = coefficients(13);
    T* const odd = algebra.take();                      // u = a odd
    const auto half = [&](std::size_t first, T* sum) {  // first: 0 for the even part, 1 for the odd
        const auto factor = [&](std::size_t j) { return static_cast<RealOf<T>>(b[j + first]); };
        T* const high = u;  // for a while
        for (Index i = 0; i < algebra.elements(); ++i)
            high[i] = factor(12) * powers.a6[i] + factor(10) * powers.a4[i] + factor(8) * powers.a2[i];
        algebra.multiply(powers.a6, high, sum);
        for (Index i = 0; i < algebra.elements(); ++i)
            sum[i] += factor(6) * powers.a6[i] + factor(4) * powers.a4[i] + factor(2) * powers.a2[i];
        algebra.add_identity(sum, b[first]);
    };
    half(1, odd);
    half(0, v);
    algebra.multiply(a, odd, u);
}
/// The same of a lower degree.
template <class T>
void numerator(Algebra<T>& algebra, int degree, const T* a, T* u, T* v) {
    const std::array<double, 14> b = coefficients(degree);
    const T* const a2 = algebra.product(a, a);
    const T* power = a2;
    T* const odd = algebra.take();  // u = a odd
    for (int j = 2; j < degree; j += 2) {
        const auto even_factor = static_cast<RealOf<T>>(b[static_cast<std::size_t>(j)]),
                   odd_factor = static_cast<RealOf<T>>(b[static_cast<std::size_t>(j) + 1]);
        for (Index i = 0; i < algebra.elements(); ++i) {
            v[i] = (j > 2 ? v[i] : T(0)) + even_factor * power[i];
            odd[i] = (j > 2 ? odd[i] : T(0)) + odd_factor * power[i];
        }
        if (j + 2 < degree) power = algebra.product(power, a2);
    }
    algebra.add_identity(odd, b[1]);
    algebra.add_identity(v, b[0]);
    algebra.multiply(a, odd, u);
}

/// Whether a matrix is zero on one side of its diagonal.
struct Shape {
    bool lower = true, upper = true;

    template <class T>
    Shape(Index n, const T* a) noexcept {
        for (Index j = 0; j < n && (lower || upper); ++j) {
            upper = upper && std::all_of(a + j + 1 + j * n, a + n + j * n, [](T x) { return x == T(0); });
            lower = lower && std::all_of(a + j * n, a + j + j * n, [](T x) { return x == T(0); });
        }
    }
    [[nodiscard]] bool triangular() const noexcept { return lower || upper; }
};

/// The difference quotient of exp at x and y.
template <class T>
T exp_quotient(T x, T y) noexcept {
    if (real_part(x) < real_part(y)) std::swap(x, y);
    const T d = x - y;
    if (d == T(0)) return std::exp(x);
    if constexpr (is_complex<T>) {
        const T half = d / RealOf<T>(2);
        if (sum_of_moduli(half) < 1) return std::exp(y + half) * (std::sinh(half) / half);
        return std::exp(x) * ((T(1) - std::exp(-d)) / d);
    } else {
        return std::exp(x) * (-std::expm1(-d) / d);
    }
}
/// The exponential x of 2^exponent A, A triangular, gets what formulas for numbers say of its diagonal and of
/// what is next to it.
template <class T>
void correct(const Shape& shape, Index n, const T* a, int exponent, T* x) noexcept {
    const auto element = [&](Index at) { return times_power_of_two(a[at], exponent); };
    for (Index i = 0; i < n; ++i) {
        const Index on = i + i * n, before = on - n - 1;
        x[on] = std::exp(element(on));
        if (i == 0) continue;
        const Index beside = shape.upper ? on - 1 : on - n;
        const T known =
            a[beside] == T(0) ? T(0) : element(beside) * exp_quotient(element(before), element(on));
        if (known == known) x[beside] = known;  // no difference of infinities
    }
    for (Index j = 0; j < n; ++j)  // infinity times 0
        std::fill(x + j * n + (shape.upper ? j + 1 : 0), x + j * n + (shape.upper ? n : j), T(0));
}

template <class T>
void scale_by_minus_one(Index count, T* x) noexcept {
    for (Index i = 0; i < count; ++i) x[i] = -x[i];
}

/// The exponential of a, which is lost, to `result`, both with a derivative behind if wanted.
template <class T>
void exponential(const MatrixKernels<T>& kernels, Index n, bool derivative, T* a, T* result,
                 Scratch& scratch) {
    Algebra<T> algebra(kernels, n, derivative, scratch);
    const Shape shape(n, a);
    const double size = algebra.one_norm(a);
    T *const u = algebra.take(), *const v = algebra.take(), *const denominator = algebra.take();
    int squarings = 0;
    {
        const Scratch::Frame frame(scratch);
        constexpr std::size_t kLower = kDegrees.size() - 1;
        std::size_t row = 0;
        while (row < kLower && !(size <= kDegrees[row].most)) ++row;
        if (row < kLower) {
            numerator(algebra, kDegrees[row].degree, a, u, v);
        } else {
            const Powers<T> powers{algebra.take(), algebra.take(), algebra.take()};
            squarings = halve(algebra, a, size, powers);
            numerator(algebra, a, powers, u, v);
        }
    }
    for (Index i = 0; i < algebra.elements(); ++i) {
        denominator[i] = v[i] - u[i];
        v[i] += u[i];
    }
    std::int64_t* const rows = scratch.take<std::int64_t>(n);
    if (!shape.triangular()) static_cast<void>(kernels.lu(n, n, denominator, rows, scratch));
    const auto solve = [&](const T* side, T* x) {
        if (shape.triangular()) {
            std::copy_n(side, n * n, x);
            return kernels.triangular_solve({.lower = !shape.upper}, n, n, denominator, x, scratch);
        }
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i < n; ++i) x[i + j * n] = side[rows[i] + j * n];
        kernels.triangular_solve({.lower = true, .unit_diagonal = true}, n, n, denominator, x, scratch);
        kernels.triangular_solve({.lower = false}, n, n, denominator, x, scratch);
    };
    solve(v, result);
    if (shape.triangular()) correct(shape, n, a, 0, result);
    if (derivative) {  // of Q X = P: Q dX = dP - dQ X
        scale_by_minus_one(n * n, result);
        algebra.multiply_values(true, denominator + n * n, result, v + n * n);
        scale_by_minus_one(n * n, result);
        solve(v + n * n, result + n * n);
    }
    for (int done = 0; done < squarings; ++done) {
        algebra.multiply(result, result, u);
        if (shape.triangular()) correct(shape, n, a, done + 1, u);
        std::copy_n(u, algebra.elements(), result);
    }
}

}  // namespace

Tensor LinalgBackend::matrix_exp_read(const TensorRead& a) const try {
    constexpr std::string_view kOp = "matrix_exp";
    return compute(*backend_, *kernels_, a, kOp, [&]<class T>(BackendSession& session, const auto& kernels) {
        const Dims batch = checked_square(session, a, kOp);
        const Index n = a.shape()[0];
        const Slices<T> matrices(a, 2);
        Result<T> result(session, {n, n}, batch);
        for_each_matrix(session, kOp, batch, cubic(20, n, n), [&](Index i, Scratch& scratch) -> MaybeProblem {
            T* const matrix = scratch.take<T>(n * n);
            if (!matrices.copy(i, matrix)) return matrices.not_finite(i);
            exponential(kernels, n, false, matrix, result[i], scratch);
            return std::nullopt;
        });
        return std::move(result.tensor);
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("matrix_exp");
}

Tensor LinalgBackend::matrix_exp_derivative_read(const TensorRead& a, const TensorRead& e) const try {
    constexpr std::string_view kOp = "matrix_exp";
    return compute(*backend_, *kernels_, a, kOp, [&]<class T>(BackendSession& session, const auto& kernels) {
        const Dims batch = checked_square(session, a, kOp);
        static_cast<void>(checked_square(session, e, kOp, "the direction"));
        check_same_dtype(a, e, kOp);
        static_cast<void>(common_batch(a, 2, e, 2, kOp));
        const Index n = a.shape()[0];
        check_system(a, e, true, kOp, "the direction");
        const Slices<T> matrices(a, 2), directions(e, 2);
        Result<T> result(session, {n, n}, batch);
        for_each_matrix(session, kOp, batch, cubic(60, n, n), [&](Index i, Scratch& scratch) -> MaybeProblem {
            T *const both = scratch.take<T>(2 * n * n), *const x = scratch.take<T>(2 * n * n);
            const auto matrix_largest = matrices.copy(i, both);
            if (!matrix_largest) return matrices.not_finite(i);
            const auto largest = directions.copy(i, both + n * n);
            if (!largest) return directions.not_finite(i);
            // As small as the matrix is large, so that products of both stay in range.
            constexpr int kMost = std::numeric_limits<RealOf<T>>::max_exponent / 2;
            const int size = *matrix_largest > 1 ? std::min(std::ilogb(*matrix_largest), kMost) : 0;
            const int exponent = *largest == 0 ? 0 : std::ilogb(*largest) + size;
            scale(n * n, both + n * n, -exponent);
            exponential(kernels, n, true, both, x, scratch);
            std::copy_n(x + n * n, n * n, result[i]);
            scale(n * n, result[i], exponent);
            return std::nullopt;
        });
        return std::move(result.tensor);
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("matrix_exp");
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
