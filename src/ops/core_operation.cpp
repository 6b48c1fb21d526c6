// The bridge between rules on Expr and rules on graph values, and what the fields of payloads have in common.
#include "tenferro/ops/core_operation.hpp"

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace ops {

namespace {

std::vector<Expr> exprs(FragmentBuilder& builder, auto&& values, auto&& is_linear) {
    std::vector<Expr> result;
    for (std::size_t i = 0; i < values.size(); ++i) result.emplace_back(builder, values[i], is_linear(i));
    return result;
}

std::optional<LocalValId> local(const std::optional<Expr>& value) {
    return value ? std::optional(value->local()) : std::nullopt;
}

}  // namespace

OptionalValues CoreOperation::linearize(FragmentBuilder& builder, std::span<const GlobalValKey> primal_in,
                                        std::span<const GlobalValKey> primal_out,
                                        std::span<const std::optional<LocalValId>> tangent_in,
                                        ShapeGuardContext& context) const {
    const std::vector<Expr> x = exprs(builder, primal_in, [](std::size_t) { return false; });
    std::vector<std::optional<Expr>> dx;
    for (const auto& value : tangent_in)
        dx.push_back(value ? std::optional<Expr>(std::in_place, builder, *value, true) : std::nullopt);
    const DType dtype = primal_out[0].meta().dtype;
    if (!info(dtype).is_float && !info(dtype).is_complex)
        return {std::nullopt};  // integers and Bool are inactive
    return {local(tangent({x, Expr(builder, primal_out[0], false), dx, context}))};
}

OptionalValues CoreOperation::transpose_rule(FragmentBuilder& builder,
                                             std::span<const std::optional<LocalValId>> cotangent_out,
                                             std::span<const ValRef> inputs, const OpMode& mode,
                                             ShapeGuardContext& context) const {
    const std::vector<Expr> values = exprs(builder, inputs, [&](std::size_t i) { return mode.is_active(i); });
    OptionalValues result;
    for (const auto& value : cotangents({Expr(builder, *cotangent_out[0], true), values, context}))
        result.push_back(local(value));
    return result;
}

void CoreOperation::throw_not_linear() const {
    throw Error(ErrorKind::AdRuleUnsupported, name(), "it is not linear, so it has no transpose rule");
}

void hash_field(Hasher& hasher, const Dims& value) {
    hasher.add(value.size());
    for (const Index i : value) hasher.add(static_cast<std::uint64_t>(i));
}
void hash_field(Hasher& hasher, const SymShape& value) {
    hasher.add(value.size());
    for (const SymDim& dim : value) hasher.add(dim.hash());
}
void hash_field(Hasher& hasher, const DotGeneralConfig& value) {
    for (const Dims* list : {&value.lhs_contract, &value.rhs_contract, &value.lhs_batch, &value.rhs_batch})
        hash_field(hasher, *list);
}
void hash_field(Hasher& hasher, const ScatterConfig& value) {
    for (const Dims* list :
         {&value.update_window_dims, &value.inserted_window_dims, &value.scatter_dims_to_operand_dims})
        hash_field(hasher, *list);
    hash_field(hasher, value.index_vector_dim);
}

std::string field_text(const Dims& value) { return list_text(value); }
std::string field_text(const SymShape& value) { return shape_text(value); }
std::string field_text(const DotGeneralConfig& value) {
    return text("{lhs_contract=", list_text(value.lhs_contract),
                ", rhs_contract=", list_text(value.rhs_contract), ", lhs_batch=", list_text(value.lhs_batch),
                ", rhs_batch=", list_text(value.rhs_batch), "}");
}
std::string field_text(const ScatterConfig& value) {
    return text("{update_window_dims=", list_text(value.update_window_dims),
                ", inserted_window_dims=", list_text(value.inserted_window_dims),
                ", scatter_dims_to_operand_dims=", list_text(value.scatter_dims_to_operand_dims),
                ", index_vector_dim=", value.index_vector_dim, "}");
}
std::string field_text(const std::array<std::uint64_t, 2>& value) { return list_text(value); }
std::string field_text(OpId value) { return std::string(info(value).name); }
std::string field_text(DType value) { return std::string(info(value).name); }
std::string field_text(Index value) { return text(value); }
std::string field_text(bool value) { return value ? "true" : "false"; }

}}}  // namespace tenferro::TENFERRO_ABI::ops
