// A line plot with marks, drawn as text for a terminal or as SVG.
#pragma once

#include <string>
#include <vector>

namespace tenferro::cli {

struct Series {
    std::string name;
    std::vector<double> x, y;
};

struct Plot {
    std::string title, x_label, y_label;
    Series curve;   ///< drawn as a line
    Series points;  ///< drawn as marks
};

struct Range {
    double low = 0, high = 1;
};

/// The smallest range that holds both series, widened where it is a single value. Values must be finite.
[[nodiscard]] Range x_range(const Plot& plot);
[[nodiscard]] Range y_range(const Plot& plot);

/// Round values (1, 2 or 5 times a power of ten apart) inside the range, about `count` of them.
[[nodiscard]] std::vector<double> ticks(Range range, int count);
/// A tick value without superfluous digits.
[[nodiscard]] std::string tick_text(double value);

/// About 78 columns of ASCII, ending in a newline.
[[nodiscard]] std::string text_plot(const Plot& plot);
/// A complete SVG document.
[[nodiscard]] std::string svg_plot(const Plot& plot);
/// Writes that document to a file, whole or not at all.
void save_svg(const std::string& file, const Plot& plot);

}  // namespace tenferro::cli
