// Ctrl-C and termination: the process ends at once, with exit code 128 + signal, whatever it is doing, and
// leaves neither a half-written file nor a half-drawn progress bar.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>

namespace tenferro::cli {

inline constexpr int kInterruptedExit = 130;  ///< of SIGINT

/// From here on SIGINT and SIGTERM end the process as said above.
void install_interrupt_handler();

/// While it lives an interrupt removes `path`, unless that is empty. For one thread at a time.
class RemovedOnInterrupt {
public:
    explicit RemovedOnInterrupt(const std::filesystem::path& path);
    ~RemovedOnInterrupt();
    RemovedOnInterrupt(const RemovedOnInterrupt&) = delete;
    RemovedOnInterrupt& operator=(const RemovedOnInterrupt&) = delete;
    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    [[nodiscard]] const RemovedOnInterrupt* next() const noexcept { return next_; }

private:
    std::string path_;
    std::atomic<RemovedOnInterrupt*> next_;
};

/// Whether an interrupt has a line on stderr to erase.
void set_line_drawn(bool drawn) noexcept;

}  // namespace tenferro::cli
