// A progress bar on stderr; nothing at all when stderr is no terminal.
#pragma once

#include <cstddef>
#include <string>

namespace tenferro::cli {

class ProgressBar {
public:
    /// `what` stands before the bar.
    explicit ProgressBar(std::string what);
    /// Erases the bar.
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    /// Draws anew when the picture changes.
    void update(std::size_t done, std::size_t total);
    /// update, so that a bar can be passed as a progress callback.
    void operator()(std::size_t done, std::size_t total) { update(done, total); }

private:
    std::string what_;
    std::string drawn_;
    bool visible_;
};

}  // namespace tenferro::cli
