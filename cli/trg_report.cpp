// Comparison, table and plot.
#include "cli/trg_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/onsager.hpp"
#include "cli/trg.hpp"

namespace tenferro::cli {
namespace {

/// What is drawn for values that agree in every digit.
constexpr double kLeastError = 1e-17;

double logarithm(const Comparison& value) { return std::log10(std::max(value.relative_error, kLeastError)); }

}  // namespace

TrgRow compare_with_onsager(double temperature, int rank, int steps) {
    const TrgPoint computed = renormalise_ising(temperature, rank, steps);
    const InfiniteIsing exact = onsager(1 / temperature);
    return {rank, compare(computed.log_z_per_site, static_cast<double>(exact.log_z_per_site)),
            compare(computed.energy_per_site, static_cast<double>(exact.energy_per_site))};
}

std::string TrgReport::table() const {
    std::string out = fmt::format("{:>4}  {:>18} {:>18} {:>8}  {:>18} {:>18} {:>8}\n", "rank", "lnZ/N TRG",
                                  "lnZ/N exact", "error", "energy/N rrule", "energy/N exact", "error");
    for (const TrgRow& row : rows)
        out += fmt::format("{:>4}  {:>18.13f} {:>18.13f} {:>8.1e}  {:>18.13f} {:>18.13f} {:>8.1e}\n",
                           row.rank, row.log_z.computed, row.log_z.exact, row.log_z.relative_error,
                           row.energy.computed, row.energy.exact, row.energy.relative_error);
    return out;
}

Plot TrgReport::plot() const {
    Plot plot{fmt::format("Tensor renormalisation of the Ising model at temperature {:.6g}", temperature),
              "kept rank",
              "log10 of the relative error",
              {"energy", {}, {}},
              {"ln Z", {}, {}}};
    for (const TrgRow& row : rows) {
        plot.curve.x.push_back(row.rank);
        plot.curve.y.push_back(logarithm(row.energy));
        plot.points.x.push_back(row.rank);
        plot.points.y.push_back(logarithm(row.log_z));
    }
    return plot;
}

}  // namespace tenferro::cli
