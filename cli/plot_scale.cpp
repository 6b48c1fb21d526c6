// Ranges and ticks that both renderings share.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/plot.hpp"

namespace tenferro::cli {
namespace {

Range range_of(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> all(a);
    all.insert(all.end(), b.begin(), b.end());
    if (all.empty()) return {};
    const auto [low, high] = std::minmax_element(all.begin(), all.end());
    const double margin = *low == *high ? std::max(1.0, std::abs(*low)) / 2 : 0;
    return {*low - margin, *high + margin};
}

}  // namespace

Range x_range(const Plot& plot) { return range_of(plot.curve.x, plot.points.x); }
Range y_range(const Plot& plot) { return range_of(plot.curve.y, plot.points.y); }

std::vector<double> ticks(Range range, int count) {
    const double rough = (range.high - range.low) / count,
                 power = std::pow(10.0, std::floor(std::log10(rough)));
    const double digit = rough / power;
    const double step = power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
    const double first = std::ceil(range.low / step - 1e-9), last = std::floor(range.high / step + 1e-9);
    std::vector<double> values;
    for (int i = 0; first + i <= last; ++i) values.push_back((first + i) * step);
    return values;
}

std::string tick_text(double value) { return fmt::format("{:.6g}", value == 0 ? 0.0 : value); }

}  // namespace tenferro::cli
