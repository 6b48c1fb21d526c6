// Arrays made from rules, as Tensors.
#include <nanobind/stl/optional.h>

#include <cmath>

#include "arithmetic.hpp"
#include "functions.hpp"
#include "layout.hpp"
#include "promotion.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/tensor/creation.hpp"

namespace tenferro::python {

namespace {

DType dtype_or(nb::handle dtype, DType otherwise) { return dtype.is_none() ? otherwise : dtype_of(dtype); }

/// `value` in the dtype that an array is made in, which keeps imaginary parts.
Value kept_in(const Value& value, DType dtype, std::string_view op) {
    if (info(value.dtype()).is_complex && !info(dtype).is_complex)
        throw Error(ErrorKind::DTypeMismatch, op,
                    text("the value is complex but the dtype is ", numpy_name(dtype)));
    return in_dtype(value, dtype);
}

/// `number` at every place, each with memory of its own.
Value repeated(const Value& number, SymShape shape) { return copied(repeat(number, std::move(shape))); }

Value filled(nb::handle shape, nb::handle value, nb::handle dtype) {
    const Value number = as_value(value);
    if (number.rank() != 0)
        throw Error(ErrorKind::RankMismatch, "full",
                    text("the value has rank ", number.rank(), " but must be a number"));
    const Value one = kept_in(number, dtype_or(dtype, number.dtype()), "full");
    const Dims extents = integers_from(shape, "full", "an extent");
    return repeated(one, SymShape(extents.begin(), extents.end()));
}

/// The error that Python has set, if it says that `x` is no number, in our words.
[[noreturn]] void throw_no_number(std::string_view op, std::string_view what, nb::handle x) {
    const bool is_none = PyErr_ExceptionMatches(PyExc_TypeError) != 0 ||
                         PyErr_ExceptionMatches(PyExc_ValueError) != 0;  // of arrays of many
    if (!is_none) throw nb::python_error();
    PyErr_Clear();
    throw Error(ErrorKind::DTypeMismatch, op, text(what, " is ", shown(x), " but must be a number"));
}

Value arange(nb::handle start, nb::handle stop, nb::handle step, nb::handle dtype) {
    const auto is_integer = [](nb::handle x) { return PyIndex_Check(x.ptr()) != 0; };
    const bool whole = is_integer(start) && (stop.is_none() || is_integer(stop)) && is_integer(step);
    const DType wanted = dtype_or(dtype, whole ? DType::I64 : DType::F64);
    const auto from_zero = [&](const auto& number) {  // with one number, it is where to stop
        const auto first = number(start, "start");
        return stop.is_none() ? std::pair(decltype(first){}, first) : std::pair(first, number(stop, "stop"));
    };
    const auto integer = [](nb::handle x, const char* what) {
        return std::int64_t{integer_from(x, "arange", what)};
    };
    const auto real = [](nb::handle x, const char* what) {
        const double value = PyFloat_AsDouble(x.ptr());
        if (value == -1 && PyErr_Occurred() != nullptr) throw_no_number("arange", what, x);
        return value;
    };
    if (whole) {
        const auto [first, limit] = from_zero(integer);
        return in_dtype(Value(tenferro::arange<std::int64_t>(first, limit, integer(step, "step"))), wanted);
    }
    const auto [first, limit] = from_zero(real);
    return in_dtype(Value(tenferro::arange<double>(first, limit, real(step, "step"))), wanted);
}

Value linspace(nb::handle start, nb::handle stop, Index number, nb::handle dtype, bool endpoint) {
    if (number < 0)
        throw Error(ErrorKind::InvalidArgument, "linspace",
                    text("num is ", number, " but must not be negative"));
    const auto end = [](nb::handle x, const char* what) {
        const Py_complex value = PyComplex_AsCComplex(x.ptr());
        if (value.real == -1 && PyErr_Occurred() != nullptr) throw_no_number("linspace", what, x);
        return std::complex<double>(value.real, value.imag);
    };
    const std::complex<double> first = end(start, "start"), last = end(stop, "stop");
    const bool is_complex = PyComplex_Check(start.ptr()) != 0 || PyComplex_Check(stop.ptr()) != 0;
    Tensor line = [number] {
        try {
            return Tensor::zeros(DType::C64, {number});
        } catch (const Error&) {  // more than there is, or than can be counted
            throw Error(ErrorKind::OutOfMemory, "linspace",
                        text("num is ", number, ", more than there is memory for"));
        }
    }();
    auto* const values = line.write().data_as<std::complex<double>>();
    const auto steps = static_cast<double>(endpoint ? number - 1 : number);
    for (Index i = 0; i < number; ++i)
        values[i] = steps == 0 ? first : first + (last - first) * (static_cast<double>(i) / steps);
    if (endpoint && number > 1) values[number - 1] = last;
    const DType made = is_complex ? DType::C64 : DType::F64;
    return kept_in(in_dtype(Value(line.share()), made), dtype_or(dtype, made), "linspace");
}

/// Ones on a diagonal.
Value eye_of(Index rows, std::optional<Index> columns, Index k, DType dtype) {
    if (k == 0) return Value(eye(dtype, rows, columns));
    const Index width = columns.value_or(rows);
    const Value row(tenferro::arange<std::int64_t>(0, rows)),
        column(tenferro::arange<std::int64_t>(0, width));
    const Pair places = broadcast(reshape(add(row, full_like(row, k)), {rows, 1}), column);
    return in_dtype(equal(places.a, places.b), dtype);
}

/// `number` in the shape of x, and in its dtype without another.
Value like(nb::handle x, nb::handle number, nb::handle dtype) {
    const Value a = as_value(x);
    const Value one = kept_in(as_value(number), dtype_or(dtype, a.dtype()), "full_like");
    return repeated(one, shape_of(a));
}

}  // namespace

void bind_creation(NamingModule& module) {
    const auto of_shape = [&](const char* name, Tensor (*make)(DType, DimsView), const char* doc) {
        module.def(
            name,
            [name, make](nb::handle shape, nb::handle dtype, nb::handle device) {
                check_device(device, name);
                return Value(make(dtype_or(dtype, DType::F64), integers_from(shape, name, "an extent")));
            },
            nb::arg("shape"), nb::kw_only(), nb::arg("dtype") = nb::none(), nb::arg("device") = nb::none(),
            doc);
    };
    of_shape("zeros", Tensor::zeros, "A Tensor of zeros.");
    of_shape("empty", Tensor::zeros, "A Tensor of any numbers: zeros.");
    of_shape(
        "ones", [](DType dtype, DimsView shape) { return ones(dtype, Dims(shape.begin(), shape.end())); },
        "A Tensor of ones.");
    module.def(
        "full",
        [](nb::handle shape, nb::handle value, nb::handle dtype, nb::handle device) {
            check_device(device, "full");
            return filled(shape, value, dtype);
        },
        nb::arg("shape"), nb::arg("fill_value"), nb::kw_only(), nb::arg("dtype") = nb::none(),
        nb::arg("device") = nb::none(), "A Tensor of one number.");
    module.def(
        "eye",
        [](Index rows, std::optional<Index> columns, Index k, nb::handle dtype, nb::handle device) {
            check_device(device, "eye");
            return eye_of(rows, columns, k, dtype_or(dtype, DType::F64));
        },
        nb::arg("n_rows"), nb::arg("n_cols") = nb::none(), nb::kw_only(), nb::arg("k") = 0,
        nb::arg("dtype") = nb::none(), nb::arg("device") = nb::none(),
        "A matrix of ones on diagonal k, above the main one where it is positive, and zeros.");
    module.def(
        "arange",
        [](nb::handle start, nb::handle stop, nb::handle step, nb::handle dtype, nb::handle device) {
            check_device(device, "arange");
            return arange(start, stop, step, dtype);
        },
        nb::arg("start"), nb::arg("stop") = nb::none(), nb::arg("step") = 1, nb::kw_only(),
        nb::arg("dtype") = nb::none(), nb::arg("device") = nb::none(),
        "start, start + step, … before stop; from 0 with one number.");
    module.def(
        "linspace",
        [](nb::handle start, nb::handle stop, Index number, nb::handle dtype, nb::handle device,
           bool endpoint) {
            check_device(device, "linspace");
            return linspace(start, stop, number, dtype, endpoint);
        },
        nb::arg("start"), nb::arg("stop"), nb::arg("num"), nb::kw_only(), nb::arg("dtype") = nb::none(),
        nb::arg("device") = nb::none(), nb::arg("endpoint") = true, "Numbers at equal distances.");
    const auto of_like = [&](const char* name, bool number, const char* doc) {
        module.def(
            name,
            [name, number](nb::handle x, nb::handle dtype, nb::handle device) {
                check_device(device, name);
                return like(x, nb::bool_(number), dtype);
            },
            nb::arg("x"), nb::kw_only(), nb::arg("dtype") = nb::none(), nb::arg("device") = nb::none(), doc);
    };
    of_like("zeros_like", false, "Zeros in the shape and dtype of x.");
    of_like("empty_like", false, "Any numbers in the shape and dtype of x: zeros.");
    of_like("ones_like", true, "Ones in the shape and dtype of x.");
    module.def(
        "full_like",
        [](nb::handle x, nb::handle value, nb::handle dtype, nb::handle device) {
            check_device(device, "full_like");
            return like(x, value, dtype);
        },
        nb::arg("x"), nb::arg("fill_value"), nb::kw_only(), nb::arg("dtype") = nb::none(),
        nb::arg("device") = nb::none(), "One number in the shape and dtype of x.");
}

}  // namespace tenferro::python
