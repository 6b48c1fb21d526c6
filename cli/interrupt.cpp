// The handler calls only what is safe in a signal handler: unlink, write, _exit. It walks a list whose links
// are atomic and whose members are complete before they are linked.
#include "cli/interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <string_view>

namespace tenferro::cli {
namespace {

constinit std::atomic<RemovedOnInterrupt*> removed{nullptr};
constinit std::atomic<bool> line_drawn{false};
static_assert(std::atomic<bool>::is_always_lock_free &&
              std::atomic<RemovedOnInterrupt*>::is_always_lock_free);

extern "C" void end_process(int signal) {
    for (const RemovedOnInterrupt* file = removed; file != nullptr; file = file->next())
        ::unlink(file->path().c_str());
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

RemovedOnInterrupt::RemovedOnInterrupt(const std::filesystem::path& path)
    : path_(path.string()), next_(removed.load()) {
    removed = this;
}

RemovedOnInterrupt::~RemovedOnInterrupt() {
    std::atomic<RemovedOnInterrupt*>* link = &removed;
    while (*link != this) link = &link->load()->next_;
    *link = next_.load();
}

void set_line_drawn(bool drawn) noexcept { line_drawn = drawn; }

}  // namespace tenferro::cli
