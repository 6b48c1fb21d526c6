// Applying operations inside derivative rules.
#include "tenferro/ops/expr.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

Expr Expr::apply(const StdTensorOp& op, std::span<const Expr> inputs) const {
    std::vector<ValRef> values;
    OpMode mode;
    for (std::uint32_t i = 0; i < inputs.size(); ++i) {
        values.emplace_back(inputs[i].key());
        if (!inputs[i].is_linear()) continue;
        mode.linear = true;
        mode.active.push_back(i);
    }
    const bool linear = mode.linear;
    return {*builder_, builder_->add_op(op, values, std::move(mode)).front(), linear};
}

}}  // namespace tenferro::TENFERRO_ABI
