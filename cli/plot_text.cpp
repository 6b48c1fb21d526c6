// The plot on a grid of characters: '.' for the curve, 'o' for the marks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/plot.hpp"

namespace tenferro::cli {
namespace {

constexpr int kColumns = 64, kRows = 18, kMargin = 10;

int cell(double value, Range range, int cells) {
    const double place = (value - range.low) / (range.high - range.low) * (cells - 1);
    return std::clamp(static_cast<int>(std::lround(place)), 0, cells - 1);
}

class Canvas {
public:
    explicit Canvas(const Plot& plot)
        : x_(x_range(plot)), y_(y_range(plot)), rows_(kRows, std::string(kColumns, ' ')) {
        for (int column = 0; column < kColumns; ++column) draw_curve(plot.curve, column);
        for (std::size_t i = 0; i < plot.points.x.size(); ++i) at(plot.points.x[i], plot.points.y[i]) = 'o';
    }
    [[nodiscard]] const std::string& row(int i) const { return rows_[i]; }
    [[nodiscard]] Range x() const { return x_; }
    [[nodiscard]] Range y() const { return y_; }

private:
    char& at(double x, double y) { return rows_[kRows - 1 - cell(y, y_, kRows)][cell(x, x_, kColumns)]; }
    /// The curve at the middle of a column, by linear interpolation between its nodes.
    void draw_curve(const Series& curve, int column) {
        const double x = x_.low + (x_.high - x_.low) * column / (kColumns - 1);
        for (std::size_t i = 1; i < curve.x.size(); ++i)
            if (curve.x[i - 1] <= x && x <= curve.x[i] && curve.x[i - 1] < curve.x[i]) {
                const double share = (x - curve.x[i - 1]) / (curve.x[i] - curve.x[i - 1]);
                at(x, curve.y[i - 1] + share * (curve.y[i] - curve.y[i - 1])) = '.';
                return;
            }
    }

    Range x_, y_;
    std::vector<std::string> rows_;
};

std::string x_axis(Range range) {
    std::string line(kMargin + kColumns + 8, ' ');
    for (const double tick : ticks(range, 6)) {
        const std::string label = tick_text(tick);
        const std::size_t middle = kMargin + 2 + static_cast<std::size_t>(cell(tick, range, kColumns));
        const std::size_t start =
            std::min(middle - std::min(middle, label.size() / 2), line.size() - label.size());
        line.replace(start, label.size(), label);
    }
    return line.substr(0, line.find_last_not_of(' ') + 1);
}

}  // namespace

std::string text_plot(const Plot& plot) {
    const Canvas canvas(plot);
    std::vector<std::string> labels(kRows);
    for (const double tick : ticks(canvas.y(), 5))
        labels[kRows - 1 - cell(tick, canvas.y(), kRows)] = tick_text(tick);

    std::string out = fmt::format("{:>{}}  {}\n", "", kMargin, plot.title);
    for (int row = 0; row < kRows; ++row) {
        const std::string line = fmt::format("{:>{}} |{}", labels[row], kMargin, canvas.row(row));
        out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    out += fmt::format("{:>{}} +{:-<{}}\n{}\n", "", kMargin, "", kColumns, x_axis(canvas.x()));
    out += fmt::format("{:>{}}  x: {}   y: {}   . {}   o {}\n", "", kMargin, plot.x_label, plot.y_label,
                       plot.curve.name, plot.points.name);
    return out;
}

}  // namespace tenferro::cli
