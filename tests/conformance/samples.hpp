// What the conformance suite runs: per operation one function that draws operands and computes results on whatever session
// it is given. The same draw on two backends must give the same results.
#pragma once

#include <vector>

#include "support/random_layout.hpp"
#include "tenferro/tensor/backend.hpp"

namespace tenferro::conformance {

using test::Draw;

struct Sample {
    OpId op;
    /// Allowed difference in units of the result's epsilon times its magnitude; 0 asks for equality (operands are then small
    /// integers, on which arithmetic is exact).
    double ulps;
    /// Draws operands of `dtype` and runs the operation in every form it has.
    std::vector<Tensor> (*run)(Draw& draw, DType dtype, BackendSession& session);
};

/// One list per family; an operation of the table that is in none fails the suite.
const std::vector<Sample>& elementwise_samples();
const std::vector<Sample>& structural_samples();
const std::vector<Sample>& reduction_samples();
const std::vector<Sample>& indexing_samples();
const std::vector<Sample>& ordering_samples();

/// A strided operand of small integers with the given dtype: drawn axis order, gaps, negative strides.
class Operand {
public:
    Operand(Draw& draw, DType dtype, const Dims& shape);
    operator const TensorRead&() const { return *view_; }  // NOLINT(google-explicit-constructor)
    [[nodiscard]] const TensorRead& view() const { return *view_; }

private:
    std::shared_ptr<void> sample_;
    const TensorRead* view_;
};

}  // namespace tenferro::conformance
