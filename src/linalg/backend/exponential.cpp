// The matrix exponential of LinalgBackend: Padé approximants with scaling and squaring (N. J. Higham, SIAM J.
// Matrix Anal. Appl. 26, 2005); how often is decided by the norms of powers, which of a matrix that is far
// from normal are much smaller than the powers of its norm (A. H. Al-Mohy and N. J. Higham, same journal 31,
// 2009). Its derivative is computed beside it, by the derivative of every step (the same, 30, 2009).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <new>
#include <vector>

#include "linalg/backend/operand.hpp"
#include "linalg/builtin/vectors.hpp"
#include "tenferro/base/cancellation.hpp"
#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// The degrees of the approximants, and up to which 1-norm each is as good as double precision.
struct Degree {
    int degree;
    double most;
};
constexpr std::array<Degree, 5> kDegrees{{{3, 1.495585217958292e-2},
                                          {5, 2.539398330063230e-1},
                                          {7, 9.504178996162932e-1},
                                          {9, 2.097847961257068},
                                          {13, 5.371920351148152}}};
/// That of degree 13 for what norms of powers give.
constexpr double kMostByPowers = 4.25;
/// Coefficients of the approximant of a degree: b_j = (2m - j)! m! / ((2m)! (m - j)! j!).
std::array<double, 14> coefficients(int degree) {
    std::array<double, 14> b{};
    b[0] = 1;
    for (int j = 1; j <= degree; ++j)
        b[static_cast<std::size_t>(j)] =
            b[static_cast<std::size_t>(j - 1)] * (degree - j + 1) / (j * (2 * degree - j + 1));
    return b;
}
/// Squarings of matrices whose size is 2^digits, for sizes up to `most`.
double squarings_of(double digits, double most) { return std::max(0.0, std::ceil(digits - std::log2(most))); }

/// Up to here a product takes less time in plain loops than a call.
constexpr Index kPlainExtent = 10;

/// Square matrices of one task, alone or with a derivative behind each.
template <class T>
class Algebra {
public:
    Algebra(const MatrixKernels<T>& kernels, Index extent, bool derivatives, Scratch& scratch)
        : kernels_(kernels), n_(extent), derivatives_(derivatives), scratch_(scratch) {}

    [[nodiscard]] Index elements() const noexcept { return n_ * n_ * (derivatives_ ? 2 : 1); }
    [[nodiscard]] T* take() { return scratch_.take<T>(elements()); }
    [[nodiscard]] T* product(const T* a, const T* b) {
        T* const c = take();
        multiply(a, b, c);
        return c;
    }
    void multiply(const T* a, const T* b, T* c) {
        const Index behind = n_ * n_;
        if (n_ <= kPlainExtent) return multiply_small(a, b, c);
        multiply_values(false, a, b, c);
        if (!derivatives_) return;
        multiply_values(false, a, b + behind, c + behind);
        multiply_values(true, a + behind, b, c + behind);
    }
    /// The same of small matrices, in one pass.
    void multiply_small(const T* a, const T* b, T* __restrict c) const noexcept {
        const Index behind = n_ * n_;
        std::fill_n(c, elements(), T(0));
        for (Index j = 0; j < n_; ++j)
            for (Index k = 0; k < n_; ++k) {
                const T factor = b[k + j * n_];
                const T* const from = a + k * n_;
                T* const to = c + j * n_;
                for (Index i = 0; i < n_; ++i) to[i] += from[i] * factor;
                if (!derivatives_) continue;
                const T slope = b[behind + k + j * n_];
                for (Index i = 0; i < n_; ++i) to[behind + i] += from[i] * slope + from[behind + i] * factor;
            }
    }
    /// c = a b, or c + a b, of matrices without derivatives.
    void multiply_values(bool add, const T* a, const T* b, T* c) {
        if (n_ <= kPlainExtent) return multiply_plainly(add, n_, a, b, c);
        CancellationScope::check_current();
        kernels_.multiply(add, n_, a, b, c, scratch_);
    }
    void add_identity(T* to, double factor) const {
        for (Index i = 0; i < n_; ++i) to[i + i * n_] += static_cast<RealOf<T>>(factor);
    }
    [[nodiscard]] double column_norm(const T* column) const {
        double sum = 0;
        for (Index i = 0; i < n_; ++i) sum += static_cast<double>(std::abs(column[i]));
        return sum;
    }
    /// Infinity where an element is not finite.
    [[nodiscard]] double one_norm(const T* a) const {
        double largest = 0;
        for (Index j = 0; j < n_; ++j)
            if (const double sum = column_norm(a + j * n_); !(sum <= largest))
                largest = std::isfinite(sum) ? sum : std::numeric_limits<double>::infinity();
        return largest;
    }
    [[nodiscard]] Index extent() const noexcept { return n_; }
    [[nodiscard]] Scratch& scratch() const noexcept { return scratch_; }

private:
    const MatrixKernels<T>& kernels_;
    Index n_;
    bool derivatives_;
    Scratch& scratch_;
};

/// The even powers of which the approximant of degree 13 is made.
template <class T>
struct Powers {
    T *a2, *a4, *a6;

    void compute(Algebra<T>& algebra, const T* a) const {
        algebra.multiply(a, a, a2);
        algebra.multiply(a2, a2, a4);
        algebra.multiply(a4, a2, a6);
    }
};

