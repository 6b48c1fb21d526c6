// With k = 2 sinh 2K / cosh² 2K and k' = sqrt(1 - k²) = |2 tanh² 2K - 1|:
//
//   ln Z / N = ln(2 cosh 2K) + 1/pi integral from 0 to pi/2 of ln((1 + sqrt(1 - k² sin² t)) / 2) dt,
//   energy = -coth 2K (1 + 2/pi (2 tanh² 2K - 1) K(k)),
//
// where K(k) = pi / (2 agm(1, k')) is the complete elliptic integral. The integrand has a root at pi/2 at the
// critical point; the tanh-sinh rule (Takahasi and Mori, Publ. RIMS 9, 1974) does not mind.
#include "cli/onsager.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace tenferro::cli {
namespace {

constexpr long double kPi = std::numbers::pi_v<long double>;

/// 1 - k² sin² t with t = pi/2 - u, without cancellation: k'² + k² sin² u.
long double integrand(long double k, long double k_prime, long double u) {
    const long double part = k * std::sin(u);
    return std::log((1 + std::sqrt(k_prime * k_prime + part * part)) / 2);
}

/// The integral over u from 0 to pi/2.
long double integral(long double k, long double k_prime) {
    constexpr int kLast = 256;
    constexpr long double kStep = 1.0L / 64;
    long double sum = 0;
    for (int step = -kLast; step <= kLast; ++step) {
        const long double x = step * kStep;
        const long double y = kPi / 2 * std::sinh(x), cosh_y = std::cosh(y);
        const long double u = kPi / 2 / (1 + std::exp(-2 * y));  // pi/4 (1 + tanh y), exact near 0
        sum += integrand(k, k_prime, u) * kPi / 2 * std::cosh(x) / (cosh_y * cosh_y);
    }
    return sum * kStep * kPi / 4;
}

long double arithmetic_geometric_mean(long double a, long double b) {
    while (std::abs(a - b) > 4 * std::numeric_limits<long double>::epsilon() * a) {
        const long double mean = (a + b) / 2;
        b = std::sqrt(a * b);
        a = mean;
    }
    return a;
}

}  // namespace

InfiniteIsing onsager(long double coupling) {
    const long double cosh = std::cosh(2 * coupling), sinh = std::sinh(2 * coupling),
                      signed_k_prime = 2 * (sinh / cosh) * (sinh / cosh) - 1,
                      k_prime = std::abs(signed_k_prime), k = 2 * sinh / (cosh * cosh);
    // k' K(k) vanishes with k', more slowly than the mean can be computed.
    const long double term =
        k_prime == 0 ? 0 : signed_k_prime / arithmetic_geometric_mean(1, k_prime);  // 2/pi K(k)
    return {std::log(2 * cosh) + integral(k, k_prime) / kPi, -cosh / sinh * (1 + term)};
}

}  // namespace tenferro::cli
