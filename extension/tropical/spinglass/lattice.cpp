#include "lattice.hpp"

namespace spinglass {

namespace {

/// SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t next(std::uint64_t& state) {
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

}  // namespace

Lattice Lattice::drawn(int rows, int columns, std::uint64_t seed) {
    Lattice lattice{rows, columns, {}, {}};
    for (int i = 0; i < rows * (columns - 1); ++i) lattice.right.push_back(next(seed) >> 63 == 0 ? 1 : -1);
    for (int i = 0; i < (rows - 1) * columns; ++i) lattice.down.push_back(next(seed) >> 63 == 0 ? 1 : -1);
    return lattice;
}

Lattice Lattice::transposed() const {
    Lattice other{columns, rows, {}, {}};
    for (int c = 0; c < columns; ++c)
        for (int r = 0; r + 1 < rows; ++r) other.right.push_back(to_below(r, c));
    for (int c = 0; c + 1 < columns; ++c)
        for (int r = 0; r < rows; ++r) other.down.push_back(to_right(r, c));
    return other;
}

int Lattice::energy(const std::vector<int>& spins) const {
    int energy = 0;
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) {
            const int spin = spins[at(r * columns + c)];
            if (c + 1 < columns) energy -= to_right(r, c) * spin * spins[at(r * columns + c + 1)];
            if (r + 1 < rows) energy -= to_below(r, c) * spin * spins[at((r + 1) * columns + c)];
        }
    return energy;
}

}  // namespace spinglass
