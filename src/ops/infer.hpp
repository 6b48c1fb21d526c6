// The shape rules of the graph's operations are those of the tensor layer on symbolic extents.
#pragma once

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/ops/tensor_meta.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

using SymbolicRules = ShapeRules<SymDim>;

/// The extents of `a` at `axes`.
[[nodiscard]] inline SymShape extents_at(const TensorMeta& a, DimsView axes) {
    SymShape extents;
    for (const Index axis : axes) extents.push_back(a.shape[static_cast<std::size_t>(axis)]);
    return extents;
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
