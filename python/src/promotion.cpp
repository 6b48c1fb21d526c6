// The table of promotions, and the names of dtypes.
#include "promotion.hpp"

#include <array>
#include <string>

#include <nanobind/stl/string.h>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::python {

namespace {

/// In the order of DType.
constexpr std::array<const char*, kDTypes.size()> kNames{"float32", "float64", "complex64", "complex128",
                                                         "int32",   "int64",   "bool"};

std::array<PyObject*, kDTypes.size()> objects{};

bool is_same(const DTypeObject& self, nb::handle other) {
    try {
        return self.dtype == dtype_of(other);
    } catch (const Error&) {
        return false;
    }
}

/// Whether single precision holds what `dtype` does, for the promotion to a floating-point dtype.
constexpr bool is_single(DType dtype) noexcept {
    return dtype == DType::F32 || dtype == DType::C32 || dtype == DType::Bool;
}

}  // namespace

DType promoted(DType a, DType b) noexcept {
    if (a == b) return a;
    const DTypeInfo &x = info(a), &y = info(b);
    const bool single = is_single(a) && is_single(b);
    if (x.is_complex || y.is_complex) return single ? DType::C32 : DType::C64;
    if (x.is_float || y.is_float) return single ? DType::F32 : DType::F64;
    return a == DType::I64 || b == DType::I64 ? DType::I64 : DType::I32;
}

Value in_dtype(const Value& value, DType dtype) {
    return value.dtype() == dtype ? value : cast(value, dtype);
}

void promote(std::vector<Value>& values, std::optional<DType> wanted) {
    if (values.empty()) return;
    DType common = values.front().dtype();
    for (const Value& value : values) common = promoted(common, value.dtype());
    if (wanted) common = *wanted;
    for (Value& value : values) value = in_dtype(value, common);
}

const char* numpy_name(DType dtype) noexcept { return kNames[static_cast<std::size_t>(dtype)]; }

DType dtype_of(nb::handle object) {
    if (nb::isinstance<DTypeObject>(object)) return nb::cast<const DTypeObject&>(object).dtype;
    if (object.is(reinterpret_cast<PyObject*>(&PyBool_Type))) return DType::Bool;
    if (object.is(reinterpret_cast<PyObject*>(&PyLong_Type))) return DType::I64;
    if (object.is(reinterpret_cast<PyObject*>(&PyFloat_Type))) return DType::F64;
    if (object.is(reinterpret_cast<PyObject*>(&PyComplex_Type))) return DType::C64;
    nb::object named = nb::borrow(object);
    if (nb::hasattr(object, "name"))
        named = object.attr("name");
    else if (nb::hasattr(object, "__name__"))
        named = object.attr("__name__");
    std::string name = nb::cast<std::string>(nb::str(named));
    name = name.substr(name.find('.') == std::string::npos ? 0 : name.rfind('.') + 1);
    for (const DTypeInfo& row : kDTypes)
        if (name == row.name || name == numpy_name(row.dtype)) return row.dtype;
    throw Error(ErrorKind::DTypeMismatch, "dtype",
                text("dtype is ", shown(object),
                     " but only float32, float64, complex64, complex128, int32, int64 and bool are ours"));
}

nb::object dtype_object(DType dtype) { return nb::borrow(objects[static_cast<std::size_t>(dtype)]); }

void bind_dtypes(nb::module_& module) {
    nb::class_<DTypeObject>(module, "DType", "An element type: float32, …, bool.")
        .def_prop_ro("name", [](const DTypeObject& d) { return numpy_name(d.dtype); })
        .def_prop_ro(
            "itemsize", [](const DTypeObject& d) { return info(d.dtype).bytes; }, "Bytes of an element.")
        .def("__repr__", [](const DTypeObject& d) { return text("tenferro.", numpy_name(d.dtype)); })
        .def("__str__", [](const DTypeObject& d) { return numpy_name(d.dtype); })
        .def("__hash__", [](const DTypeObject& d) { return nb::hash(nb::str(numpy_name(d.dtype))); })
        .def("__reduce__",
             [](const DTypeObject& d) {
                 return nb::make_tuple(nb::module_::import_("tenferro._pickling").attr("dtype"),
                                       nb::make_tuple(numpy_name(d.dtype)));
             })
        .def("__eq__", is_same);
    for (const DTypeInfo& row : kDTypes) {
        const nb::object made = nb::cast(DTypeObject{row.dtype});
        module.attr(numpy_name(row.dtype)) = made;
        objects[static_cast<std::size_t>(row.dtype)] = nb::object(made).release().ptr();
    }
    module.def("_promoted",
               [](nb::handle a, nb::handle b) { return dtype_object(promoted(dtype_of(a), dtype_of(b))); });
    module.def(
        "dtype", [](nb::handle of) { return dtype_object(dtype_of(of)); }, nb::arg("of"),
        "The dtype of that name, or that one of NumPy, torch or Python is.");
}

}  // namespace tenferro::python
