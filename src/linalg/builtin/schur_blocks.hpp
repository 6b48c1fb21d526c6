// Matrices of two rows: their eigenvalues, which are shifts, and their Schur form.
#pragma once

#include "linalg/scalar.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// The eigenvalues of [[a, b], [c, d]], the one nearer to d last; of real numbers a conjugate pair, or two.
template <class T>
struct PairOfValues {
    using C = ComplexOf<T>;
    C first, second;

    PairOfValues(T a, T b, T c, T d) noexcept {
        const T half = (a - d) / RealOf<T>(2), square = half * half + b * c;
        if constexpr (!is_complex<T>)
            if (square < 0) {
                first = C(d + half, std::sqrt(-square));
                second = std::conj(first);
                return;
            }
        const T root = std::sqrt(square);
        const T sum = sum_of_moduli(half + root) > sum_of_moduli(half - root) ? half + root : half - root;
        first = d + sum;
        second = sum == T(0) ? d : d - b * (c / sum);
    }
    [[nodiscard]] bool is_real() const noexcept { return first.imag() == 0 && second.imag() == 0; }
    /// The sum of both, and (a - first)(a - second) / size: of real matrices they are real.
    [[nodiscard]] T sum() const noexcept {
        if constexpr (is_complex<T>)
            return first + second;
        else
            return first.real() + second.real();
    }
    [[nodiscard]] T product_less(T a, RealOf<T> size) const noexcept {
        if constexpr (is_complex<T>)
            return (a - first) * ((a - second) / size);
        else
            return (a - first.real()) * ((a - second.real()) / size) - first.imag() * (second.imag() / size);
    }
};

/// What a real block [[a, b], [c, d]] is in T (Bai and Demmel, Linear Algebra Appl. 186, 1993), and (x, y),
/// along the first Schur vector of it; y is 0 where nothing is to do. Reflections turn it, so what is beside
/// the diagonal has another sign than rotations give it.
template <class R>
struct SchurBlock {
    R x = 1, y = 0;

    SchurBlock(R a, R b, R c, R d) noexcept : a_(a), b_(b), c_(c), d_(d) {
        if (c == 0 || (a == d && std::signbit(b) != std::signbit(c) && b != 0)) return;
        if (b == 0) {
            set(d, c, 0, a, 0, 1);
            return;
        }
        const R half = (a - d) / 2, most = std::max(std::abs(b), std::abs(c)),
                least = std::copysign(R(1), b) * std::copysign(R(1), c) * std::min(std::abs(b), std::abs(c)),
                size = std::max(std::abs(half), most),
                square = half / size * half + most / size * least;  // over size, that of half the gap
        if (square >= 4 * kEps<R>) {
            const R far = half + std::copysign(std::sqrt(size) * std::sqrt(square), half);
            set(d + far, c - b, 0, d - most / far * least, far, c);
        } else {
            make_equal(half);
        }
    }
    void store(R& a, R& b, R& c, R& d, std::complex<R>* w) const noexcept {
        a = a_;
        b = b_;
        c = c_;
        d = d_;
        const R imaginary = c == 0 ? R(0) : std::sqrt(std::abs(b)) * std::sqrt(std::abs(c));
        w[0] = {a, imaginary};
        w[1] = {d, -imaginary};
    }

private:
    R a_, b_, c_, d_;

    void set(R a, R b, R c, R d, R along_x, R along_y) noexcept {
        a_ = a;
        b_ = b;
        c_ = c;
        d_ = d;
        x = along_x;
        y = along_y;
    }
    /// Complex values, or real ones that are nearly equal: the diagonal elements are made equal first.
    void make_equal(R half) noexcept {
        const R sum = b_ + c_, length = std::hypot(sum, 2 * half);
        const R cosine = std::sqrt((1 + std::abs(sum) / length) / 2),
                sine = -(half / (length * cosine)) * std::copysign(R(1), sum);
        const R top = a_ * cosine + b_ * sine, top_right = b_ * cosine - a_ * sine,
                bottom = c_ * cosine + d_ * sine, bottom_right = d_ * cosine - c_ * sine;
        const R b = top_right * cosine + bottom_right * sine, c = bottom * cosine - top * sine;
        const R middle = (top * cosine + bottom * sine + bottom_right * cosine - top_right * sine) / 2;
        if (c == 0) return set(middle, -b, 0, middle, cosine, sine);
        if (b == 0) return set(middle, c, 0, middle, -sine, cosine);
        if (std::signbit(b) != std::signbit(c)) {
            if (sine != 0) set(middle, -b, -c, middle, cosine, sine);
            return;
        }
        const R root_b = std::sqrt(std::abs(b)), root_c = std::sqrt(std::abs(c)),
                gap = std::copysign(root_b * root_c, c), by = 1 / std::sqrt(std::abs(b + c)),
                along = root_b * by, across = root_c * by;
        set(middle + gap, c - b, 0, middle - gap, cosine * along - sine * across,
            cosine * across + sine * along);
    }
};

/// The same of complex numbers.
template <class R>
struct SchurBlock<std::complex<R>> {
    using T = std::complex<R>;
    T x = 1, y = 0;
    PairOfValues<T> values;

    SchurBlock(T a, T b, T c, T d) noexcept : values(a, b, c, d) {
        if (c == T(0)) {
            values.first = d;
            values.second = a;
            return;
        }
        const T value = values.second;
        if (sum_of_moduli(b) + sum_of_moduli(value - a) > sum_of_moduli(c) + sum_of_moduli(value - d)) {
            x = b;
            y = value - a;
        } else {
            x = value - d;
            y = c;
        }
    }
    void store(T& a, T&, T& c, T& d, T* w) const noexcept {
        a = w[0] = values.second;
        c = 0;
        d = w[1] = values.first;
    }
};
}}}  // namespace tenferro::TENFERRO_ABI::linalg
