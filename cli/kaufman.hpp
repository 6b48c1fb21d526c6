// The exact partition function of the two-dimensional Ising model on a torus: B. Kaufman, Phys. Rev. 76, 1232
// (1949).
#pragma once

namespace tenferro::cli {

struct IsingExact {
    long double log_z;             ///< ln Z, Z = sum over spins of exp(K * sum over bonds of s s')
    long double log_z_derivative;  ///< d ln Z / d K, the mean of the sum over bonds
};

/// A torus of `rows` x `columns` spins (each at least 1) with coupling K > 0. Where an extent is 2 its bonds
/// are double, and where it is 1 each spin is bound to itself, as the formula has it.
[[nodiscard]] IsingExact kaufman(int rows, int columns, long double coupling);

/// The critical coupling of the infinite lattice, ln(1 + sqrt 2) / 2.
[[nodiscard]] long double critical_coupling();

}  // namespace tenferro::cli
