// Comparison, table and plot.
#include "cli/ising_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/ising.hpp"
#include "cli/kaufman.hpp"

namespace tenferro::cli {
namespace {

constexpr double kLowest = 0.6, kHighest = 1.4;  // in critical temperatures
constexpr int kCurveNodes = 200;

struct ExactPoint {
    long double log_z, energy;  ///< per site
};

ExactPoint exact_point(int size, double temperature) {
    // The same rounded coupling that the contraction uses, so that only its own errors are compared.
    const IsingExact exact = kaufman(size, size, 1 / temperature);
    const long double sites = static_cast<long double>(size) * size;
    return {exact.log_z / sites, -exact.log_z_derivative / sites};
}

}  // namespace

// Everything in double, so that the error is that of the two numbers shown beside it.
Comparison compare(double computed, double exact) {
    return {computed, exact, std::abs((computed - exact) / exact)};
}

double critical_temperature() { return static_cast<double>(1 / critical_coupling()); }

std::vector<double> temperatures_around_critical(int count) {
    if (count == 1) return {critical_temperature()};
    std::vector<double> temperatures;
    for (int i = 0; i < count; ++i)
        temperatures.push_back(critical_temperature() * (kLowest + (kHighest - kLowest) * i / (count - 1)));
    return temperatures;
}

IsingRow compare_with_kaufman(int size, double temperature) {
    const IsingPoint computed = contract_ising(size, temperature);
    const ExactPoint exact = exact_point(size, temperature);
    return {temperature, compare(computed.log_z_per_site, static_cast<double>(exact.log_z)),
            compare(computed.energy_per_site, static_cast<double>(exact.energy))};
}

double IsingReport::largest_error() const {
    double largest = 0;
    for (const IsingRow& row : rows)
        for (const double error : {row.log_z.relative_error, row.energy.relative_error})
            if (!(error <= largest)) largest = error;  // a NaN counts as the largest
    return largest;
}

std::string IsingReport::table() const {
    std::string out =
        fmt::format("{:>8}  {:>20} {:>20} {:>8}  {:>20} {:>20} {:>8}\n", "T", "lnZ/N contraction",
                    "lnZ/N exact", "error", "energy/N vjp", "energy/N exact", "error");
    for (const IsingRow& row : rows)
        out += fmt::format("{:>8.5f}  {:>20.15f} {:>20.15f} {:>8.1e}  {:>20.15f} {:>20.15f} {:>8.1e}\n",
                           row.temperature, row.log_z.computed, row.log_z.exact, row.log_z.relative_error,
                           row.energy.computed, row.energy.exact, row.energy.relative_error);
    return out;
}

Plot IsingReport::plot() const {
    Plot plot{fmt::format("Ising model on the {0} x {0} torus, critical temperature {1:.4f}", size,
                          critical_temperature()),
              "temperature T",
              "energy per spin",
              {"exact (Kaufman 1949)", {}, {}},
              {"tensor network", {}, {}}};
    for (const double temperature : temperatures_around_critical(kCurveNodes)) {
        plot.curve.x.push_back(temperature);
        plot.curve.y.push_back(static_cast<double>(exact_point(size, temperature).energy));
    }
    for (const IsingRow& row : rows) {
        plot.points.x.push_back(row.temperature);
        plot.points.y.push_back(row.energy.computed);
    }
    return plot;
}

}  // namespace tenferro::cli
