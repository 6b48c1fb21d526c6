// The numbers of `tenferro trg`: tensor renormalisation beside Onsager's exact values, over kept ranks.
#pragma once

#include <string>
#include <vector>

#include "cli/ising_report.hpp"

namespace tenferro::cli {

struct TrgRow {
    int rank;
    Comparison log_z, energy;  ///< per site
};

struct TrgReport {
    double temperature;
    int steps;
    std::vector<TrgRow> rows;

    [[nodiscard]] std::string table() const;
    /// Decimal logarithms of the errors over the rank.
    [[nodiscard]] Plot plot() const;
};

/// The row of one rank; renormalises.
[[nodiscard]] TrgRow compare_with_onsager(double temperature, int rank, int steps);

}  // namespace tenferro::cli
