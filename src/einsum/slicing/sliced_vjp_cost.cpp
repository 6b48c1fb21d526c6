// The cost of a sliced reverse mode: parts forward, slices forward and back, parts back.
#include <algorithm>

#include "einsum/extents.hpp"
#include "einsum/program_cost.hpp"
#include "einsum/slicing/slicing.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

double bytes_of(const LabelIds& labels, const Network& network, DType dtype) {
    auto bytes = static_cast<double>(info(dtype).bytes);
    for (const LabelId label : labels)
        bytes *= static_cast<double>(network.extents[static_cast<std::size_t>(label)]);
    return bytes;
}

}  // namespace

ContractionCost SlicedPrograms::vjp_cost(DType dtype) const {
    const ContractionCost slice = program_cost(vjp_program(inner_), dtype);
    ContractionCost total;
    total.slices = static_cast<double>(slices_);
    add_work(total, slice, total.slices);

    // The results of the parts and the gradients of all sources live while slices run, as many at once as
    // there is room for; each leaves a gradient to be added.
    double parts = 0, flows = 0, back = 0;
    for (const SlicedNetwork::Source& source : sliced_.sources) {
        const double bytes = bytes_of(source.labels, network_, dtype);
        flows += bytes;
        if (source.part >= 0) parts += bytes;
    }
    for (const Program& part : parts_) {
        const ContractionCost forward = program_cost(part, dtype),
                              pulled = program_cost(vjp_program(part), dtype);
        add_work(total, forward);
        add_work(total, pulled);
        back += pulled.peak_bytes;
    }
    const double at_once = static_cast<double>(std::min(concurrent_, slices_));
    total.peak_bytes = parts + flows + std::max((at_once + 1) * slice.peak_bytes, back);
    return total;
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
