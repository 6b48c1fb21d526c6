// What a search makes small: a number per merge that adds up over the tree, or, for exact orders, the room
// that a tree needs.
#pragma once

#include <algorithm>

#include "einsum/cost_model.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

struct Measure {
    enum class Kind {
        Seconds,
        Flops,
        /// A sum that is dominated by the largest intermediate: what local moves can follow instead of Room.
        Volume,
        /// Elements alive at once: not a sum over merges.
        Room,
    };
    Kind kind = Kind::Seconds;
    ElementCost element;

    [[nodiscard]] double of_merge(const MergeSizes& sizes) const {
        switch (kind) {
            case Kind::Seconds: return merge_seconds(sizes, element);
            case Kind::Flops: return merge_flops(sizes);
            case Kind::Volume: break;
            case Kind::Room: return sizes.out;
        }
        // The small part orders trees with equal large tensors by their time.
        const double bounded = std::min(sizes.out, 1e60);
        return bounded * bounded * bounded * bounded + merge_seconds(sizes, element);
    }
};

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
