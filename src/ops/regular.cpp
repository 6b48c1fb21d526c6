// What the structs of regular rows do: the rule, the method, the view and the derivatives of the row.
#include <limits>

#include "ops/derivatives.hpp"
#include "ops/infer.hpp"
#include "ops/matrix_steps.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

namespace {

/// The operands as a tuple of references.
template <std::size_t kCount, class T>
auto first_of(std::span<const T> operands) {
    return [&]<std::size_t... i>(std::index_sequence<i...>) { return std::tie(operands[i]...); }
    (std::make_index_sequence<kCount>());
}

Expr tangent_of_softmax(const Expr& y, const Expr& da, Index axis) {
    const Expr weighted = y * da;
    const Expr total =
        broadcast_in_dim(reduce_sum(weighted, {axis}), shape_of(y), axes_without(y.rank(), axis));
    return weighted - y * total;
}

/// roll by -shift, which the least integer has not.
Expr rolled_back(const Expr& ct, Index shift, Index axis) {
    using Limits = std::numeric_limits<Index>;
    if (shift == Limits::min()) return roll(roll(ct, Limits::max(), axis), 1, axis);
    return roll(ct, -shift, axis);
}

}  // namespace

#define TENFERRO_COTANGENTS_1(tangent) throw_not_linear();
#define TENFERRO_COTANGENTS_2(tangent, cotangent) \
    const Expr& ct = args.ct;                     \
    return {cotangent};
#define TENFERRO_TANGENT_OF(tangent, ...) tangent
#define TENFERRO_ROW(Name, method, dtypes, meaning, operands, parameters, ...)                            \
    TensorMeta Name::infer_one(std::span<const TensorMeta> in) const {                                    \
        return std::apply(                                                                                \
            [&](const auto&... a) { return SymbolicRules::method(a... TENFERRO_ARGUMENTS(parameters)); }, \
            first_of<kInputs>(in));                                                                       \
    }                                                                                                     \
    Tensor Name::run(BackendSession& session, std::span<const TensorRead> in) const {                     \
        return std::apply(                                                                                \
            [&](const auto&... a) { return session.method##_read(a... TENFERRO_ARGUMENTS(parameters)); }, \
            first_of<kInputs>(in));                                                                       \
    }                                                                                                     \
    std::optional<Expr> Name::tangent(const TangentArgs& args) const {                                    \
        [[maybe_unused]] constexpr auto none = std::nullopt;                                              \
        [[maybe_unused]] const Expr &a = args.x[0], &y = args.y;                                          \
        [[maybe_unused]] const Expr da = instantiate(args.dx[0], a);                                      \
        return TENFERRO_TANGENT_OF(__VA_ARGS__, );                                                        \
    }                                                                                                     \
    MatrixPlan::MaybeValue Name::matrix_step(MatrixPlan& plan, MatrixPlan::Values in) const {             \
        return step_of(*this, plan, in);                                                                  \
    }                                                                                                     \
    std::vector<std::optional<Expr>> Name::cotangents([[maybe_unused]] const CotangentArgs& args) const { \
        TENFERRO_PICK(TENFERRO_COTANGENTS, __VA_ARGS__)(__VA_ARGS__)                                      \
    }
TENFERRO_REGULAR_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
#undef TENFERRO_COTANGENTS_1
#undef TENFERRO_COTANGENTS_2
#undef TENFERRO_TANGENT_OF
#define TENFERRO_ROW(Name, method, dtypes, meaning, operands, parameters, ...) \
    std::optional<TensorRead> Name::view(const TensorRead& a) const {          \
        return a.method##_view(TENFERRO_EACH(TENFERRO_NAME, parameters));      \
    }
TENFERRO_VIEW_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
