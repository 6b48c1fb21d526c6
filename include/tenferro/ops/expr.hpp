// Expr: a value in a FragmentBuilder that derivative rules compute with, so that a rule reads like its
// formula. It knows whether it carries the linear flow, and gives every node it makes the right mode.
#pragma once

#include "tenferro/ops/shape_guard.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

class TENFERRO_API Expr {
public:
    Expr(FragmentBuilder& builder, const ValRef& value, bool linear)
        : builder_(&builder), key_(builder.key(value)), linear_(linear) {}

    [[nodiscard]] const TensorMeta& meta() const noexcept { return key_.meta(); }
    [[nodiscard]] DType dtype() const noexcept { return meta().dtype; }
    [[nodiscard]] std::size_t rank() const noexcept { return meta().rank(); }
    [[nodiscard]] const SymDim& extent(std::size_t axis) const noexcept { return meta().shape[axis]; }

    [[nodiscard]] bool is_linear() const noexcept { return linear_; }
    [[nodiscard]] const GlobalValKey& key() const noexcept { return key_; }
    [[nodiscard]] LocalValId local() const { return builder_->import(key_); }

    /// The outputs of `op` on `inputs`, in this value's builder: a link of the linear flow if an input is
    /// one.
    [[nodiscard]] std::vector<Expr> apply_all(const StdTensorOp& op, std::span<const Expr> inputs) const;
    [[nodiscard]] std::vector<Expr> apply_all(const StdTensorOp& op,
                                              std::initializer_list<Expr> inputs) const {
        return apply_all(op, std::span(inputs.begin(), inputs.size()));
    }
    /// The first of them.
    [[nodiscard]] Expr apply(const StdTensorOp& op, std::span<const Expr> inputs) const {
        return apply_all(op, inputs).front();
    }
    [[nodiscard]] Expr apply(const StdTensorOp& op, std::initializer_list<Expr> inputs) const {
        return apply(op, std::span(inputs.begin(), inputs.size()));
    }

    /// The derivative of this value, which may depend on `at`, along the tangent `along` of that; absent
    /// where it does not depend on it. Results of operations that `is_constant` names are taken for
    /// constants. A rule may so differentiate what it was given, such as the cotangents that depend on the
    /// values of its operation. Throws what rules throw.
    [[nodiscard]] std::optional<Expr> derivative(const Expr& at, const Expr& along,
                                                 ShapeGuardContext& context,
                                                 FunctionRef<bool(const StdTensorOp&)> is_constant) const;

private:
    FragmentBuilder* builder_;
    GlobalValKey key_;
    bool linear_;
};

}}  // namespace tenferro::TENFERRO_ABI
