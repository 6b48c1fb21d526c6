// Tensors are lent by PyTorch's table of C functions, which makes no objects, and the result goes the same
// way.
#include "einsum_calls.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <vector>

#include "dlpack_capsules.hpp"
#include "errors.hpp"
#include "expression.hpp"
#include "interrupt.hpp"
#include "tenferro/api/engine.hpp"

namespace tenferro::python {

namespace {

/// The table of the class of tensors, which stays as it is while the class does.
const ExchangeTable* table_of(PyTypeObject* type) {
    static PyTypeObject* known = nullptr;
    static const ExchangeTable* table = nullptr;
    if (type == known) return table;
    table = exchange_table(reinterpret_cast<PyObject*>(type));
    Py_XSETREF(known, reinterpret_cast<PyTypeObject*>(Py_NewRef(type)));
    return table;
}

nb::object torch_einsum(PyObject* const* arguments, std::size_t count) {
    std::vector<TensorRead> operands;
    operands.reserve(count);
    const ExchangeTable* table = count > 1 ? table_of(Py_TYPE(arguments[1])) : nullptr;
    for (std::size_t i = 1; i < count; ++i) {
        if (table == nullptr || Py_TYPE(arguments[i]) != Py_TYPE(arguments[1])) return nb::none();
        std::optional<TensorRead> view = borrow_by(*table, arguments[i]);
        if (!view || view->dtype() != (operands.empty() ? view->dtype() : operands[0].dtype()))
            return nb::none();
        operands.push_back(*std::move(view));
    }
    if (operands.empty()) return nb::none();
    Py_ssize_t length = 0;
    const char* subscripts = PyUnicode_AsUTF8AndSize(arguments[0], &length);
    if (subscripts == nullptr) throw nb::python_error();
    const Expression expression(
        default_engine().plans().get(std::string_view(subscripts, static_cast<std::size_t>(length)),
                                     tensor_network::Dialect::NumPy, operands),
        Layout::RowMajor);
    Tensor result = expression.run(operands);
    Dims axes;
    for (std::size_t axis = result.rank(); axis-- > 0;) axes.push_back(static_cast<Index>(axis));
    Tensor seen = result.share_as(result.read().transpose_view(axes));
    result = Tensor();  // so that the receiver is the only one that has the memory
    return array_by(*table, std::move(seen));
}

PyObject* torch_einsum_entry(PyObject*, PyObject* const* arguments, Py_ssize_t count) noexcept {
    try {
        return torch_einsum(arguments, static_cast<std::size_t>(count)).release().ptr();
    } catch (...) {
        set_current_error();
        return nullptr;
    }
}

PyMethodDef torch_methods[] = {
    {"_torch_einsum", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(torch_einsum_entry)),
     METH_FASTCALL, "_torch_einsum($module, subscripts, /, *tensors)\n--\n\n"},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

void bind_einsum_calls(nb::module_& module) {
    module.def(
        "_checked_einsum", [](const std::string& subscripts, const std::vector<std::vector<Index>>& lists) {
            std::vector<Dims> shapes;
            for (const std::vector<Index>& list : lists) shapes.emplace_back(std::span<const Index>(list));
            const auto parsed = tensor_network::Subscripts::parse(subscripts, tensor_network::Dialect::NumPy);
            static_cast<void>(tensor_network::resolve(parsed, shapes));
        });
    if (PyModule_AddFunctions(module.ptr(), torch_methods) != 0) throw nb::python_error();
}

}  // namespace tenferro::python
