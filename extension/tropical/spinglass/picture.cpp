#include "picture.hpp"

namespace spinglass {

namespace {

int spin_at(const Lattice& lattice, const std::vector<int>& spins, int r, int c) {
    return spins[static_cast<std::size_t>(r * lattice.columns + c)];
}
bool right_satisfied(const Lattice& lattice, const std::vector<int>& spins, int r, int c) {
    return lattice.to_right(r, c) * spin_at(lattice, spins, r, c) * spin_at(lattice, spins, r, c + 1) > 0;
}
bool below_satisfied(const Lattice& lattice, const std::vector<int>& spins, int r, int c) {
    return lattice.to_below(r, c) * spin_at(lattice, spins, r, c) * spin_at(lattice, spins, r + 1, c) > 0;
}

constexpr int kSpacing = 24;

std::string number(int value) { return std::to_string(value); }
int place(int i) { return kSpacing * (i + 1); }

std::string bond(int r, int c, int to_r, int to_c, int coupling, bool satisfied) {
    return "<line x1=\"" + number(place(c)) + "\" y1=\"" + number(place(r)) + "\" x2=\"" +
           number(place(to_c)) + "\" y2=\"" + number(place(to_r)) + "\" class=\"" +
           (satisfied ? "kept" : "broken") + "\"" + (coupling < 0 ? " stroke-dasharray=\"3 2\"" : "") +
           "/>\n";
}

}  // namespace

std::string text_picture(const Lattice& lattice, const std::vector<int>& spins) {
    std::string picture;
    for (int r = 0; r < lattice.rows; ++r) {
        for (int c = 0; c < lattice.columns; ++c) {
            picture += spin_at(lattice, spins, r, c) > 0 ? '+' : '-';
            if (c + 1 < lattice.columns) picture += right_satisfied(lattice, spins, r, c) ? " . " : "   ";
        }
        picture += '\n';
        if (r + 1 == lattice.rows) break;
        for (int c = 0; c < lattice.columns; ++c) {
            picture += below_satisfied(lattice, spins, r, c) ? '.' : ' ';
            if (c + 1 < lattice.columns) picture += lattice.is_frustrated(r, c) ? " * " : "   ";
        }
        while (!picture.empty() && picture.back() == ' ') picture.pop_back();
        picture += '\n';
    }
    return picture;
}

std::string svg_picture(const Lattice& lattice, const std::vector<int>& spins) {
    const std::string width = number(place(lattice.columns)), height = number(place(lattice.rows));
    std::string svg =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height +
        "\" viewBox=\"0 0 " + width + " " + height +
        "\">\n<style>.kept{stroke:#999;stroke-width:1.5}.broken{stroke:#d33;stroke-width:3}"
        ".frustrated{fill:#fce8c8}.up{fill:#1f4e79}.down{fill:#fff;stroke:#1f4e79;stroke-width:1.5}"
        "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
    for (int r = 0; r + 1 < lattice.rows; ++r)
        for (int c = 0; c + 1 < lattice.columns; ++c)
            if (lattice.is_frustrated(r, c))
                svg += "<rect class=\"frustrated\" x=\"" + number(place(c)) + "\" y=\"" + number(place(r)) +
                       "\" width=\"" + number(kSpacing) + "\" height=\"" + number(kSpacing) + "\"/>\n";
    for (int r = 0; r < lattice.rows; ++r)
        for (int c = 0; c < lattice.columns; ++c) {
            if (c + 1 < lattice.columns)
                svg += bond(r, c, r, c + 1, lattice.to_right(r, c), right_satisfied(lattice, spins, r, c));
            if (r + 1 < lattice.rows)
                svg += bond(r, c, r + 1, c, lattice.to_below(r, c), below_satisfied(lattice, spins, r, c));
        }
    for (int r = 0; r < lattice.rows; ++r)
        for (int c = 0; c < lattice.columns; ++c)
            svg += "<circle cx=\"" + number(place(c)) + "\" cy=\"" + number(place(r)) +
                   "\" r=\"6\" class=\"" + (spin_at(lattice, spins, r, c) > 0 ? "up" : "down") + "\"/>\n";
    return svg + "</svg>\n";
}

}  // namespace spinglass
