// Network: subscripts together with shapes, labels renumbered densely. All planning and lowering works on it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tenferro/einsum/subscripts.hpp"
#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// Dense label number, 0 … extents.size() - 1.
using LabelId = int;
using LabelIds = std::vector<LabelId>;

struct Network {
    /// Labels of each operand's axes, without `dropped_axes`. A label may repeat (diagonal).
    std::vector<LabelIds> inputs;
    /// Labels of the result's axes; may repeat (embedded diagonal).
    LabelIds output;
    /// Extent of each label.
    std::vector<Index> extents;
    /// Each label as text, for messages.
    std::vector<std::string> names;
    /// For each operand the axes of extent 1 that broadcast against a larger extent, ascending. They carry no
    /// label.
    std::vector<Dims> dropped_axes;
    /// As Subscripts::groups().
    std::vector<std::vector<int>> groups;
};

/// Binds shapes to subscripts: expands "..." (right-aligned, extent 1 broadcasts), checks every extent.
/// Throws InvalidArgument (operand count, rank, an ellipsis that the output lacks) or ShapeMismatch (a label
/// of two extents), naming label, operands, axes and both values.
[[nodiscard]] TENFERRO_API Network resolve(const Subscripts& subscripts, std::span<const Dims> shapes);

/// Shape of the result.
[[nodiscard]] TENFERRO_API Dims output_shape(const Network& network);

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
