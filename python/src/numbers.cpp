// Integers are what has __index__: floats are refused.
#include "numbers.hpp"

#include <algorithm>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/ops/functions.hpp"

namespace tenferro::python {

Index integer_from(nb::handle object, std::string_view op, std::string_view what) {
    if (PyIndex_Check(object.ptr()) == 0)
        throw Error(ErrorKind::DTypeMismatch, op,
                    text(what, " is ", shown(object), " but must be an integer"));
    const nb::object number = nb::steal(PyNumber_Index(object.ptr()));
    if (!number.is_valid()) {  // arrays have __index__, whatever they hold
        if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw nb::python_error();
        PyErr_Clear();
        throw Error(ErrorKind::DTypeMismatch, op,
                    text(what, " is ", shown(object), " but must be an integer"));
    }
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
    if (overflow != 0)
        throw Error(ErrorKind::InvalidArgument, op,
                    text(what, " is ", shown(number), " but must fit into 64 bits"));
    if (value == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
    return value;
}

Dims integers_from(nb::handle object, std::string_view op, std::string_view what) {
    bool is_one = PyLong_Check(object.ptr()) != 0;
    if (!is_one && PyIndex_Check(object.ptr()) != 0) {  // as arrays of integers have
        is_one = PyObject_Size(object.ptr()) < 0;
        PyErr_Clear();
    }
    if (is_one) return {integer_from(object, op, what)};
    if (PyUnicode_Check(object.ptr()) != 0 || !nb::hasattr(object, "__iter__"))
        throw Error(ErrorKind::DTypeMismatch, op,
                    text(what, " is ", shown(object), " but must be an integer or a sequence of integers"));
    Dims numbers;
    for (const nb::handle number : object) numbers.push_back(integer_from(number, op, what));
    return numbers;
}

Dims axes_from(nb::handle axes, std::size_t rank, std::string_view op) {
    if (axes.is_none()) return tensor_ops::all_axes(rank);
    Dims list = tensor_ops::from_front(integers_from(axes, op, "axis"), rank);
    check_axes(list, rank, op, "operand");
    return list;
}

std::string shown(nb::handle object) {
    constexpr std::size_t kLongest = 60;
    const nb::object printed = nb::steal(PyObject_ASCII(object.ptr()));
    if (!printed.is_valid()) throw nb::python_error();
    std::string line = PyUnicode_AsUTF8(printed.ptr());
    if (line.size() > kLongest) line.replace(kLongest, line.size(), "...");
    std::replace(line.begin(), line.end(), '\n', ' ');
    return line;
}

nb::list list_of_tuples(const std::vector<std::vector<int>>& rows) {
    nb::list list;
    for (const std::vector<int>& row : rows) list.append(tuple_of(row));
    return list;
}

}  // namespace tenferro::python
