// ElementwiseFusionPlan: a chain or DAG of elementwise operations as one immutable, backend-neutral value.
// A backend that takes it computes all of it in one pass over memory.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tenferro/tensor/op_table.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// One operation of a plan. Operands are numbers of values: the plan's inputs come first, then the results of
/// its steps.
struct FusionStep {
    OpId op;  ///< a unary or binary operation, Select (predicate, on_true, on_false), Clamp (low, x, high),
              ///< Convert or Cast
    std::array<std::uint16_t, 3> operands{};  ///< as many as the operation takes
    DType result;  ///< dtype of the result; for Convert and Cast it says which conversion

    friend bool operator==(const FusionStep&, const FusionStep&) = default;
};

/// Number of operands of an elementwise operation; 0 for the others.
[[nodiscard]] TENFERRO_API std::size_t elementwise_operands(OpId op) noexcept;

/// Whether a plan may contain the operation on operands of this dtype: it is elementwise, defined there, and
/// has a result for every value (an integer division does not).
[[nodiscard]] TENFERRO_API bool is_fusible(OpId op, DType dtype) noexcept;

class TENFERRO_API ElementwiseFusionPlan {
public:
    /// Values `outputs` are the plan's results, in that order. Throws InvalidConfig when a step refers to a
    /// value that is not before it, is not fusible, or its operands or result have dtypes that do not fit it.
    ElementwiseFusionPlan(std::vector<DType> inputs, std::vector<FusionStep> steps,
                          std::vector<std::uint16_t> outputs);

    [[nodiscard]] const std::vector<DType>& inputs() const noexcept { return inputs_; }
    [[nodiscard]] const std::vector<FusionStep>& steps() const noexcept { return steps_; }
    [[nodiscard]] const std::vector<std::uint16_t>& outputs() const noexcept { return outputs_; }
    /// The dtype of a value.
    [[nodiscard]] DType dtype(std::uint16_t value) const noexcept {
        return value < inputs_.size() ? inputs_[value] : steps_[value - inputs_.size()].result;
    }

    /// What no plan has but this one and its copies, in this process.
    [[nodiscard]] std::uint64_t number() const noexcept { return number_; }

    friend bool operator==(const ElementwiseFusionPlan& a, const ElementwiseFusionPlan& b) noexcept {
        return a.inputs_ == b.inputs_ && a.steps_ == b.steps_ && a.outputs_ == b.outputs_;
    }

private:
    std::vector<DType> inputs_;
    std::vector<FusionStep> steps_;
    std::vector<std::uint16_t> outputs_;
    std::uint64_t number_;
};

}}  // namespace tenferro::TENFERRO_ABI
