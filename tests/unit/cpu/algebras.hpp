// The algebras that the tests of the contraction templates use, in scalar form, and their kernels.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "tenferro/cpu/contraction/kernel_table.hpp"

namespace tenferro::testing {

/// max (kMost = 1) or min (kMost = -1) of sums. The zero of integers is the extreme value, which absorbs.
template <class T, int kMost>
struct Tropical {
    using Element = T;
    using Limits = std::numeric_limits<T>;
    static constexpr T kZero = std::is_integral_v<T> ? (kMost > 0 ? Limits::min() : Limits::max())
                                                     : (kMost > 0 ? -Limits::infinity() : Limits::infinity());
    static T zero() { return kZero; }
    static T accumulator_identity() { return kZero; }
    static T times(T a, T b) {
        if constexpr (std::is_integral_v<T>)
            if (a == kZero || b == kZero) return kZero;
        return a + b;
    }
    static T plus(T x, T y) {
        if (x != x) return x;
        return (kMost > 0 ? y <= x : y >= x) ? x : y;
    }
    static T mac(T c, T a, T b) { return plus(c, times(a, b)); }
};

/// max of products, of any sign: sums start below every product though the zero is 0.
struct MaxMul {
    using Element = double;
    static double zero() { return 0; }
    static double accumulator_identity() { return -std::numeric_limits<double>::infinity(); }
    static double times(double a, double b) { return a * b; }
    static double plus(double x, double y) { return Tropical<double, 1>::plus(x, y); }
    static double mac(double c, double a, double b) { return plus(c, times(a, b)); }
};

struct OrAnd {
    using Element = bool;
    static bool zero() { return false; }
    static bool accumulator_identity() { return false; }
    static bool times(bool a, bool b) { return a && b; }
    static bool plus(bool x, bool y) { return x || y; }
    static bool mac(bool c, bool a, bool b) { return c || (a && b); }
};

/// Arithmetic modulo a prime, reduced once at the end: sums of a block stay far from overflow.
struct Modular {
    using Element = std::int64_t;
    static constexpr std::int64_t kPrime = 10007;
    static std::int64_t zero() { return 0; }
    static std::int64_t accumulator_identity() { return 0; }
    static std::int64_t mac(std::int64_t c, std::int64_t a, std::int64_t b) { return c + a * b; }
    static std::int64_t plus(std::int64_t x, std::int64_t y) { return x + y; }
    static std::int64_t finish(std::int64_t x) { return (x % kPrime + kPrime) % kPrime; }
};

/// The kernels of the algebra whose scalar form is S, for the instruction set in use.
template <class S>
const cpu::KernelTable& kernels_of();

}  // namespace tenferro::testing
