// Borrowing operands, and the interleaved form.
#include "operands.hpp"

#include "numbers.hpp"
#include "numpy_arrays.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/einsum/subscripts.hpp"

namespace tenferro::python {

namespace {

/// The labels of one list of the interleaved form.
std::vector<int> read_labels(nb::handle list) {
    std::vector<int> labels;
    if (!nb::hasattr(list, "__iter__"))
        throw Error(ErrorKind::DTypeMismatch, "einsum",
                    text("a list of labels is ", shown(list), " but must be a sequence of integers"));
    for (const nb::handle item : list) {
        if (item.ptr() == Py_Ellipsis) {
            labels.push_back(tensor_network::kInterleavedEllipsis);
            continue;
        }
        const Index label = integer_from(item, "einsum", "a label");
        if (label < 0 || label > 1'000'000)
            throw Error(ErrorKind::InvalidArgument, "einsum",
                        text("label is ", label, " but must be 0 to 1000000"));
        labels.push_back(static_cast<int>(label));
    }
    return labels;
}

}  // namespace

std::optional<Borrowed> borrow(std::span<PyObject* const> operands) {
    Borrowed borrowed{{}, Library::None};
    borrowed.views.reserve(operands.size());
    for (PyObject* operand : operands) {
        const bool is_tensor = Py_TYPE(operand) == tensor_type;
        const Library library = is_tensor ? Library::Tenferro : Library::NumPy;
        if (!borrowed.views.empty() && library != borrowed.library) return std::nullopt;
        borrowed.library = library;
        if (is_tensor) {
            const Value* value = value_of(operand);
            if (value == nullptr || value->is_traced() || value->eager().requires_grad()) return std::nullopt;
            borrowed.views.push_back(value->eager().value().read());
        } else {
            if (!is_ndarray(operand)) return std::nullopt;
            std::optional<TensorRead> view = borrow_ndarray(operand);
            if (!view) return std::nullopt;
            borrowed.views.push_back(*std::move(view));
        }
        if (borrowed.views.back().dtype() != borrowed.views.front().dtype()) return std::nullopt;
    }
    return borrowed;
}

Call read_call(std::span<PyObject* const> arguments) {
    Call call;
    if (arguments.empty()) throw Error(ErrorKind::InvalidArgument, "einsum", "got no arguments");
    if (PyUnicode_Check(arguments[0]) != 0) {
        call.subscripts = nb::cast<std::string>(nb::handle(arguments[0]));
        call.operands.assign(arguments.begin() + 1, arguments.end());
        return call;
    }
    if (arguments.size() < 2)
        throw Error(ErrorKind::InvalidArgument, "einsum",
                    "the first argument is no string, and no list of labels follows it");
    std::vector<std::vector<int>> inputs;
    for (std::size_t i = 0; i + 1 < arguments.size(); i += 2) {
        call.operands.emplace_back(arguments[i]);
        inputs.push_back(read_labels(arguments[i + 1]));
    }
    std::optional<std::vector<int>> output;
    if (arguments.size() % 2 == 1) output = read_labels(arguments.back());
    call.subscripts = tensor_network::Subscripts::interleaved(inputs, output).to_string();
    return call;
}

}  // namespace tenferro::python
