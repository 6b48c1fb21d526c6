// What a search makes small: a number per merge that adds up over the tree, or, for exact orders, the room
// that a tree needs. Where a result is larger than there is room for, a merge counts as more: labels of it
// will be sliced, and what has none of them will be computed again.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

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
    /// Elements of a result that there is room for.
    double limit = std::numeric_limits<double>::infinity();

    [[nodiscard]] double of_merge(const MergeSizes& sizes) const {
        switch (kind) {
            case Kind::Seconds: return merge_seconds(sizes, element) * beyond_limit(sizes.out);
            case Kind::Flops: return merge_flops(sizes) * beyond_limit(sizes.out);
            case Kind::Volume: break;
            case Kind::Room: return sizes.out;
        }
        // The small part orders trees with equal large tensors by their time.
        const double bounded = std::min(sizes.out, kLargestCounted);
        return bounded * bounded * bounded * bounded + merge_seconds(sizes, element);
    }

private:
    static constexpr double kLargestCounted = 1e60;

    /// Each halving of a tensor that is too large costs about half of a doubling of the work.
    [[nodiscard]] double beyond_limit(double size) const {
        return size <= limit ? 1 : std::sqrt(std::min(size, kLargestCounted) / limit);
    }
};

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
