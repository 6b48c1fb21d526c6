// The handlers call only what is safe in a signal handler: unlink, write, alarm, _exit. They walk a list
// whose links are atomic and whose members are complete before they are linked; cancelling a token stores a
// flag.
#include "cli/interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <string_view>

namespace tenferro::cli {
namespace {

constinit std::atomic<RemovedOnInterrupt*> removed{nullptr};
constinit std::atomic<bool> line_drawn{false};
constinit std::atomic<bool> waiting{false};
static_assert(std::atomic<bool>::is_always_lock_free &&
              std::atomic<RemovedOnInterrupt*>::is_always_lock_free);

/// Copies of which the token in the handler is one; of the whole life of the process.
CancellationToken& token() {
    static CancellationToken& made = *new CancellationToken;
    return made;
}

[[noreturn]] void end_process(int signal) {
    for (const RemovedOnInterrupt* file = removed; file != nullptr; file = file->next())
        ::unlink(file->path().c_str());
    constexpr std::string_view kEraseLine = "\r\x1b[K";
    if (line_drawn.load()) (void)!::write(STDERR_FILENO, kEraseLine.data(), kEraseLine.size());
    ::_exit(128 + signal);
}

extern "C" void on_interrupt(int) {
    if (waiting || token().cancelled()) end_process(SIGINT);
    token().cancel();
    ::alarm(1);
}
extern "C" void on_termination(int signal) { end_process(signal); }
extern "C" void on_alarm(int) { end_process(SIGINT); }

void handle(int signal, void (*handler)(int)) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) return;
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    ::sigaction(signal, &action, nullptr);
}

}  // namespace

void install_interrupt_handler() {
    token() = CancellationToken::cancellable();
    handle(SIGALRM, on_alarm);
    handle(SIGINT, on_interrupt);
    handle(SIGTERM, on_termination);
    ::signal(SIGXFSZ, SIG_IGN);  // a file beyond the limit of the process fails to be written, with EFBIG
}

const CancellationToken& interrupt_token() { return token(); }

WaitsForInput::WaitsForInput() noexcept { waiting = true; }
WaitsForInput::~WaitsForInput() { waiting = false; }

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
