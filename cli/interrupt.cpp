// The handler calls only what is safe in a signal handler: unlink, write, _exit. It reads a fixed array,
// which is filled before the flag beside it is set.
#include "cli/interrupt.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <string>

namespace tenferro::cli {
namespace {

constinit std::array<char, 4096> removed_path{};
constinit std::atomic<bool> has_path{false}, line_drawn{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void end_process(int signal) {
    if (has_path.load()) ::unlink(removed_path.data());
    constexpr std::string_view kEraseLine = "\r\x1b[K";
    if (line_drawn.load()) (void)!::write(STDERR_FILENO, kEraseLine.data(), kEraseLine.size());
    ::_exit(128 + signal);
}

}  // namespace

void install_interrupt_handler() {
    for (const int signal : {SIGINT, SIGTERM}) {
        struct sigaction action {};
        if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
        action.sa_handler = end_process;
        ::sigaction(signal, &action, nullptr);
    }
}

RemovedOnInterrupt::RemovedOnInterrupt(const std::filesystem::path& path) {
    const std::string name = path.string();
    if (name.empty() || name.size() >= removed_path.size()) return;
    *std::copy(name.begin(), name.end(), removed_path.begin()) = '\0';
    has_path = true;
}

RemovedOnInterrupt::~RemovedOnInterrupt() { has_path = false; }

void set_line_drawn(bool drawn) noexcept { line_drawn = drawn; }

}  // namespace tenferro::cli
