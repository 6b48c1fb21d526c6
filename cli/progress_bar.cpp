// Drawing with a carriage return, one line that never wraps on an ordinary terminal.
#include "cli/progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "cli/interrupt.hpp"
#include "cli/quantities.hpp"

namespace tenferro::cli {

namespace {
constexpr std::size_t kCells = 40;
constexpr std::size_t kLineColumns = 79;  // a longer line would wrap, and could not be drawn over
}  // namespace

StatusLine::StatusLine() : visible_(::isatty(STDERR_FILENO) == 1) {}

StatusLine::~StatusLine() {
    if (drawn_.empty()) return;
    std::fputs("\r\x1b[K", stderr);
    set_line_drawn(false);
}

void StatusLine::show(std::string text) {
    if (!visible_ || text == drawn_) return;
    const bool shorter = text.size() < drawn_.size();
    drawn_ = std::move(text);
    set_line_drawn(true);
    std::fputs(fmt::format("\r{}{}", drawn_, shorter ? "\x1b[K" : "").c_str(), stderr);
}

void ProgressBar::update(std::size_t done, std::size_t total) {
    if (!line_.visible() || total == 0) return;
    const std::size_t full = done * kCells / total;
    line_.show(fmt::format("{} [{:=<{}}{:<{}}] {}%", what_, "", full, "", kCells - full, done * 100 / total));
}

void SearchLine::operator()(const tensor_network::SearchProgress& found) {
    if (line_.visible()) line_.show(search_text(found));
}

std::string search_text(const tensor_network::SearchProgress& found) {
    std::string text = fmt::format("searching, {:.0f} s", found.elapsed);
    const auto add = [&](const std::string& part) {
        if (text.size() + part.size() <= kLineColumns) text += part;
    };
    if (found.left > 0) add(fmt::format(", {:.0f} s left", std::ceil(found.left)));
    if (found.best_slices == 0) return text;
    add(fmt::format(", best {:.3g} s, {:.3g} flops, {}", found.best_seconds, found.best_flops,
                    bytes_text(found.best_peak_bytes)));
    if (found.best_slices > 1) add(fmt::format(", {:.3g} slices", found.best_slices));
    return text;
}

}  // namespace tenferro::cli
