// The two-dimensional Ising model by tensor renormalisation, M. Levin and C. P. Nave, Phys. Rev. Lett. 99,
// 120601 (2007), computed and differentiated through the C API.
#pragma once

namespace tenferro::cli {

struct TrgPoint {
    double log_z_per_site;
    double energy_per_site;  ///< in units of the coupling constant J
};

/// For a torus of 2^steps spins at a temperature (k_B = J = 1), keeping at most `rank` singular values.
/// Throws std::runtime_error with the library's message.
[[nodiscard]] TrgPoint renormalise_ising(double temperature, int rank, int steps);

}  // namespace tenferro::cli
