// What one run of a step list costs, by the cost model that also judges contraction trees.
#pragma once

#include "tenferro/einsum/program.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// The steps' flops, bytes, seconds and sizes; peak_bytes is the memory that the run holds at once, its
/// outputs included. Rearrangements count as views.
[[nodiscard]] ContractionCost program_cost(const Program& program, DType dtype);

/// Adds the work of `times` runs that cost `one`, and leaves the peak alone.
void add_work(ContractionCost& total, const ContractionCost& one, double times = 1);

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
