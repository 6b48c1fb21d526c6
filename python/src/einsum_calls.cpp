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

/// Tensors of PyTorch as they lie in memory; nothing where they cannot be read so.
struct Lent {
    const ExchangeTable* table;
    std::vector<TensorRead> views;
};
std::optional<Lent> lent(std::span<PyObject* const> tensors) {
    if (tensors.empty()) return std::nullopt;
    Lent found{table_of(Py_TYPE(tensors[0])), {}};
    if (found.table == nullptr) return std::nullopt;
    found.views.reserve(tensors.size());
    for (PyObject* tensor : tensors) {
        if (Py_TYPE(tensor) != Py_TYPE(tensors[0])) return std::nullopt;
        std::optional<TensorRead> view = borrow_by(*found.table, tensor);
        if (!view || (!found.views.empty() && view->dtype() != found.views[0].dtype())) return std::nullopt;
        found.views.push_back(*std::move(view));
    }
    return found;
}

/// The einsum whose output is reversed in `subscripts`, as a tensor in rows.
nb::object in_rows(const ExchangeTable& table, std::string_view subscripts,
                   std::span<const TensorRead> operands) {
    const Expression expression(
        default_engine().plans().get(subscripts, tensor_network::Dialect::NumPy, operands), Layout::RowMajor);
    Tensor result = expression.run(operands);
    Tensor seen = result.share_as(result.read().transpose_view(backwards(result.rank())));
    result = Tensor();  // so that the receiver is the only one that has the memory
    return array_by(table, std::move(seen));
}

/// (subscripts, tensors...).
nb::object torch_einsum(std::span<PyObject* const> arguments) {
    const std::optional<Lent> operands = lent(arguments.subspan(1));
    return operands ? in_rows(*operands->table, text_of(arguments[0]), operands->views) : nb::none();
}

/// (subscripts, cotangent, operands...): the gradient of every operand that has subscripts, which are those
/// of an einsum of the cotangent and the other operands, and else None.
nb::object torch_gradients(std::span<PyObject* const> arguments) {
    const std::optional<Lent> all = lent(arguments.subspan(1));
    if (!all || all->views.empty()) return nb::none();
    const std::size_t count = all->views.size() - 1;
    if (PyTuple_Check(arguments[0]) == 0 || PyTuple_GET_SIZE(arguments[0]) != static_cast<Py_ssize_t>(count))
        return nb::none();
    nb::object gradients = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(count)));
    std::vector<TensorRead> used;
    for (std::size_t at = 0; at < count; ++at) {
        const nb::handle subscripts = PyTuple_GET_ITEM(arguments[0], static_cast<Py_ssize_t>(at));
        nb::object gradient = nb::none();
        if (!subscripts.is_none()) {
            used.clear();
            for (std::size_t i = 0; i <= count; ++i)
                if (i != at + 1) used.push_back(all->views[i]);
            gradient = in_rows(*all->table, text_of(subscripts.ptr()), used);
        }
        PyTuple_SET_ITEM(gradients.ptr(), static_cast<Py_ssize_t>(at), gradient.release().ptr());
    }
    return gradients;
}

template <nb::object (*f)(std::span<PyObject* const>)>
PyObject* entry(PyObject*, PyObject* const* arguments, Py_ssize_t count) noexcept {
    if (count == 0) {
        PyErr_SetString(PyExc_TypeError, "einsum: got no arguments but needs the subscripts first");
        return nullptr;
    }
    try {
        return f(std::span(arguments, static_cast<std::size_t>(count))).release().ptr();
    } catch (...) {
        set_current_error();
        return nullptr;
    }
}
template <nb::object (*f)(std::span<PyObject* const>)>
PyCFunction fast() {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(entry<f>));
}

PyMethodDef torch_methods[] = {{"_torch_einsum", fast<torch_einsum>(), METH_FASTCALL,
                                "_torch_einsum($module, subscripts, /, *tensors)\n--\n\n"},
                               {"_torch_gradients", fast<torch_gradients>(), METH_FASTCALL,
                                "_torch_gradients($module, subscripts, cotangent, /, *operands)\n--\n\n"},
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
