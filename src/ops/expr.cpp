// Applying operations inside derivative rules.
#include "tenferro/ops/expr.hpp"

#include <new>

#include "tenferro/base/error.hpp"
#include "tenferro/graph/linearize.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

std::vector<Expr> Expr::apply_all(const StdTensorOp& op, std::span<const Expr> inputs) const try {
    std::vector<ValRef> values;
    OpMode mode;
    for (std::uint32_t i = 0; i < inputs.size(); ++i) {
        values.emplace_back(inputs[i].key());
        if (!inputs[i].is_linear()) continue;
        mode.linear = true;
        mode.active.push_back(i);
    }
    const bool linear = mode.linear;
    std::vector<Expr> outputs;
    for (const LocalValId output : builder_->add_op(op, values, std::move(mode)))
        outputs.emplace_back(*builder_, output, linear);
    return outputs;
} catch (const std::bad_alloc&) {
    throw_out_of_memory(op.name());
}

std::optional<Expr> Expr::derivative(const Expr& at, const Expr& along, ShapeGuardContext& context,
                                     FunctionRef<bool(const StdTensorOp&)> is_constant) const try {
    const std::optional<GlobalValKey> tangent = along.key();
    const auto map = op_graph::linearize<StdTensorOp>({&key_, 1}, {&at.key(), 1}, {&tangent, 1}, *builder_,
                                                      context, is_constant);
    if (!map.outputs.front()) return std::nullopt;
    return Expr(*builder_, *map.outputs.front(), linear_ || along.is_linear());
} catch (const std::bad_alloc&) {
    throw_out_of_memory("derivative");
}

}}  // namespace tenferro::TENFERRO_ABI
