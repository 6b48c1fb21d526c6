// Drawing with a carriage return, one line that never wraps on an ordinary terminal.
#include "cli/progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "cli/interrupt.hpp"

namespace tenferro::cli {

namespace {
constexpr std::size_t kCells = 40;
}

ProgressBar::ProgressBar(std::string what) : what_(std::move(what)), visible_(::isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
    if (drawn_.empty()) return;
    std::fputs("\r\x1b[K", stderr);
    set_line_drawn(false);
}

void ProgressBar::update(std::size_t done, std::size_t total) {
    if (!visible_ || total == 0) return;
    const std::size_t full = done * kCells / total;
    std::string picture =
        fmt::format("\r{} [{:=<{}}{:<{}}] {}%", what_, "", full, "", kCells - full, done * 100 / total);
    if (picture == drawn_) return;
    drawn_ = std::move(picture);
    set_line_drawn(true);
    std::fputs(drawn_.c_str(), stderr);
}

}  // namespace tenferro::cli
