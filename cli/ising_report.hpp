// The demonstration's numbers: contraction and gradient beside Kaufman's exact values, over temperatures
// around the critical one.
#pragma once

#include <string>
#include <vector>

#include "cli/plot.hpp"

namespace tenferro::cli {

/// A computed value beside the exact one.
struct Comparison {
    double computed, exact, relative_error;
};

[[nodiscard]] Comparison compare(double computed, double exact);

struct IsingRow {
    double temperature;
    Comparison log_z, energy;  ///< per site
};

struct IsingReport {
    int size;
    std::vector<IsingRow> rows;

    [[nodiscard]] double largest_error() const;
    [[nodiscard]] std::string table() const;
    /// Energy over temperature.
    [[nodiscard]] Plot plot() const;
};

/// 2 / ln(1 + sqrt 2), in units of J / k_B.
[[nodiscard]] double critical_temperature();
/// `count` temperatures evenly spaced from 0.6 to 1.4 critical temperatures; one alone is the critical one.
[[nodiscard]] std::vector<double> temperatures_around_critical(int count);
/// The row of one temperature; contracts.
[[nodiscard]] IsingRow compare_with_kaufman(int size, double temperature);

}  // namespace tenferro::cli
