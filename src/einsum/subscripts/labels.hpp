// Labels: which code points may be one, which label an integer of the interleaved form stands for, and the
// output that NumPy infers where none is written.
#pragma once

#include <optional>
#include <vector>

#include "tenferro/einsum/subscripts.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// Whether a Unicode scalar value is a label.
[[nodiscard]] bool is_label(char32_t code_point) noexcept;

/// The label of interleaved integer `index` >= 0, or nullopt beyond the last code point.
[[nodiscard]] std::optional<Label> label_of_index(int index) noexcept;

/// The ellipsis, if some operand has one, then the labels that occur once, ordered by code point or, for the
/// interleaved form, by integer.
enum class LabelOrder { CodePoint, Index };
[[nodiscard]] std::vector<Label> implicit_output(const std::vector<std::vector<Label>>& inputs,
                                                 LabelOrder order);

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
