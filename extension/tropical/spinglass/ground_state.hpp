// Ground states by tropical contraction: rows of the lattice are absorbed into a tensor with one axis per
// column, a block of columns at a time, in max-plus and in max-plus with the number of optima.
#pragma once

#include <functional>
#include <string>

#include "lattice.hpp"

namespace spinglass {

struct GroundState {
    int energy = 0;
    double degeneracy = 0;     ///< exact up to 2^53; 0 where it was not asked for
    std::vector<int> spins;    ///< of one of them, +1 and -1, row by row
    double multiply_adds = 0;  ///< of the contractions
};

/// The widest that is taken: 2^30 states of a row.
inline constexpr int kWidest = 30;

/// Bytes of the boundaries that must be held at once: a byte a state and half of those of some rows, or nine
/// with counts. Where there is twice the room those of all rows are held, and none is computed a second time.
/// What the engine works on besides is a few MiB.
[[nodiscard]] double bytes_needed(const Lattice& lattice, bool count);
/// Bytes of main memory that this machine has; a container may allow less.
[[nodiscard]] double machine_bytes();

/// Told how many of how many rows are done.
using Progress = std::function<void(int done, int total)>;

/// The narrower side must not exceed kWidest, nor the bytes needed `memory` (tenferro::Error, Unsupported).
[[nodiscard]] GroundState find_ground_state(const Lattice& lattice, bool count, const Progress& progress,
                                            double memory = machine_bytes());

}  // namespace spinglass
