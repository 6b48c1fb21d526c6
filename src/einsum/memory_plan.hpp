// Where the tensors of a program lie: one piece of memory for all of them, in which two share a place if they
// are not needed at the same time.
#pragma once

#include "tenferro/einsum/program.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// Fills in `places` of the steps, and `workspace` and `peak` of the program, whose other members are
/// complete.
void plan_memory(Program& program);

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
