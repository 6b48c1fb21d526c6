// Kaufman's four products. With n rows, m columns, s = sinh 2K and cosh g_r = s + 1/s - cos(pi r / n):
//
//   Z = 1/2 (2 s)^(nm/2) [ prod 2cosh(m g_odd / 2) + prod 2sinh(m g_odd / 2) + prod 2cosh(m g_even / 2) +
//   prod 2sinh(m g_even / 2) ]
//
// over odd r = 1, 3, … 2n-1 and even r = 0, 2, … 2n-2. g_0 = 2K + ln tanh K changes its sign at the critical
// point, all other g_r are positive. Every product is kept as exp(log) times a number near 1, together with
// its derivative.
#include "cli/kaufman.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tenferro::cli {
namespace {

/// exp(log) * value, and its derivative exp(log) * derivative with respect to K.
struct Scaled {
    long double log = 0, value = 1, derivative = 0;

    /// Multiplies by exp(log_) * v, whose derivative is exp(log_) * d.
    void multiply(long double log_, long double v, long double d) {
        derivative = derivative * v + value * d;
        value *= v;
        log += log_;
    }
};

/// g_r and its derivative with respect to K.
struct Gamma {
    long double value, derivative;
};

Gamma gamma(int r, int n, long double coupling) {
    const long double s = std::sinh(2 * coupling);
    if (r == 0) return {2 * std::asinh((s - 1) / std::sqrt(2 * s)), 2 + 2 / s};
    // cosh g - 1 without cancellation near the critical point, where s = 1.
    const long double half_angle = std::sin(std::acos(-1.0L) * r / (2 * n));
    const long double excess = (s - 1) * (s - 1) / s + 2 * half_angle * half_angle;
    const long double sinh_g = std::sqrt(excess * (excess + 2));
    return {2 * std::asinh(std::sqrt(excess / 2)), 2 * std::cosh(2 * coupling) * (1 - 1 / (s * s)) / sinh_g};
}

/// The products of 2cosh and 2sinh over r = first, first + 2, … below 2n.
std::array<Scaled, 2> products(int first, int n, int m, long double coupling) {
    std::array<Scaled, 2> result;
    auto& [cosines, sines] = result;
    for (int r = first; r < 2 * n; r += 2) {
        const Gamma g = gamma(r, n, coupling);
        const long double x = m * g.value / 2, slope = m * g.derivative / 2;
        const long double sum = 1 + std::exp(-2 * std::abs(x));  // 2cosh x = e^|x| sum
        const long double difference =
            std::copysign(-std::expm1(-2 * std::abs(x)), x);  // 2sinh x = e^|x| difference
        cosines.multiply(std::abs(x), sum, difference * slope);
        sines.multiply(std::abs(x), difference, sum * slope);
    }
    return result;
}

}  // namespace

IsingExact kaufman(int rows, int columns, long double coupling) {
    const auto odd = products(1, rows, columns, coupling), even = products(0, rows, columns, coupling);
    const std::array<Scaled, 4> terms{odd[0], odd[1], even[0], even[1]};
    const long double top = std::max(odd[0].log, even[0].log);
    long double value = 0, derivative = 0;
    for (const Scaled& term : terms) {
        value += std::exp(term.log - top) * term.value;
        derivative += std::exp(term.log - top) * term.derivative;
    }
    const long double half_sites = static_cast<long double>(rows) * columns / 2, s = std::sinh(2 * coupling);
    return {half_sites * std::log(2 * s) + top + std::log(value / 2),
            half_sites * 2 * std::cosh(2 * coupling) / s + derivative / value};
}

long double critical_coupling() { return std::log1p(std::sqrt(2.0L)) / 2; }

}  // namespace tenferro::cli
