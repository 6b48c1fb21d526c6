// The countdown behind the fault points; empty unless the build defines TENFERRO_FAULTS.
#include "tenferro/base/fault.hpp"

#if defined(TENFERRO_FAULTS)
#include <new>
#include <stdexcept>

#include "base/thread_value.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace fault {

namespace {
struct Countdown {
    long left = 0;
    Kind kind = Kind::OutOfMemory;
    bool forever = false;
    bool thrown = false;
};
Countdown& countdown() noexcept { return thread_value<Countdown>(); }
}  // namespace

void point() {
    Countdown& state = countdown();
    if (state.left == 0) return;
    if (state.left > 1) {
        --state.left;
        return;
    }
    if (!state.forever) state.left = 0;
    state.thrown = true;
    if (state.kind == Kind::OutOfMemory) throw std::bad_alloc();
    throw std::logic_error("injected internal fault");
}

void arm(long count, Kind kind, bool forever) noexcept { countdown() = {count, kind, forever, false}; }

bool disarm() noexcept {
    const bool thrown = countdown().thrown;
    countdown() = {};
    return thrown;
}

}}}  // namespace tenferro::TENFERRO_ABI::fault
#endif