/// log2 of the 1-norm of |A|^27, the moduli of A to the power that the error of degree 13 begins with.
template <class T>
double digits_of_moduli(const Algebra<T>& algebra, const T* a) {
    const Index n = algebra.extent();
    const Scratch::Frame frame(algebra.scratch());
    double* const moduli = algebra.scratch().template take<double>(n * n);
    double *v = algebra.scratch().template take<double>(n), *w = algebra.scratch().template take<double>(n);
    for (Index i = 0; i < n * n; ++i) moduli[i] = static_cast<double>(std::abs(a[i]));
    std::fill_n(v, n, 1.0);
    double digits = 0;
    for (int power = 0; power < 27; ++power) {
        vector_kernels<double>().project(n, n, moduli, n, v, w);
        const double largest = *std::max_element(w, w + n);
        if (largest == 0) return -std::numeric_limits<double>::infinity();
        for (Index i = 0; i < n; ++i) v[i] = w[i] / largest;
        digits += std::log2(largest);
    }
    return digits;
}

/// How often A is to be halved by the norms of its powers, at most `most` times.
template <class T>
int squarings_by_powers(Algebra<T>& algebra, const T* a, double norm, double norm4, double norm6,
                        const Powers<T>& powers, int most) {
    const Index n = algebra.extent();
    const double by4 = std::log2(norm4) / 4, by6 = std::log2(norm6) / 6;
    double squarings = squarings_of(std::max(by4, by6), kMostByPowers);
    const auto with_higher = [&](double norm8, double norm10) {
        const double by8 = std::log2(norm8) / 8, by10 = std::log2(norm10) / 10;
        return squarings_of(std::min(std::max(by6, by8), std::max(by8, by10)), kMostByPowers);
    };
    // The powers 8 and 10 cost two products. A column of them tells how many squarings they save at most.
    if (squarings >= 2) {
        const Scratch::Frame frame(algebra.scratch());
        const T* column = powers.a4;
        for (Index j = 1; j < n; ++j)
            if (algebra.column_norm(powers.a4 + j * n) > algebra.column_norm(column))
                column = powers.a4 + j * n;
        T *const x = algebra.scratch().template take<T>(n), *const y = algebra.scratch().template take<T>(n);
        std::fill_n(x, n, T(0));
        std::fill_n(y, n, T(0));
        vector_kernels<T>().combine(n, n, powers.a4, n, column, x);
        vector_kernels<T>().combine(n, n, powers.a6, n, column, y);
        if (with_higher(algebra.column_norm(x), algebra.column_norm(y)) + 2 <= squarings) {
            T* const power = algebra.take();
            algebra.multiply_values(false, powers.a4, powers.a4, power);
            const double norm8 = algebra.one_norm(power);
            algebra.multiply_values(false, powers.a4, powers.a6, power);
            squarings = std::min(squarings, with_higher(norm8, algebra.one_norm(power)));
        }
    }
    if (squarings + 1 >= most) return most;
    // What rounding adds: || |A|^27 || / || A || times the error's first coefficient, 1 / (C(26, 13) 27!).
    constexpr double kDigits = 116.447 - 53;
    const double rounding = std::ceil((digits_of_moduli(algebra, a) - std::log2(norm) - kDigits) / 26);
    return std::min(most, static_cast<int>(std::max(squarings, rounding)));
}

/// Squarings that may be too many: an error is at most doubled by each.
constexpr int kHarmless = 3;

/// Halves `a` and the powers, which are computed, until degree 13 is as good as double precision; how often.
template <class T>
int halve(Algebra<T>& algebra, T* a, double norm, const Powers<T>& powers) {
    using R = RealOf<T>;
    const Index n = algebra.extent(), elements = algebra.elements();
    // A norm that is out of range is less than n times the largest number.
    const double digits = std::isfinite(norm)
                              ? std::log2(norm)
                              : std::numeric_limits<double>::max_exponent + std::log2(static_cast<double>(n));
    const int most = static_cast<int>(squarings_of(digits, kDegrees.back().most));
    if (most <= kHarmless) {
        scale(elements, a, -most);
        powers.compute(algebra, a);
        return most;
    }
    powers.compute(algebra, a);
    int before = 0;
    double norm4 = algebra.one_norm(powers.a4), norm6 = algebra.one_norm(powers.a6);
    if (!std::isfinite(norm + algebra.one_norm(powers.a2) + norm4 + norm6)) {
        // Small enough for powers that do not overflow.
        before = std::max(0, static_cast<int>(std::ceil(digits)) - std::numeric_limits<R>::max_exponent / 10);
        scale(elements, a, -before);
        norm = algebra.one_norm(a);
        powers.compute(algebra, a);
        norm4 = algebra.one_norm(powers.a4), norm6 = algebra.one_norm(powers.a6);
    }
    const int more = squarings_by_powers(algebra, a, norm, norm4, norm6, powers, most - before);
    scale(elements, a, -more);
    scale(elements, powers.a2, -2 * more);
    scale(elements, powers.a4, -4 * more);
    scale(elements, powers.a6, -6 * more);
    return before + more;
}

/// The odd part u and the even part v of the numerator, v + u, where it is of degree 13; the denominator is
/// v - u.
template <class T>
void numerator(Algebra<T>& algebra, const T* a, const Powers<T>& powers, T* u, T* v) {
    static const std::array<double, 14> b = coefficients(13);
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
