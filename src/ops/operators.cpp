// Shapes that operators make to fit.
#include "tenferro/ops/operators.hpp"

#include <new>

#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

std::optional<SymShape> widened_shape(const SymShape& a, const SymShape& b) try {
    const std::size_t rank = std::max(a.size(), b.size());
    SymShape shape;
    bool wider = a.size() < rank;
    for (std::size_t axis = 0; axis < rank; ++axis) {
        const std::size_t from_end = rank - axis;
        const SymDim* const mine = from_end <= a.size() ? &a[a.size() - from_end] : nullptr;
        const SymDim* const theirs = from_end <= b.size() ? &b[b.size() - from_end] : nullptr;
        const bool repeated = mine == nullptr || (theirs != nullptr && *mine == SymDim(1));
        wider = wider || (repeated && !(*theirs == SymDim(1)));
        shape.push_back(repeated ? *theirs : *mine);
    }
    return wider ? std::optional(std::move(shape)) : std::nullopt;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("broadcast");
}

Dims trailing_axes(std::size_t rank, std::size_t into) {
    Dims axes;
    for (std::size_t axis = into - rank; axis < into; ++axis) axes.push_back(static_cast<Index>(axis));
    return axes;
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
