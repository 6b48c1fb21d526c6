// The shape that a list of labels means.
#pragma once

#include "tenferro/einsum/network.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// One extent per label, of `extents` by label.
[[nodiscard]] inline Dims shape_of(const LabelIds& labels, const std::vector<Index>& extents) {
    Dims shape;
    for (const LabelId label : labels) shape.push_back(extents[static_cast<std::size_t>(label)]);
    return shape;
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
