// Layouts of results, and einsums with reversed outputs.
#include "expression.hpp"

#include <algorithm>

#include "interrupt.hpp"
#include "numbers.hpp"
#include "numpy_arrays.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::python {

namespace {

/// Work shorter than this keeps the lock.
constexpr double kLongSeconds = 20e-6;

bool is_row_major(const TensorRead& a) noexcept {
    Index expected = 1;
    for (std::size_t axis = a.rank(); axis-- > 0;) {
        if (a.shape()[axis] != 1 && a.strides()[axis] != expected) return false;
        expected *= a.shape()[axis];
    }
    return true;
}

/// A label that no string has: a code point of a private area for each axis of the ellipsis.
std::string ellipsis_label(std::size_t axis) {
    return tensor_network::label_text(static_cast<tensor_network::Label>(0xF0000 + axis));
}

}  // namespace

std::string_view text_of(PyObject* string) {
    Py_ssize_t length = 0;
    const char* data = PyUnicode_AsUTF8AndSize(string, &length);
    if (data == nullptr) throw nb::python_error();
    return {data, static_cast<std::size_t>(length)};
}

char order_letter(nb::handle order, std::string_view op) {
    for (const char letter : {'K', 'C', 'F', 'A'})
        if (PyUnicode_Check(order.ptr()) != 0 && PyUnicode_GetLength(order.ptr()) == 1 &&
            PyUnicode_ReadChar(order.ptr(), 0) == static_cast<Py_UCS4>(letter))
            return letter;
    throw Error(ErrorKind::InvalidArgument, op,
                text("order is ", shown(order), " but must be 'C', 'F', 'A' or 'K'"));
}

Layout layout_of(char order, std::span<const TensorRead> operands) {
    if (order == 'C') return Layout::RowMajor;
    if (order == 'F') return Layout::ColumnMajor;
    bool has_order = false;
    for (const TensorRead& operand : operands) {
        if (!is_row_major(operand)) return Layout::ColumnMajor;
        has_order = has_order || !operand.is_compact();
    }
    return has_order ? Layout::RowMajor : Layout::ColumnMajor;
}

Dims backwards(std::size_t rank) {
    Dims axes;
    for (std::size_t axis = rank; axis-- > 0;) axes.push_back(static_cast<Index>(axis));
    return axes;
}

std::string written_out(const tensor_network::Subscripts& subscripts, std::span<const std::size_t> ranks,
                        Layout layout) {
    const auto& inputs = subscripts.inputs();
    std::size_t covered = 0;
    const auto covered_by = [&](std::size_t i) {
        const bool has = std::count(inputs[i].begin(), inputs[i].end(), tensor_network::kEllipsis) != 0;
        return has && ranks[i] + 1 >= inputs[i].size() ? ranks[i] + 1 - inputs[i].size() : 0;
    };
    for (std::size_t i = 0; i < inputs.size() && i < ranks.size(); ++i)
        covered = std::max(covered, covered_by(i));
    const auto& named = subscripts.output();
    if (covered > 0 && std::find(named.begin(), named.end(), tensor_network::kEllipsis) == named.end())
        throw Error(
            ErrorKind::InvalidArgument, "einsum",
            text("'...' covers ", covered, covered == 1 ? " axis" : " axes", " but the output has no '...'"));
    const auto write = [&](const std::vector<tensor_network::Label>& labels, std::size_t axes) {
        std::vector<std::string> list;
        for (const tensor_network::Label label : labels) {
            if (label != tensor_network::kEllipsis)
                list.push_back(tensor_network::label_text(label));
            else
                for (std::size_t axis = covered - axes; axis < covered; ++axis)
                    list.push_back(ellipsis_label(axis));
        }
        return list;
    };
    std::string written;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (i != 0) written += ',';
        for (const std::string& label : write(inputs[i], i < ranks.size() ? covered_by(i) : 0))
            written += label;
    }
    written += "->";
    const std::vector<std::string> output = write(subscripts.output(), covered);
    for (std::size_t axis = 0; axis < output.size(); ++axis)
        written += output[layout == Layout::RowMajor ? output.size() - 1 - axis : axis];
    return written;
}

Spelling spelled(std::string_view subscripts, std::span<const std::size_t> ranks, Layout wanted) {
    Spelling spelling{std::string(subscripts), Layout::ColumnMajor};
    if (wanted == Layout::ColumnMajor) return spelling;
    const auto parsed = tensor_network::Subscripts::parse(subscripts, tensor_network::Dialect::NumPy);
    if (!parsed.groups().empty()) return spelling;
    return {written_out(parsed, ranks, wanted), wanted};
}

Expression::Expression(std::shared_ptr<const tensor_network::EinsumPlan> the_plan, Layout the_layout)
    : plan(std::move(the_plan)), layout(the_layout), is_long(plan->cost().seconds > kLongSeconds) {}

Tensor Expression::run(std::span<const TensorRead> operands) const {
    return unlocked(is_long, [&] { return plan->run(default_engine().backend(), operands); });
}

nb::object Expression::give(Tensor&& result, Library library) const {
    if (library == Library::NumPy) return ndarray_of(std::move(result), is_reversed());
    if (!is_reversed()) return python::give(std::move(result), library);
    Tensor seen = result.share_as(result.read().transpose_view(backwards(result.rank())));
    result = Tensor();  // so that the receiver is the only one that has the memory
    return python::give(std::move(seen), library);
}

}  // namespace tenferro::python
