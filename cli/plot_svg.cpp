// The plot as one SVG document without scripts, fonts or external references.
#include <fmt/format.h>

#include "cli/interrupt.hpp"
#include "cli/plot.hpp"
#include "tenferro/base/output_file.hpp"

namespace tenferro::cli {
namespace {

constexpr double kWidth = 720, kHeight = 480, kLeft = 80, kRight = 24, kTop = 48, kBottom = 64;

/// Text content with the characters that mean something in XML replaced.
std::string escape(const std::string& text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            default: out += c;
        }
    }
    return out;
}

/// From data to pixels.
struct Frame {
    Range x, y;
    [[nodiscard]] double left(double value) const {
        return kLeft + (value - x.low) / (x.high - x.low) * (kWidth - kLeft - kRight);
    }
    [[nodiscard]] double top(double value) const {
        return kHeight - kBottom - (value - y.low) / (y.high - y.low) * (kHeight - kTop - kBottom);
    }
};

std::string label(double left, double top, const char* anchor, const std::string& text,
                  const char* more = "") {
    return fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\"{}>{}</text>\n", left, top, anchor,
                       more, escape(text));
}

std::string line(double x1, double y1, double x2, double y2, const char* colour) {
    return fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" stroke=\"{}\"/>\n", x1,
                       y1, x2, y2, colour);
}

std::string axes(const Plot& plot, const Frame& frame) {
    const double floor = kHeight - kBottom, end = kWidth - kRight;
    std::string out;
    for (const double tick : ticks(frame.x, 7)) {
        const double at = frame.left(tick);
        out += line(at, kTop, at, floor, "#e0e0e0") + label(at, floor + 20, "middle", tick_text(tick));
    }
    for (const double tick : ticks(frame.y, 6)) {
        const double at = frame.top(tick);
        out += line(kLeft, at, end, at, "#e0e0e0") + label(kLeft - 8, at + 4, "end", tick_text(tick));
    }
    out += line(kLeft, floor, end, floor, "#404040") + line(kLeft, kTop, kLeft, floor, "#404040");
    const std::string turn = fmt::format(" transform=\"rotate(-90 20 {:.2f})\"", (kTop + floor) / 2);
    out += label((kLeft + end) / 2, kTop - 20, "middle", plot.title, " font-size=\"16\"");
    out += label((kLeft + end) / 2, kHeight - 16, "middle", plot.x_label);
    out += label(20, (kTop + floor) / 2, "middle", plot.y_label, turn.c_str());
    return out;
}

std::string mark(double left, double top) {
    return fmt::format(
        "<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"4\" fill=\"none\" stroke=\"#c03020\" "
        "stroke-width=\"1.5\"/>\n",
        left, top);
}

std::string legend(const Plot& plot) {
    return line(kLeft + 16, kTop + 16, kLeft + 40, kTop + 16, "#2050a0") +
           label(kLeft + 48, kTop + 20, "start", plot.curve.name) + mark(kLeft + 28, kTop + 36) +
           label(kLeft + 48, kTop + 40, "start", plot.points.name);
}

}  // namespace

std::string svg_plot(const Plot& plot) {
    const Frame frame{x_range(plot), y_range(plot)};
    std::string out = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"sans-serif\" "
        "font-size=\"13\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
        kWidth, kHeight);
    out += axes(plot, frame) + "<polyline fill=\"none\" stroke=\"#2050a0\" stroke-width=\"1.5\" points=\"";
    for (std::size_t i = 0; i < plot.curve.x.size(); ++i)
        out += fmt::format("{}{:.2f},{:.2f}", i == 0 ? "" : " ", frame.left(plot.curve.x[i]),
                           frame.top(plot.curve.y[i]));
    out += "\"/>\n";
    for (std::size_t i = 0; i < plot.points.x.size(); ++i)
        out += mark(frame.left(plot.points.x[i]), frame.top(plot.points.y[i]));
    return out + legend(plot) + "</svg>\n";
}

void save_svg(const std::string& file, const Plot& plot) {
    OutputFile out(file);
    const RemovedOnInterrupt guard(out.temporary());
    out.stream() << svg_plot(plot);
    out.commit();
}

}  // namespace tenferro::cli
