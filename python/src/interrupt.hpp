// Long work and the interpreter: its lock is released, and Ctrl-C ends the work.
#pragma once

#include <nanobind/nanobind.h>

#include "tenferro/base/cancellation.hpp"
#include "tenferro/base/checked.hpp"

namespace tenferro::python {

namespace nb = nanobind;

/// Cancelled once a signal handler of Python has raised, which it asks at most every 50 ms; the error is then
/// set. For work on the calling thread without the interpreter's lock.
[[nodiscard]] CancellationToken interrupt_token();

/// f() without the interpreter's lock where the work is worth it, which costs two switches. What f computes
/// then ends early once a signal handler has raised: it throws Cancelled, and the handler's error is set.
template <class F>
auto unlocked(bool is_long, const F& f) {
    if (!is_long) return f();
    const nb::gil_scoped_release released;
    const CancellationToken interrupt = interrupt_token();
    const CancellationScope scope(interrupt, "interrupt");
    auto result = f();
    interrupt.check("interrupt");  // f may have ended before it saw that a handler raised
    return result;
}

/// From this many elements, or multiplications, on work is done without the lock.
inline constexpr Index kLongElements = 1 << 14;

}  // namespace tenferro::python
