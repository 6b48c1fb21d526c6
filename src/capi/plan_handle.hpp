// The plan behind a handle of C.
#pragma once

#include "capi/handle_table.hpp"
#include "tenferro/capi/arguments.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi {

/// Alive as long as what is returned. The error of a dead handle where it is none.
[[nodiscard]] inline PlanTable::Pin borrow_plan(const char* function, const tfe_einsum_plan* plan) {
    PlanTable::Pin pin = plan_handles().pin(reinterpret_cast<Token>(plan));
    if (!pin) throw dead_handle(function, plan, "plan", "plan");
    return pin;
}

}}}  // namespace tenferro::TENFERRO_ABI::capi
