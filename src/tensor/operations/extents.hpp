// What shape rules do with an extent of either kind: ask whether it is a number, print it, and calculate.
#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/tensor/shape_rules.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace rules {

/// The number that an extent is, where that is known.
inline std::optional<Index> known(Index extent) noexcept { return extent; }
inline std::optional<Index> known(const SymDim& extent) noexcept { return extent.constant(); }

/// Whether a > b is known.
template <Extent E>
bool above(const E& a, const E& b) {
    const auto x = known(a), y = known(b);
    return x && y && *x > *y;
}
/// Whether a and b are known to differ.
template <Extent E>
bool differ(const E& a, const E& b) {
    const auto x = known(a), y = known(b);
    return x && y && *x != *y;
}

inline std::string extent_text(Index extent) { return text(extent); }
inline std::string extent_text(const SymDim& extent) { return extent.text(); }

/// "[2, n0_1]".
template <Extent E>
std::string shape_text(std::span<const E> shape) {
    std::string out = text("[");
    for (const E& extent : shape) out = text(out, out.size() > 1 ? ", " : "", extent_text(extent));
    return text(out, "]");
}

/// All extents, where they are known.
template <Extent E>
std::optional<Dims> known_shape(std::span<const E> shape) {
    Dims dims;
    for (const E& extent : shape) {
        const auto number = known(extent);
        if (!number) return std::nullopt;
        dims.push_back(*number);
    }
    return dims;
}

/// The extents of `shape` at `axes`.
template <Extent E>
BasicShape<E> extents_at(std::span<const E> shape, DimsView axes) {
    BasicShape<E> extents;
    for (const Index axis : axes) extents.push_back(shape[static_cast<std::size_t>(axis)]);
    return extents;
}

}}}  // namespace tenferro::TENFERRO_ABI::rules

/// Defines, at the end of a family's file, the rules of its rows for both kinds of extents.
#define TENFERRO_RULE_OF(Name, method, dtypes, meaning, operands, parameters, ...)       \
    template ShapeRules<Index>::Meta ShapeRules<Index>::method(                          \
        TENFERRO_EACH(TENFERRO_RULE_OPERAND, operands) TENFERRO_PARAMETERS(parameters)); \
    template ShapeRules<SymDim>::Meta ShapeRules<SymDim>::method(                        \
        TENFERRO_EACH(TENFERRO_RULE_OPERAND, operands) TENFERRO_PARAMETERS(parameters));
