// The class: attributes, operators, indexing, exchange.
#include "tensor.hpp"

#include <nanobind/stl/complex.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <complex>

#include "arithmetic.hpp"
#include "dlpack_capsules.hpp"
#include "exchange.hpp"
#include "functions.hpp"
#include "indexing.hpp"
#include "interrupt.hpp"
#include "layout.hpp"
#include "numpy_arrays.hpp"
#include "promotion.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/tensor/print.hpp"

namespace tenferro::python {

namespace {

nb::tuple shape_tuple(const Value& a) {
    nb::list shape;
    for (std::size_t axis = 0; axis < a.rank(); ++axis) {
        const auto number = a.extent(axis).constant();
        shape.append(number ? nb::object(nb::int_(*number)) : nb::none());
    }
    return nb::tuple(shape);
}

/// In elements.
nb::tuple strides_tuple(const Value& a) {
    nb::list strides;
    for (const Index stride : a.tensor("strides").strides()) strides.append(stride);
    return nb::tuple(strides);
}

std::string repr(const Value& a) {
    std::string described = text("dtype=", numpy_name(a.dtype()));
    if (a.is_traced())
        return text("Tensor(<traced>, shape=", nb::repr(shape_tuple(a)).c_str(), ", ", described, ")");
    const std::string head = "Tensor(";
    std::string shown = to_string(a.tensor("repr").read()), indented;
    for (const char letter : shown) {
        indented += letter;
        if (letter == '\n') indented.append(head.size(), ' ');
    }
    if (a.tensor("repr").size() == 0)
        described = text("shape=", nb::repr(shape_tuple(a)).c_str(), ", ", described);
    return head + indented + ", " + described + ")";
}

nb::object item(const Value& a) {
    const Tensor& tensor = a.tensor("item");
    switch (tensor.dtype()) {
        case DType::C32:
        case DType::C64: return nb::cast(tensor.item<std::complex<double>>());
        case DType::F32:
        case DType::F64: return nb::float_(tensor.item<double>());
        case DType::Bool: return nb::bool_(tensor.item<bool>());
        default: return nb::int_(tensor.item<std::int64_t>());
    }
}

/// `made` counts the numbers, between which signals are looked at.
nb::object nested_list(const TensorRead& a, Index& made) {
    if (a.rank() == 0) {
        if (++made % kLongElements == 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
        return item(Value(Tensor::copy_of(a)));
    }
    nb::list list;
    for (Index i = 0; i < a.shape()[0]; ++i) list.append(nested_list(a.select_view(0, i), made));
    return list;
}
nb::object to_list(const Value& a) {
    Index made = 0;
    return nested_list(a.tensor("tolist").read(), made);
}

std::pair<int, int> two_integers(nb::handle pair, std::string_view what) {
    std::pair<int, int> numbers;
    if (!nb::try_cast(pair, numbers))
        throw Error(ErrorKind::DTypeMismatch, "__dlpack__",
                    text(what, " is ", shown(pair), " but must be a pair of integers"));
    return numbers;
}

nb::object dlpack(const Value& a, nb::handle stream, nb::handle max_version, nb::handle device,
                  std::optional<bool> copy) {
    if (!stream.is_none()) throw nb::value_error("stream must be None for a tensor in main memory");
    if (!device.is_none() && two_integers(device, "dl_device") != std::pair(1, 0))
        throw nb::buffer_error("dl_device must be (1, 0): tensors are in main memory");
    const bool versioned = !max_version.is_none() && two_integers(max_version, "max_version").first >= 1;
    return capsule_of(a.tensor("__dlpack__"), {versioned, copy.value_or(false)});
}

nb::object to_array(const Value& a, nb::handle dtype, std::optional<bool> copy) {
    const Tensor& tensor = a.tensor("__array__");
    const bool wanted = !dtype.is_none();
    nb::object array = ndarray_of(copy.value_or(false) ? tensor.duplicate() : tensor.share());
    if (!wanted) return array;
    if (copy.has_value() && !*copy && !array.attr("dtype").equal(dtype))
        throw nb::value_error("a tensor of another dtype cannot be had without a copy");
    nb::dict keywords;
    keywords["copy"] = false;
    return array.attr("astype")(dtype, **keywords);
}

/// Pickled as dtype, shape and the bytes in column-major order.
nb::tuple pickled(nb::handle self) {
    const Tensor copy = nb::cast<const Value&>(self).tensor("pickle").duplicate();
    nb::list shape;
    for (const Index extent : copy.shape()) shape.append(extent);
    const std::size_t bytes = static_cast<std::size_t>(copy.size()) * info(copy.dtype()).bytes;
    const nb::object make = nb::module_::import_("tenferro._pickling").attr("tensor");
    return nb::make_tuple(make, nb::make_tuple(numpy_name(copy.dtype()), nb::tuple(shape),
                                               nb::bytes(static_cast<const char*>(copy.data()), bytes)));
}

Value tensor_of_bytes(nb::handle dtype, nb::handle shape, const nb::bytes& data) {
    Dims extents;
    for (const nb::handle extent : shape) extents.push_back(nb::cast<Index>(extent));
    const DType type = dtype_of(dtype);
    const std::size_t count = data.size() / info(type).bytes;
    if (count * info(type).bytes != data.size() ||
        static_cast<std::size_t>(element_count(extents, "unpickle")) != count)
        throw Error(ErrorKind::ShapeMismatch, "unpickle",
                    text("got ", data.size(), " bytes for ", list_text(extents)));
    return Value(Tensor::from_bytes(type, data.c_str(), count, extents));
}

Value asarray(nb::handle object, nb::handle dtype, nb::handle device, std::optional<bool> copy) {
    check_device(device, "asarray");
    Value value = as_value(object);
    const bool is_other = !dtype.is_none() && dtype_of(dtype) != value.dtype();
    if (copy.has_value() && !*copy && (is_other || library_of(object) == Library::None))
        throw nb::value_error("asarray: a copy is needed but copy is False");
    if (is_other) return cast(value, dtype_of(dtype));
    if (copy.value_or(false) && !value.is_traced()) return copied(value);
    return value;
}

Value tensor_lent_by(nb::handle object, nb::handle device, std::optional<bool> copy) {
    if (!device.is_none() && nb::cast<std::string>(nb::str(device)) != "cpu")
        throw nb::buffer_error("from_dlpack: device must be 'cpu'");
    if (const Value* value = value_of(object)) return copy.value_or(false) ? copied(*value) : *value;
    if (!nb::hasattr(object, "__dlpack__"))
        throw nb::type_error("from_dlpack: the object has no method __dlpack__");
    try {
        return Value(import_dlpack(object, copy));
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::DTypeMismatch) throw;
        throw nb::buffer_error(error.what());
    }
}

nb::object array_namespace(const Value&, nb::handle version) {
    if (!version.is_none()) {
        constexpr std::string_view known[] = {"2021.12", "2022.12", "2023.12", "2024.12"};
        const auto wanted = nb::cast<std::string>(nb::str(version));
        if (std::find(std::begin(known), std::end(known), wanted) == std::end(known))
            throw Error(ErrorKind::InvalidArgument, "__array_namespace__",
                        text("api_version is ", wanted, " but the last one that is known is 2024.12"));
    }
    return nb::module_::import_("tenferro");
}

/// The last two axes exchanged.
Value exchanged(const Value& a, bool only_matrix) {
    if (a.rank() < 2 || (only_matrix && a.rank() != 2))
        throw Error(
            ErrorKind::RankMismatch, only_matrix ? "T" : "mT",
            text("the tensor has rank ", a.rank(), " but must have ", only_matrix ? "2" : "at least 2"));
    Dims perm = tensor_ops::all_axes(a.rank());
    std::swap(perm[a.rank() - 1], perm[a.rank() - 2]);
    return transpose(a, std::move(perm));
}

}  // namespace

void bind_tensor(NamingModule& module) {
    auto tensor = nb::class_<Value>(
        module, "Tensor", nb::is_weak_referenceable(),
        "An immutable tensor in main memory, or, inside a function that is being traced, one that is going\n"
        "to be computed. Made by asarray(), from_dlpack() and every function.");
    tensor_type = reinterpret_cast<PyTypeObject*>(tensor.ptr());
    tensor.def_prop_ro("dtype", [](const Value& a) { return dtype_object(a.dtype()); })
        .def_prop_ro("shape", shape_tuple, "Extents; None for one that a traced tensor does not know.")
        .def_prop_ro("ndim", &Value::rank)
        .def_prop_ro("size", [](const Value& a) { return element_count(shape_numbers(a, "size"), "size"); })
        .def_prop_ro("itemsize", [](const Value& a) { return info(a.dtype()).bytes; })
        .def_prop_ro("nbytes",
                     [](const Value& a) {
                         return byte_count(shape_numbers(a, "nbytes"), info(a.dtype()).bytes, "nbytes");
                     })
        .def_prop_ro("strides", strides_tuple, "In elements.")
        .def_prop_ro("device", [](const Value&) { return "cpu"; })
        .def_prop_ro("is_traced", &Value::is_traced)
        .def("__repr__", repr)
        .def("__str__",
             [](const Value& a) { return a.is_traced() ? repr(a) : to_string(a.tensor("str").read()); })
        .def("item", item, "The only element as a number of Python.")
        .def("tolist", to_list)
        .def("__dlpack__", dlpack, nb::kw_only(), nb::arg("stream") = nb::none(),
             nb::arg("max_version") = nb::none(), nb::arg("dl_device") = nb::none(),
             nb::arg("copy") = nb::none(),
             "A DLPack capsule that shares the memory, read-only where its form can say so.")
        .def("__dlpack_device__", [](const Value&) { return nb::make_tuple(1, 0); })
        .def("__array__", to_array, nb::arg("dtype") = nb::none(), nb::arg("copy") = nb::none())
        .def("__array_namespace__", array_namespace, nb::kw_only(), nb::arg("api_version") = nb::none())
        .def_prop_ro(
            "T", [](const Value& a) { return exchanged(a, true); },
            "The transpose of a matrix. ValueError for other ranks.")
        .def_prop_ro(
            "mT", [](const Value& a) { return exchanged(a, false); },
            "The matrices in the last two axes transposed. ValueError below rank 2.")
        .def("__reduce__", pickled)
        .def(
            "to_device",
            [](const Value& a, const std::string& device, nb::handle) {
                if (device != "cpu") throw nb::value_error("to_device: there is only 'cpu'");
                return a;
            },
            nb::arg("device"), nb::kw_only(), nb::arg("stream") = nb::none());
    bind_operators(tensor);
    bind_indexing(tensor);
    bind_updates(module, tensor);

    module.def("asarray", asarray, nb::arg("obj"), nb::kw_only(), nb::arg("dtype") = nb::none(),
               nb::arg("device") = nb::none(), nb::arg("copy") = nb::none(),
               "A Tensor on the memory of an array of any library, or a copy of numbers and nested lists.");
    module.def(
        "from_dlpack", tensor_lent_by, nb::arg("x"), nb::kw_only(), nb::arg("device") = nb::none(),
        nb::arg("copy") = nb::none(),
        "A Tensor on the memory of an object with __dlpack__; BufferError for dtypes and devices that\n"
        "are not ours.");
    module.def("_tensor_of_bytes", tensor_of_bytes);
}

}  // namespace tenferro::python
