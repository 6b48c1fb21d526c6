// What is checked of each sample: gradcheck, on cpu and on the reference.
#pragma once

#include "ad/samples.hpp"

namespace tenferro::ad {

/// All checks of `sample` of `op` in `dtype`, F64 or C64, for every choice of active operands.
void check_sample(OpId op, const Sample& sample, DType dtype, std::uint64_t seed, Counts& counts);

/// Whether an operation of the graph of `value` is called `name`.
[[nodiscard]] bool depends_on_operation(const TracedTensor& value, std::string_view name);

}  // namespace tenferro::ad
