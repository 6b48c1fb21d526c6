// How often the matrix exponential halves its matrix before the Padé approximant: by the norms of powers,
// which of a matrix that is far from normal are much smaller than the powers of its norm (A. H. Al-Mohy and
// N. J. Higham, SIAM J. Matrix Anal. Appl. 31, 2009). With the arithmetic of matrices that have a derivative
// behind.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "linalg/backend/operand.hpp"
#include "linalg/builtin/vectors.hpp"
#include "tenferro/base/cancellation.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg { namespace pade {

/// The degrees of the approximants, and up to which 1-norm each is as good as double precision.
struct Degree {
    int degree;
    double most;
};
inline constexpr std::array<Degree, 5> kDegrees{{{3, 1.495585217958292e-2},
                                                 {5, 2.539398330063230e-1},
                                                 {7, 9.504178996162932e-1},
                                                 {9, 2.097847961257068},
                                                 {13, 5.371920351148152}}};
/// That of degree 13 for what norms of powers give.
inline constexpr double kMostByPowers = 4.25;
/// Squarings of matrices whose size is 2^digits, for sizes up to `most`.
[[nodiscard]] inline double squarings_of(double digits, double most) {
    return std::max(0.0, std::ceil(digits - std::log2(most)));
}

/// Up to here a product takes less time in plain loops than a call.
inline constexpr Index kPlainExtent = 10;

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
[[nodiscard]] double digits_of_moduli(const Algebra<T>& algebra, const T* a) {
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
[[nodiscard]] int squarings_by_powers(Algebra<T>& algebra, const T* a, double norm, double norm4,
                                      double norm6, const Powers<T>& powers, int most) {
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
inline constexpr int kHarmless = 3;

/// Halves `a` and the powers, which are computed, until degree 13 is as good as double precision; how often.
template <class T>
[[nodiscard]] int halve(Algebra<T>& algebra, T* a, double norm, const Powers<T>& powers) {
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

}}}}  // namespace tenferro::TENFERRO_ABI::linalg::pade
