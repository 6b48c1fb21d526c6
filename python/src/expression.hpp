// An einsum as Python calls it: NumPy's grammar, and the layout of the result. The engine makes column-major
// results; one in rows is the same einsum with the labels of the output reversed, seen with its axes
// reversed.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tenferro/einsum/plan.hpp"

namespace tenferro::python {

/// Whether results are laid out in rows.
enum class Layout : bool { ColumnMajor, RowMajor };

/// 'C' and 'F', and of the operands' strides 'K' and 'A': rows where every operand that has an order has its
/// elements in rows. InvalidArgument for another letter.
[[nodiscard]] Layout layout_of(char order, std::span<const TensorRead> operands);

/// The strict string of an einsum of operands of these ranks, every ellipsis written out, and the output
/// reversed where the result is to lie in rows.
[[nodiscard]] std::string written_out(const tensor_network::Subscripts& subscripts,
                                      std::span<const std::size_t> ranks, Layout layout);

/// An einsum for these shapes, whose result may be in rows.
struct Expression {
    std::shared_ptr<const tensor_network::EinsumPlan> plan;
    Layout layout;
    bool is_long;  ///< worth running without the interpreter's lock

    Expression(std::shared_ptr<const tensor_network::EinsumPlan> the_plan, Layout the_layout);

    [[nodiscard]] bool is_reversed() const noexcept { return layout == Layout::RowMajor; }
    /// On the default engine; the axes of the result are reversed where the layout is by rows.
    [[nodiscard]] Tensor run(std::span<const TensorRead> operands) const;
};

}  // namespace tenferro::python
