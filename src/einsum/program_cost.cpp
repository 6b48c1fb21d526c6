// Costs step by step: contractions as merges, sums of two tensors as their traffic.
#include "einsum/program_cost.hpp"

#include <algorithm>

#include "einsum/cost_model.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

double elements(const Program& program, const LabelIds& labels) {
    double product = 1;
    for (const LabelId label : labels)
        product *= static_cast<double>(program.extents[static_cast<std::size_t>(label)]);
    return product;
}

MergeSizes sizes_of(const Program& program, const Step& step) {
    MergeSizes sizes{elements(program, step.lhs_labels), elements(program, step.rhs_labels),
                     elements(program, step.out_labels)};
    LabelIds involved = step.lhs_labels;
    for (const LabelId label : step.rhs_labels)
        if (std::find(involved.begin(), involved.end(), label) == involved.end()) involved.push_back(label);
    sizes.involved = elements(program, involved);
    sizes.sums = involved.size() > step.out_labels.size();
    return sizes;
}

}  // namespace

ContractionCost program_cost(const Program& program, DType dtype) {
    const ElementCost element(dtype);
    ContractionCost total;
    for (const Step& step : program.steps) {
        if (step.kind == StepKind::Rearrange) continue;
        const MergeSizes sizes = sizes_of(program, step);
        total.flops += merge_flops(sizes);
        total.bytes += merge_bytes(sizes, element);
        total.seconds += merge_seconds(sizes, element);
        total.total_writes += sizes.out;
        total.largest_intermediate = std::max(total.largest_intermediate, sizes.out);
    }
    total.peak_bytes = program.peak * element.bytes;
    return total;
}

void add_work(ContractionCost& total, const ContractionCost& one, double times) {
    total.flops += times * one.flops;
    total.bytes += times * one.bytes;
    total.seconds += times * one.seconds;
    total.total_writes += times * one.total_writes;
    total.largest_intermediate = std::max(total.largest_intermediate, one.largest_intermediate);
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
