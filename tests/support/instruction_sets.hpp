// Kernels on every instruction set that they are compiled for and this machine has.
#pragma once

#include "tenferro/cpu/contraction/highway_targets.hpp"

#include <gtest/gtest.h>
#include <hwy/highway.h>

namespace tenferro::testing {

/// Has kernels chosen for that set alone; 0 stands for all.
inline void dispatch_to(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

/// Calls f() for each set, until one has a fatal failure.
template <class F>
void on_every_instruction_set(F&& f) {
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        SCOPED_TRACE(hwy::TargetName(target));
        dispatch_to(target);
        f();
        if (::testing::Test::HasFatalFailure()) break;
    }
    dispatch_to(0);
}

}  // namespace tenferro::testing
