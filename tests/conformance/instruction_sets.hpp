// Runs tests on each instruction set that the kernels are compiled for and this processor has.
#pragma once

#include "tenferro/base/function_ref.hpp"

namespace tenferro::conformance {

/// Calls f(name) with the kernels dispatched to one instruction set after the other; at least to one.
void for_each_instruction_set(FunctionRef<void(const char* name)> f);

}  // namespace tenferro::conformance
