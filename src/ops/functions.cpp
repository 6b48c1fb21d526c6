// What the functions on handles need besides the operations.
#include "tenferro/ops/functions.hpp"

#include "base/immortal.hpp"
#include "ops/infer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

const StdTensorOp& elementwise(OpId op) {
    static constinit Immortal<std::vector<StdTensorOp>> all;
    const auto make = [] {
        auto made = std::make_unique<std::vector<StdTensorOp>>();
        for (const OpInfo& row : kOps) made->push_back(Elementwise(row.id));
        return made;
    };
    return all.get(make)[static_cast<std::size_t>(op)];
}

Dims all_axes(std::size_t rank) {
    Dims axes;
    for (std::size_t axis = 0; axis < rank; ++axis) axes.push_back(static_cast<Index>(axis));
    return axes;
}

Dims axes_without(std::size_t rank, Index axis) {
    Dims axes = all_axes(rank);
    axes.erase(static_cast<std::size_t>(axis));
    return axes;
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
