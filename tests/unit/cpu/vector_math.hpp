// The functions of vector math, what they compute in long double, and the arguments that tests give them, on
// every instruction set of the host.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <vector>

#include "cpu/kernels/elementwise/line_table.hpp"
#include "support/random_layout.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"
#include "tenferro/tensor/elementwise.hpp"

#include <hwy/targets.h>

namespace tenferro::cpu::test {

using Long = long double;
template <class T>
using Limits = std::numeric_limits<T>;
using tenferro::test::Draw;

inline constexpr int kDrawsPerRegion = 30000;

struct Function {
    OpId op;
    Long (*truth)(Long);
    double reach;  // arguments beyond overflow, underflow or saturate in double
};

inline Long log_gamma(Long x) {
    int sign = 0;  // not std::lgamma, which writes a global variable
    return ::lgammal_r(x, &sign);
}

inline const Function kFunctions[] = {
    {OpId::Exp, [](Long x) { return std::exp(x); }, 800},
    {OpId::Expm1, [](Long x) { return std::expm1(x); }, 800},
    {OpId::Sinh, [](Long x) { return std::sinh(x); }, 800},
    {OpId::Cosh, [](Long x) { return std::cosh(x); }, 800},
    {OpId::Tanh, [](Long x) { return std::tanh(x); }, 40},
    {OpId::Sigmoid, [](Long x) { return 1 / (1 + std::exp(-x)); }, 800},
    {OpId::Log, [](Long x) { return std::log(x); }, 1e9},
    {OpId::Log1p, [](Long x) { return std::log1p(x); }, 1e9},
    {OpId::Sin, [](Long x) { return std::sin(x); }, 5e6},
    {OpId::Cos, [](Long x) { return std::cos(x); }, 5e6},
    {OpId::Asin, [](Long x) { return std::asin(x); }, 1.1},
    {OpId::Acos, [](Long x) { return std::acos(x); }, 1.1},
    {OpId::Atan, [](Long x) { return std::atan(x); }, 20},
    {OpId::Asinh, [](Long x) { return std::asinh(x); }, 20},
    {OpId::Acosh, [](Long x) { return std::acosh(x); }, 20},
    {OpId::Atanh, [](Long x) { return std::atanh(x); }, 1.1},
    {OpId::Erf, [](Long x) { return std::erf(x); }, 7},
    {OpId::Erfc, [](Long x) { return std::erfc(x); }, 28},
    {OpId::Lgamma, log_gamma, 9},
    {OpId::Sqrt, [](Long x) { return std::sqrt(x); }, 1e300},
    {OpId::Rsqrt, [](Long x) { return 1 / std::sqrt(x); }, 1e300},
};

/// Calls f(table) with the line kernels of every instruction set the host has.
template <class F>
void for_each_target(F f) {
    const std::int64_t supported = hwy::SupportedTargets() & HWY_TARGETS;
    for (std::int64_t rest = supported; rest != 0; rest &= rest - 1) {
        const std::int64_t target = rest & -rest;
        SCOPED_TRACE(hwy::TargetName(target));
        hwy::SetSupportedTargetsForTest(target);
        f(make_line_table());
    }
    hwy::SetSupportedTargetsForTest(0);
}

template <class T>
std::vector<T> special_values() {
    std::vector<T> values{0,
                          Limits<T>::denorm_min(),
                          3 * Limits<T>::denorm_min(),
                          Limits<T>::min(),
                          Limits<T>::epsilon(),
                          1,
                          2,
                          Limits<T>::max(),
                          Limits<T>::infinity(),
                          Limits<T>::quiet_NaN()};
    for (const double x : {0.25,
                           0.34657359,
                           0.5,
                           0.70710678,
                           1.0397207,
                           1.41421356,
                           88.722839,
                           87.33655,
                           103.97208,
                           104.0,
                           709.782712893384,
                           708.3964185322641,
                           745.1332191019411,
                           745.2,
                           22.0,
                           19.06,
                           1e22,
                           1e300,
                           4194304.0,
                           4194305.0,
                           1.0019087275924428}) {
        values.push_back(static_cast<T>(x));
        values.push_back(std::nextafter(static_cast<T>(x), T{0}));
        values.push_back(std::nextafter(static_cast<T>(x), Limits<T>::infinity()));
    }
    for (int k = 1; k < 40; ++k) {
        values.push_back(static_cast<T>(k * 1.57079632679489661923L));
        values.push_back(static_cast<T>(k * 10007 * 1.57079632679489661923L));
        values.push_back(static_cast<T>((2 * k - 1) * 0.34657359027997265471L));
    }
    const std::size_t positive = values.size();
    for (std::size_t i = 0; i < positive; ++i) values.push_back(-values[i]);
    return values;
}

/// Special values, then draws from [-reach, reach], [-2, 2], numbers next to 1 and all finite numbers.
template <class T>
std::vector<T> arguments(double reach) {
    std::vector<T> values = special_values<T>();
    Draw draw(20241107);
    const auto uniform = [&draw] {
        return static_cast<double>(draw.integer(-(Index{1} << 52), Index{1} << 52)) * 0x1p-52;
    };
    for (int i = 0; i < kDrawsPerRegion; ++i) {
        values.push_back(static_cast<T>(reach * uniform()));
        values.push_back(static_cast<T>(2 * uniform()));
        values.push_back(static_cast<T>(
            1 + std::ldexp(uniform(), static_cast<int>(draw.integer(-Limits<T>::digits, -1)))));
        const double everywhere = std::ldexp(
            uniform(), static_cast<int>(draw.integer(-Limits<T>::max_exponent, Limits<T>::max_exponent)));
        values.push_back(static_cast<T>(everywhere));
    }
    return values;
}

struct BinaryFunction {
    OpId op;
    Long (*truth)(Long, Long);
};

inline const BinaryFunction kBinaryFunctions[] = {
    {OpId::Pow, [](Long x, Long y) { return std::pow(x, y); }},
    {OpId::Atan2, [](Long x, Long y) { return std::atan2(x, y); }},
    {OpId::Hypot, [](Long x, Long y) { return std::hypot(x, y); }},
};

/// All pairs of special values; pairs of all finite numbers, of ordinary ones, of a number near 1 and a large
/// one, of a number and what makes its power as large as can be, and whole exponents.
template <class T>
void draw_pairs(std::vector<T>& x, std::vector<T>& y) {
    const std::vector<T> special = special_values<T>();
    for (std::size_t i = 0; i < special.size(); i += 3)
        for (std::size_t j = i % 2; j < special.size(); j += 2) {
            x.push_back(special[i]);
            y.push_back(special[j]);
        }
    Draw draw(20261122);
    const auto uniform = [&draw] {
        return static_cast<double>(draw.integer(-(Index{1} << 52), Index{1} << 52)) * 0x1p-52;
    };
    const auto everywhere = [&] {
        return std::ldexp(uniform(),
                          static_cast<int>(draw.integer(-Limits<T>::max_exponent, Limits<T>::max_exponent)));
    };
    const auto push = [&](double a, double b) {
        x.push_back(static_cast<T>(a));
        y.push_back(static_cast<T>(b));
    };
    constexpr double kReach = Limits<T>::max_exponent * 0.6931471805599453;
    for (int i = 0; i < kDrawsPerRegion; ++i) {
        push(everywhere(), everywhere());
        push(4 * uniform(), 4 * uniform());
        const double near = 1 + std::ldexp(uniform(), static_cast<int>(draw.integer(-Limits<T>::digits, -3)));
        push(near, kReach * uniform() / std::log(near));
        const double any = std::fabs(everywhere());
        push(any, kReach * 1.03 * uniform() / std::log(any));
        push(9 * uniform(), static_cast<double>(draw.integer(-60, 60)));
    }
}

template <class T>
using Complex = std::complex<T>;

struct ComplexFunction {
    OpId op;
    std::size_t operands;
    Complex<Long> (*truth)(Complex<Long>, Complex<Long>);
};

inline const ComplexFunction kComplexFunctions[] = {
    {OpId::Abs, 1, [](auto x, auto) -> Complex<Long> { return std::hypot(x.real(), x.imag()); }},
    {OpId::Sqrt, 1, [](auto x, auto) { return std::sqrt(x); }},
    {OpId::Exp, 1, [](auto x, auto) { return std::exp(x); }},
    {OpId::Log, 1, [](auto x, auto) { return std::log(x); }},
    {OpId::Div, 2, [](auto x, auto y) { return x / y; }},
};

/// Numbers whose parts are special, drawn among all finite numbers, ordinary, one far smaller than the other,
/// or next to the unit circle.
template <class T>
std::vector<Complex<T>> complex_numbers(std::uint64_t seed) {
    std::vector<Complex<T>> z;
    const auto push = [&z](double re, double im) { z.emplace_back(static_cast<T>(re), static_cast<T>(im)); };
    const std::vector<T> special = special_values<T>();
    for (std::size_t i = 0; i < special.size(); i += 2)
        for (std::size_t j = seed % 3; j < special.size(); j += 3) z.emplace_back(special[i], special[j]);
    Draw draw(seed);
    const auto uniform = [&draw] {
        return static_cast<double>(draw.integer(-(Index{1} << 52), Index{1} << 52)) * 0x1p-52;
    };
    const auto everywhere = [&](int lowest, int highest) {
        return std::ldexp(uniform(), static_cast<int>(draw.integer(lowest, highest)));
    };
    constexpr int kMost = Limits<T>::max_exponent;
    for (int i = 0; i < kDrawsPerRegion; ++i) {
        push(everywhere(-kMost, kMost), everywhere(-kMost, kMost));
        push(9 * uniform(), 9 * uniform());
        push(9 * uniform(), everywhere(-60, 0));
        push(everywhere(-60, 0), 700 * uniform());
        const double angle = 4 * uniform(), length = 1 + everywhere(-50, -1);
        push(length * std::cos(angle), length * std::sin(angle));
    }
    return z;
}

}  // namespace tenferro::cpu::test
