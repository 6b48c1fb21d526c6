// A ground state as a picture, in text and in SVG: spins, bonds that are not satisfied, frustrated
// plaquettes.
#pragma once

#include <string>

#include "lattice.hpp"

namespace spinglass {

/// Spins are + and -, satisfied bonds lines, others gaps, frustrated plaquettes *.
[[nodiscard]] std::string text_picture(const Lattice& lattice, const std::vector<int>& spins);
[[nodiscard]] std::string svg_picture(const Lattice& lattice, const std::vector<int>& spins);

}  // namespace spinglass
