// The exact free energy and energy of the infinite two-dimensional Ising model: L. Onsager, Phys. Rev. 65,
// 117 (1944).
#pragma once

namespace tenferro::cli {

struct InfiniteIsing {
    long double log_z_per_site;
    long double energy_per_site;  ///< in units of the coupling constant J
};

/// At coupling K = J / T > 0.
[[nodiscard]] InfiniteIsing onsager(long double coupling);

}  // namespace tenferro::cli
