// An einsum as Python calls it: NumPy's grammar, and the layout of the result. The engine makes column-major
// results; one in rows is the same einsum with the labels of the output reversed, seen with its axes
// reversed.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exchange.hpp"
#include "tenferro/einsum/plan.hpp"

namespace tenferro::python {

/// The characters of a string of Python, which lie in it.
[[nodiscard]] std::string_view text_of(PyObject* string);

/// Whether results are laid out in rows.
enum class Layout : bool { ColumnMajor, RowMajor };

/// The letter of an option `order`: 'C', 'F', 'A' or 'K'. InvalidArgument in the name of `op` for what is
/// none.
[[nodiscard]] char order_letter(nb::handle order, std::string_view op);

/// 'C' and 'F', and of the operands' strides 'K' and 'A': rows where every operand that has an order has its
/// elements in rows.
[[nodiscard]] Layout layout_of(char order, std::span<const TensorRead> operands);

/// The axes of a tensor in reverse order.
[[nodiscard]] Dims backwards(std::size_t rank);

/// The strict string of an einsum of operands of these ranks, every ellipsis written out, and the output
/// reversed where the result is to lie in rows.
[[nodiscard]] std::string written_out(const tensor_network::Subscripts& subscripts,
                                      std::span<const std::size_t> ranks, Layout layout);

/// The string of an einsum whose result lies as it says.
struct Spelling {
    std::string subscripts;
    Layout layout;
};
/// `subscripts` for a result that lies as `wanted` says. Groups say an order of contraction, which only the
/// string as it is has: their result is column-major.
[[nodiscard]] Spelling spelled(std::string_view subscripts, std::span<const std::size_t> ranks,
                               Layout wanted);

/// An einsum for these shapes, whose result may be in rows.
struct Expression {
    std::shared_ptr<const tensor_network::EinsumPlan> plan;
    Layout layout;
    bool is_long;  ///< worth running without the interpreter's lock

    Expression(std::shared_ptr<const tensor_network::EinsumPlan> the_plan, Layout the_layout);

    [[nodiscard]] bool is_reversed() const noexcept { return layout == Layout::RowMajor; }
    /// On the default engine; the axes of the result are reversed where the layout is by rows.
    [[nodiscard]] Tensor run(std::span<const TensorRead> operands) const;
    /// Such a result as an array of `library`, with the axes of the caller's string.
    [[nodiscard]] nb::object give(Tensor&& result, Library library) const;
};

}  // namespace tenferro::python
