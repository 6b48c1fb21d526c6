// What a Rearrange step does, as a sequence of elementary rearrangements of any kind of value.
#pragma once

#include <algorithm>

#include "tenferro/einsum/label_positions.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// The first axis whose label has occurred before; the rank where there is none.
[[nodiscard]] inline std::size_t first_repeat(const LabelIds& labels) {
    const LabelPositions positions(labels);
    std::size_t axis = 0;
    while (axis < labels.size() && positions[labels[axis]] == static_cast<Index>(axis)) ++axis;
    return axis;
}

/// Turns axes `labels` of a value into axes `wanted`. The value offers, all in place:
///   extract_diagonal(first, second)  merges axis `second` into `first`
///   sum(axes)                        sums over axes, which ascend
///   arrange(distinct, target)        makes axes `distinct`, of which axis i of the value is number
///   target[i]; others repeat embed_diagonal(first, second)    inserts axis `second` as the diagonal with
///   `first`
template <class Value>
void rearrange(Value& value, LabelIds labels, const LabelIds& wanted) {
    for (std::size_t axis = first_repeat(labels); axis < labels.size();) {
        const auto first = std::find(labels.begin(), labels.begin() + static_cast<Index>(axis), labels[axis]);
        if (first == labels.begin() + static_cast<Index>(axis)) {
            ++axis;
            continue;
        }
        value.extract_diagonal(first - labels.begin(), static_cast<Index>(axis));
        labels.erase(labels.begin() + static_cast<Index>(axis));
    }

    const LabelPositions in_wanted(wanted);
    LabelIds distinct;
    for (std::size_t i = 0; i < wanted.size(); ++i)
        if (in_wanted[wanted[i]] == static_cast<Index>(i)) distinct.push_back(wanted[i]);

    Dims summed;
    LabelIds kept;
    for (std::size_t axis = 0; axis < labels.size(); ++axis)
        if (in_wanted.contains(labels[axis]))
            kept.push_back(labels[axis]);
        else
            summed.push_back(static_cast<Index>(axis));
    if (!summed.empty()) value.sum(summed);

    if (kept != distinct) {
        const LabelPositions in_distinct(distinct);
        Dims target;
        for (const LabelId label : kept) target.push_back(in_distinct[label]);
        value.arrange(distinct, target);
    }

    for (std::size_t axis = 0, seen = 0; axis < wanted.size(); ++axis) {
        if (seen < distinct.size() && wanted[axis] == distinct[seen]) {
            ++seen;
            continue;
        }
        value.embed_diagonal(in_wanted[wanted[axis]], static_cast<Index>(axis));
    }
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
