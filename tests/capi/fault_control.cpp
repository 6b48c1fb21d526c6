// The bridge from the C test of faults to internals; links the static library.
#include "fault_control.h"

#include "capi/handle_table.hpp"
#include "tenferro/base/fault.hpp"

void fault_arm(long countdown, int internal, int forever) {
    using tenferro::fault::Kind;
    tenferro::fault::arm(countdown, internal != 0 ? Kind::Internal : Kind::OutOfMemory, forever != 0);
}

int fault_disarm() { return tenferro::fault::disarm() ? 1 : 0; }

size_t live_handles() { return tenferro::capi::handles().live(); }
