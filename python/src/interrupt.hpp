// Long work and the interpreter: its lock is released, and Ctrl-C ends the work.
#pragma once

#include <nanobind/nanobind.h>

#include "tenferro/base/cancellation.hpp"
#include "tenferro/base/checked.hpp"

namespace tenferro::python {

namespace nb = nanobind;

/// While it lives, the thread does not have the interpreter's lock.
class Released {
public:
    Released() noexcept : state_(PyEval_SaveThread()) {}
    Released(const Released&) = delete;
    Released& operator=(const Released&) = delete;
    ~Released() { PyEval_RestoreThread(state_); }

private:
    PyThreadState* state_;
};

/// Learns which thread is the main one.
void note_main_thread();

/// Cancelled once a signal handler of Python has raised, which it asks at most every 50 ms; the error is then
/// set. For work on the calling thread without the interpreter's lock; handlers run on the main thread, so
/// others get one that nothing cancels.
[[nodiscard]] CancellationToken interrupt_token();

/// For work on threads that are none of Python's: while it lives, Ctrl-C is noticed beside Python's handler.
class CtrlCWatch {
public:
    CtrlCWatch();
    CtrlCWatch(const CtrlCWatch&) = delete;
    CtrlCWatch& operator=(const CtrlCWatch&) = delete;
    ~CtrlCWatch();

    /// Cancelled by a Ctrl-C from now on if Python raises KeyboardInterrupt for it, which it does on the main
    /// thread as soon as that runs.
    [[nodiscard]] static CancellationToken token();
};

/// f() without the interpreter's lock where the work is worth it, which costs two switches. What f computes
/// then ends early once a signal handler has raised: it throws Cancelled, and the handler's error is set.
template <class F>
auto unlocked(bool is_long, const F& f) {
    if (!is_long) return f();
    const Released released;
    const CancellationToken interrupt = interrupt_token();
    const CancellationScope scope(interrupt, "interrupt");
    auto result = f();
    interrupt.check("interrupt");  // f may have ended before it saw that a handler raised
    return result;
}

/// From this many elements, or multiplications, on work is done without the lock.
inline constexpr Index kLongElements = 1 << 14;

}  // namespace tenferro::python
