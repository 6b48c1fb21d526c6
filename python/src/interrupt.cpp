// Asking the interpreter about signals from within the engine.
#include "interrupt.hpp"

#include <pthread.h>
#include <signal.h>
#include <unwind.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>

namespace tenferro::python {

namespace {

constexpr std::chrono::milliseconds kPatience{50};  ///< between two looks at signals

unsigned long main_thread = 0;

/// The process's handler of Ctrl-C while there is a CtrlCWatch: ours, then the one that was there before.
struct CtrlC {
    std::mutex mutex;
    int watches = 0;
    bool is_ours = false;
    bool is_kept = false;  ///< someone installed another one meanwhile, which may call ours for ever
    struct sigaction before = {};
    std::atomic<int> count{0};
    std::atomic<int> raised{0};  ///< the last of them for which Python raises KeyboardInterrupt
};
CtrlC& ctrl_c() {
    static auto& state = *new CtrlC;
    return state;
}

void note_ctrl_c(int signal, siginfo_t* details, void* context) {
    CtrlC& state = ctrl_c();
    ++state.count;
    if ((state.before.sa_flags & SA_SIGINFO) != 0)
        state.before.sa_sigaction(signal, details, context);
    else
        state.before.sa_handler(signal);
}

bool is_ours(const struct sigaction& action) noexcept {
    return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == note_ctrl_c;
}

/// Notes whether the Ctrl-C of this number becomes KeyboardInterrupt, and not what a handler of the user
/// makes of it.
void* ask_python(void* number) {
    const PyGILState_STATE lock = PyGILState_Ensure();
    PyObject* signals = PyImport_ImportModule("signal");
    PyObject* handler = signals == nullptr ? nullptr : PyObject_CallMethod(signals, "getsignal", "i", SIGINT);
    PyObject* raising = handler == nullptr ? nullptr : PyObject_GetAttrString(signals, "default_int_handler");
    if (raising == nullptr)
        PyErr_Clear();
    else if (handler == raising)
        ctrl_c().raised = static_cast<int>(reinterpret_cast<std::intptr_t>(number));
    Py_XDECREF(raising);
    Py_XDECREF(handler);
    Py_XDECREF(signals);
    PyGILState_Release(lock);
    return nullptr;
}

/// On a thread of its own: the one that has the interpreter's lock may be waiting for the caller, as JAX does
/// when the interpreter ends. A thread that asks then is ended by Python, so it is one without frames of C++.
void ask_python_elsewhere(int number) {
    if (Py_IsInitialized() == 0) return;
    pthread_t thread{};
    if (pthread_create(&thread, nullptr, ask_python, reinterpret_cast<void*>(std::intptr_t{number})) == 0)
        pthread_detach(thread);
}

bool on_main_thread() noexcept { return PyThread_get_thread_ident() == main_thread; }

bool is_ending() noexcept {
#if PY_VERSION_HEX >= 0x030D0000
    return Py_IsFinalizing() != 0;
#else
    return _Py_IsFinalizing() != 0;
#endif
}

}  // namespace

void note_main_thread() {
    const nb::dict modules = nb::module_::import_("sys").attr("modules");
    main_thread = PyThread_get_thread_ident();
    if (modules.contains("threading"))
        main_thread = nb::cast<unsigned long>(modules["threading"].attr("main_thread")().attr("ident"));
}

CtrlCWatch::CtrlCWatch() {
    CtrlC& state = ctrl_c();
    const std::lock_guard guard(state.mutex);
    if (state.watches++ != 0 || state.is_kept) return;
    struct sigaction action = {};
    if (sigaction(SIGINT, nullptr, &action) != 0) return;
    const bool has_handler =
        (action.sa_flags & SA_SIGINFO) != 0 || (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
    if (!has_handler) return;
    state.before = action;
    action.sa_flags |= SA_SIGINFO;
    action.sa_sigaction = note_ctrl_c;
    state.is_ours = sigaction(SIGINT, &action, nullptr) == 0;
}

CtrlCWatch::~CtrlCWatch() {
    CtrlC& state = ctrl_c();
    const std::lock_guard guard(state.mutex);
    if (--state.watches != 0 || !state.is_ours) return;
    struct sigaction action = {};
    if (sigaction(SIGINT, nullptr, &action) == 0 && is_ours(action)) {
        sigaction(SIGINT, &state.before, nullptr);
    } else if ((action.sa_flags & SA_SIGINFO) != 0 || action.sa_handler != state.before.sa_handler) {
        state.is_kept = true;  // the one that was there before, put back, does not call ours
    }
    state.is_ours = false;
}

CancellationToken CtrlCWatch::token() {
    const int before = ctrl_c().count;
    return CancellationToken::asking(
        [before, asked = before]() mutable {
            const int count = ctrl_c().count;
            if (count != std::exchange(asked, count)) ask_python_elsewhere(count);
            return ctrl_c().raised > before;
        },
        kPatience);
}

CancellationToken interrupt_token() {
    if (!on_main_thread()) return {};
    return CancellationToken::asking(
        [] {
            const nb::gil_scoped_acquire locked;
            return PyErr_CheckSignals() != 0;
        },
        kPatience);
}

}  // namespace tenferro::python

// The personality routine of all frames of the module, see CMakeLists.txt. Python before 3.14 ends a thread
// that wants the lock when the interpreter ends by unwinding its stack. At the first frame of ours that
// thread waits for ever: the frames' destructors need the lock, and some frames let nothing through.
extern "C" {
_Unwind_Reason_Code __real___gxx_personality_v0(int version, _Unwind_Action actions,
                                                _Unwind_Exception_Class kind, _Unwind_Exception* exception,
                                                _Unwind_Context* context);
_Unwind_Reason_Code __wrap___gxx_personality_v0(int version, _Unwind_Action actions,
                                                _Unwind_Exception_Class kind, _Unwind_Exception* exception,
                                                _Unwind_Context* context) {
    if ((actions & _UA_FORCE_UNWIND) != 0 && tenferro::python::is_ending())
        for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
    return __real___gxx_personality_v0(version, actions, kind, exception, context);
}
}
