// Ctrl-C and termination. The first Ctrl-C cancels what the engine computes, and the command ends by itself.
// Where it has not done so within a second, where it waits for input, on a second Ctrl-C and on termination
// the process ends at once. Either way with exit code 128 + signal, without a message, and leaving neither a
// half-written file nor a half-drawn progress bar.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>

#include "tenferro/base/cancellation.hpp"

namespace tenferro::cli {

inline constexpr int kInterruptedExit = 130;  ///< of SIGINT

/// From here on SIGINT and SIGTERM end the process as said above.
void install_interrupt_handler();

/// Cancelled by Ctrl-C; never before the handler is installed.
[[nodiscard]] const CancellationToken& interrupt_token();

/// While one lives the program waits for input, which may never come. For one thread at a time.
class WaitsForInput {
public:
    WaitsForInput() noexcept;
    ~WaitsForInput();
    WaitsForInput(const WaitsForInput&) = delete;
    WaitsForInput& operator=(const WaitsForInput&) = delete;
};

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
