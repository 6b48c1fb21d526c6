// Layouts of results, and einsums with reversed outputs.
#include "expression.hpp"

#include <algorithm>

#include "interrupt.hpp"
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

Layout layout_of(char order, std::span<const TensorRead> operands) {
    if (order == 'C') return Layout::RowMajor;
    if (order == 'F') return Layout::ColumnMajor;
    if (order != 'K' && order != 'A')
        throw Error(ErrorKind::InvalidArgument, "einsum",
                    text("order is '", std::string(1, order), "' but must be 'C', 'F', 'A' or 'K'"));
    bool has_order = false;
    for (const TensorRead& operand : operands) {
        if (!is_row_major(operand)) return Layout::ColumnMajor;
        has_order = has_order || !operand.is_compact();
    }
    return has_order ? Layout::RowMajor : Layout::ColumnMajor;
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

Expression::Expression(std::shared_ptr<const tensor_network::EinsumPlan> the_plan, Layout the_layout)
    : plan(std::move(the_plan)), layout(the_layout), is_long(plan->cost().seconds > kLongSeconds) {}

Tensor Expression::run(std::span<const TensorRead> operands) const {
    TensorBackend& backend = default_engine().backend();
    if (!is_long) return plan->run(backend, operands);
    return unlocked(true, [&] {
        const tensor_network::RunOptions options{.cancellation = interrupt_token()};
        return backend.with_backend_session(
            [&](BackendSession& session) { return plan->run(session, operands, options); });
    });
}

}  // namespace tenferro::python
