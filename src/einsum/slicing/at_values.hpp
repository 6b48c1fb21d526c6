// The part of a tensor that one slice sees.
#pragma once

#include "tenferro/einsum/network.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// The sub-tensor at the given values (by label) of the sliced labels; labels of value -1 are not sliced.
template <class View>
View at_values(View view, const LabelIds& labels, const std::vector<Index>& values) {
    for (std::size_t axis = labels.size(); axis-- > 0;)
        if (const Index value = values[static_cast<std::size_t>(labels[axis])]; value >= 0)
            view = view.select_view(static_cast<Index>(axis), value);
    return view;
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
