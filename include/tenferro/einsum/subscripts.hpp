// Subscripts: a parsed einsum string (grammar: see `parse`), independent of any shape.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// One index of a tensor: a Unicode code point.
using Label = char32_t;
/// Stands in a label list for "..."; never a label.
inline constexpr Label kEllipsis = U'\0';
/// Stands for "..." in the interleaved form.
inline constexpr int kInterleavedEllipsis = -1;

/// Strict is the C ABI's grammar. NumPy also accepts an implicit output, the interleaved form written
/// "[0,1],[1,2]->[0,2]", and size-1 broadcasting of ordinary labels.
enum class Dialect { Strict, NumPy };

class TENFERRO_API Subscripts {
public:
    /// Parses UTF-8 text: comma-separated operand labels, "->", output labels. A label is an ASCII letter or
    /// digit or a code point from U+00C0 on. ASCII white space is ignored. "..." stands for the remaining
    /// axes of an operand; in the output alone it stands for none. Parentheses around operands fix the
    /// contraction order. Throws InvalidArgument naming what is wrong and at which byte.
    [[nodiscard]] static Subscripts parse(std::string_view text, Dialect dialect = Dialect::Strict);

    /// The interleaved form of NumPy: non-negative integers for labels, kInterleavedEllipsis for "...", and
    /// no output for the implicit one. Integer k becomes 'a'…'z', 'A'…'Z', then code point k + 140, skipping
    /// surrogates.
    [[nodiscard]] static Subscripts interleaved(std::span<const std::vector<int>> inputs,
                                                const std::optional<std::vector<int>>& output);

    /// The strict form from integers, whatever their values: equal ones are one label. They are named in
    /// order of first appearance, as `interleaved` names 0, 1, …. Throws InvalidArgument: no operand, an
    /// output label that is in none, or more labels than there are code points.
    [[nodiscard]] static Subscripts from_labels(std::span<const std::span<const std::int32_t>> inputs,
                                                std::span<const std::int32_t> output);

    [[nodiscard]] Dialect dialect() const noexcept { return dialect_; }
    [[nodiscard]] const std::vector<std::vector<Label>>& inputs() const noexcept { return inputs_; }
    [[nodiscard]] const std::vector<Label>& output() const noexcept { return output_; }
    /// Parenthesised groups, innermost first. A member below inputs().size() is an operand, member
    /// inputs().size() + g is the result of groups()[g]. Every member belongs to at most one group.
    [[nodiscard]] const std::vector<std::vector<int>>& groups() const noexcept { return groups_; }
    /// The explicit string in UTF-8, without white space.
    [[nodiscard]] std::string to_string() const;

    friend bool operator==(const Subscripts&, const Subscripts&) = default;

private:
    Dialect dialect_ = Dialect::Strict;
    std::vector<std::vector<Label>> inputs_;
    std::vector<Label> output_;
    std::vector<std::vector<int>> groups_;
};

/// A label as UTF-8 text.
[[nodiscard]] TENFERRO_API std::string label_text(Label label);

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
