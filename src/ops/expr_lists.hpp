// Lists of values of the graph as lists of Expr and back, for the bridges between the two kinds of rules.
#pragma once

#include "tenferro/ops/expr.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

/// `is_linear(i)` says which values carry the linear flow.
[[nodiscard]] std::vector<Expr> exprs(FragmentBuilder& builder, auto&& values, auto&& is_linear) {
    std::vector<Expr> result;
    for (std::size_t i = 0; i < values.size(); ++i) result.emplace_back(builder, values[i], is_linear(i));
    return result;
}
[[nodiscard]] inline std::vector<std::optional<Expr>> linear_exprs(
    FragmentBuilder& builder, std::span<const std::optional<LocalValId>> values) {
    std::vector<std::optional<Expr>> result;
    for (const auto& value : values)
        result.push_back(value ? std::optional<Expr>(std::in_place, builder, *value, true) : std::nullopt);
    return result;
}
[[nodiscard]] inline OptionalValues locals(std::span<const std::optional<Expr>> values) {
    OptionalValues result;
    for (const auto& value : values) result.push_back(value ? std::optional(value->local()) : std::nullopt);
    return result;
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
