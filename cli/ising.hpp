// The two-dimensional Ising model on an L x L torus as a tensor network, computed through the C API.
#pragma once

#include <string>

namespace tenferro::cli {

struct IsingPoint {
    double log_z_per_site;
    double energy_per_site;  ///< in units of the coupling constant J
};

inline constexpr int kMinIsingSize = 2, kMaxIsingSize = 10;

/// One label per spin and one operand per bond, two bonds from every spin; no output label. For size 2 each
/// pair of neighbours has two bonds.
[[nodiscard]] std::string ising_subscripts(int size);

/// ln Z and the energy at a temperature (k_B = J = 1) by one contraction and one reverse pass. Throws
/// std::runtime_error with the library's message.
[[nodiscard]] IsingPoint contract_ising(int size, double temperature);

}  // namespace tenferro::cli
