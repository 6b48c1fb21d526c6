// What a long command is doing, as one line on stderr; nothing at all when stderr is no terminal.
#pragma once

#include <cstddef>
#include <string>

#include "tenferro/einsum/search_progress.hpp"

namespace tenferro::cli {

class StatusLine {
public:
    StatusLine();
    /// Erases the line.
    ~StatusLine();
    StatusLine(const StatusLine&) = delete;
    StatusLine& operator=(const StatusLine&) = delete;

    [[nodiscard]] bool visible() const noexcept { return visible_; }
    /// Draws anew when the text changes.
    void show(std::string text);

private:
    std::string drawn_;
    bool visible_;
};

class ProgressBar {
public:
    /// `what` stands before the bar.
    explicit ProgressBar(std::string what) : what_(std::move(what)) {}

    void update(std::size_t done, std::size_t total);
    /// update, so that a bar can be passed as a progress callback.
    void operator()(std::size_t done, std::size_t total) { update(done, total); }

private:
    std::string what_;
    StatusLine line_;
};

/// The best path so far and the time left, while one is searched.
class SearchLine {
public:
    void operator()(const tensor_network::SearchProgress& found);

private:
    StatusLine line_;
};

/// What a SearchLine shows, at most 79 columns: parts at the end that do not fit are left out.
[[nodiscard]] std::string search_text(const tensor_network::SearchProgress& found);

}  // namespace tenferro::cli
