// Asking the interpreter about signals from within the engine.
#include "interrupt.hpp"

#include <chrono>

namespace tenferro::python {

CancellationToken interrupt_token() {
    using Clock = std::chrono::steady_clock;
    return CancellationToken::asking([next = Clock::now() + std::chrono::milliseconds(50)]() mutable {
        const Clock::time_point now = Clock::now();
        if (now < next) return false;
        next = now + std::chrono::milliseconds(50);
        const nb::gil_scoped_acquire locked;
        return PyErr_CheckSignals() != 0;
    });
}

}  // namespace tenferro::python
