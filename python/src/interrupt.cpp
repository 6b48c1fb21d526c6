// Asking the interpreter about signals from within the engine.
#include "interrupt.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace tenferro::python {

namespace {

unsigned long main_thread = 0;
std::atomic<bool> is_ending{false};
std::atomic<int> returning{0};  ///< threads that wait for the lock

bool on_main_thread() noexcept { return PyThread_get_thread_ident() == main_thread; }

/// No other thread gets the lock from now on; those that wait for it get it once more.
void end() {
    is_ending = true;
    PyThreadState* state = PyEval_SaveThread();
    for (int turn = 0; returning > 0 && turn < 1000; ++turn)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    PyEval_RestoreThread(state);
}

}  // namespace

void watch_the_end() {
    const nb::dict modules = nb::module_::import_("sys").attr("modules");
    main_thread = PyThread_get_thread_ident();
    if (modules.contains("threading"))
        main_thread = nb::cast<unsigned long>(modules["threading"].attr("main_thread")().attr("ident"));
    nb::module_::import_("atexit").attr("register")(nb::cpp_function(end));
}

Released::~Released() {
    ++returning;
    if (is_ending && !on_main_thread()) {
        --returning;
        for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
    }
    PyEval_RestoreThread(state_);
    --returning;
}

CancellationToken interrupt_token() {
    if (!on_main_thread()) return {};
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
