// Ctrl-C and termination: the process ends at once, with exit code 128 + signal, whatever it is doing, and
// leaves neither a half-written file nor a half-drawn progress bar.
#pragma once

#include <filesystem>

namespace tenferro::cli {

inline constexpr int kInterruptedExit = 130;  ///< of SIGINT

/// From here on SIGINT and SIGTERM end the process as said above.
void install_interrupt_handler();

/// While it lives an interrupt removes `path`. One at a time.
class RemovedOnInterrupt {
public:
    explicit RemovedOnInterrupt(const std::filesystem::path& path);
    ~RemovedOnInterrupt();
    RemovedOnInterrupt(const RemovedOnInterrupt&) = delete;
    RemovedOnInterrupt& operator=(const RemovedOnInterrupt&) = delete;
};

/// Whether an interrupt has a line on stderr to erase.
void set_line_drawn(bool drawn) noexcept;

}  // namespace tenferro::cli
