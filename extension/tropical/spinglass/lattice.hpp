// Square lattices of spins with couplings of +1 and -1 and free boundaries: E = -sum of J s s' over bonds.
#pragma once

#include <cstdint>
#include <vector>

namespace spinglass {

/// Sites are counted row by row.
struct Lattice {
    int rows = 0, columns = 0;
    std::vector<int> right;  ///< coupling of site (r, c) to (r, c + 1), at r * (columns - 1) + c
    std::vector<int> down;   ///< coupling of site (r, c) to (r + 1, c), at r * columns + c

    /// Drawn from a generator of its own: the same seed gives the same lattice everywhere.
    [[nodiscard]] static Lattice drawn(int rows, int columns, std::uint64_t seed);
    [[nodiscard]] Lattice transposed() const;

    [[nodiscard]] int to_right(int r, int c) const { return right[at(r * (columns - 1) + c)]; }
    [[nodiscard]] int to_below(int r, int c) const { return down[at(r * columns + c)]; }
    /// Whether the product of the four couplings around the plaquette below and right of a site is negative.
    [[nodiscard]] bool is_frustrated(int r, int c) const {
        return to_right(r, c) * to_right(r + 1, c) * to_below(r, c) * to_below(r, c + 1) < 0;
    }
    [[nodiscard]] int energy(const std::vector<int>& spins) const;

private:
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
};

}  // namespace spinglass
