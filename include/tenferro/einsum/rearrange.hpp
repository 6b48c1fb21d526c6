// What a Rearrange step does, as a sequence of elementary rearrangements of any kind of value.
#pragma once

#include <algorithm>

#include "tenferro/einsum/network.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace einsum {

/// Turns axes `labels` of a value into axes `wanted`. The value offers, all in place:
///   extract_diagonal(first, second)  merges axis `second` into `first`
///   sum(axes)                        sums over axes
///   arrange(distinct, target)        makes axes `distinct`, of which axis i of the value is number
///   target[i]; others repeat embed_diagonal(first, second)    inserts axis `second` as the diagonal with
///   `first`
template <class Value>
void rearrange(Value& value, LabelIds labels, const LabelIds& wanted) {
    for (std::size_t axis = 1; axis < labels.size();) {
        const auto first = std::find(labels.begin(), labels.begin() + static_cast<Index>(axis), labels[axis]);
        if (first == labels.begin() + static_cast<Index>(axis)) {
            ++axis;
            continue;
        }
        value.extract_diagonal(first - labels.begin(), static_cast<Index>(axis));
        labels.erase(labels.begin() + static_cast<Index>(axis));
    }

    LabelIds distinct;
    for (const LabelId label : wanted)
        if (std::find(distinct.begin(), distinct.end(), label) == distinct.end()) distinct.push_back(label);

    Dims summed;
    LabelIds kept;
    for (std::size_t axis = 0; axis < labels.size(); ++axis)
        if (std::find(distinct.begin(), distinct.end(), labels[axis]) == distinct.end())
            summed.push_back(static_cast<Index>(axis));
        else
            kept.push_back(labels[axis]);
    if (!summed.empty()) value.sum(summed);

    if (kept != distinct) {
        Dims target;
        for (const LabelId label : kept)
            target.push_back(std::find(distinct.begin(), distinct.end(), label) - distinct.begin());
        value.arrange(distinct, target);
    }

    for (std::size_t axis = 0, seen = 0; axis < wanted.size(); ++axis) {
        if (seen < distinct.size() && wanted[axis] == distinct[seen]) {
            ++seen;
            continue;
        }
        const Index first = std::find(wanted.begin(), wanted.end(), wanted[axis]) - wanted.begin();
        value.embed_diagonal(first, static_cast<Index>(axis));
    }
}

}}}  // namespace tenferro::TENFERRO_ABI::einsum
