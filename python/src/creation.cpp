// Arrays made from rules, as Tensors.
#include <nanobind/stl/optional.h>

#include <cmath>

#include "arithmetic.hpp"
#include "functions.hpp"
#include "promotion.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/tensor/creation.hpp"

namespace tenferro::python {

namespace {

DType dtype_or(nb::handle dtype, DType otherwise) { return dtype.is_none() ? otherwise : dtype_of(dtype); }

Value filled(nb::handle shape, nb::handle value, nb::handle dtype) {
    const Value number = as_value(value);
    if (number.rank() != 0)
        throw Error(ErrorKind::RankMismatch, "full",
                    text("the value has rank ", number.rank(), " but must be a number"));
    const Value one = in_dtype(number, dtype_or(dtype, number.dtype()));
    const Dims extents = integers_from(shape, "full", "an extent");
    const Value repeated = repeat(one, SymShape(extents.begin(), extents.end()));
    return repeated.is_traced() ? repeated : Value(repeated.tensor("full").duplicate());
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
    const auto real = [](nb::handle x, const char*) {
        const double value = PyFloat_AsDouble(x.ptr());
        if (value == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
        return value;
    };
    if (whole) {
        const auto [first, limit] = from_zero(integer);
        return in_dtype(Value(tenferro::arange<std::int64_t>(first, limit, integer(step, "step"))), wanted);
    }
    const auto [first, limit] = from_zero(real);
    return in_dtype(Value(tenferro::arange<double>(first, limit, real(step, "step"))), wanted);
}

Value linspace(double start, double stop, Index number, nb::handle dtype, bool endpoint) {
    if (number < 0)
        throw Error(ErrorKind::InvalidArgument, "linspace",
                    text("num is ", number, " but must not be negative"));
    std::vector<double> values;
    const auto steps = static_cast<double>(endpoint ? number - 1 : number);
    for (Index i = 0; i < number; ++i)
        values.push_back(steps == 0 ? start : start + (stop - start) * (static_cast<double>(i) / steps));
    if (endpoint && number > 1) values.back() = stop;
    return in_dtype(Value(Tensor::from_data<double>(std::span<const double>(values), {number})),
                    dtype_or(dtype, DType::F64));
}

Value like(nb::handle x, nb::handle dtype, const Number& number) {
    const Value a = as_value(x);
    const Value one = in_dtype(a, dtype_or(dtype, a.dtype()));
    const Value repeated = full_like(one, number);
    return repeated.is_traced() ? repeated : Value(repeated.tensor("full_like").duplicate());
}

}  // namespace

void bind_creation(nb::module_& module) {
    module.def(
        "zeros",
        [](nb::handle shape, nb::handle dtype) {
            return Value(
                Tensor::zeros(dtype_or(dtype, DType::F64), integers_from(shape, "zeros", "an extent")));
        },
        nb::arg("shape"), nb::kw_only(), nb::arg("dtype") = nb::none(), "A Tensor of zeros.");
    module.attr("empty") = module.attr("zeros");
    module.def(
        "ones",
        [](nb::handle shape, nb::handle dtype) {
            return Value(ones(dtype_or(dtype, DType::F64), integers_from(shape, "ones", "an extent")));
        },
        nb::arg("shape"), nb::kw_only(), nb::arg("dtype") = nb::none(), "A Tensor of ones.");
    module.def("full", filled, nb::arg("shape"), nb::arg("value"), nb::kw_only(),
               nb::arg("dtype") = nb::none(), "A Tensor of one number.");
    module.def(
        "eye",
        [](Index rows, std::optional<Index> columns, nb::handle dtype) {
            return Value(eye(dtype_or(dtype, DType::F64), rows, columns));
        },
        nb::arg("n_rows"), nb::arg("n_cols") = nb::none(), nb::kw_only(), nb::arg("dtype") = nb::none(),
        "The identity matrix.");
    module.def("arange", arange, nb::arg("start"), nb::arg("stop") = nb::none(), nb::arg("step") = 1,
               nb::kw_only(), nb::arg("dtype") = nb::none(),
               "start, start + step, … before stop; from 0 with one number.");
    module.def("linspace", linspace, nb::arg("start"), nb::arg("stop"), nb::arg("num"), nb::kw_only(),
               nb::arg("dtype") = nb::none(), nb::arg("endpoint") = true, "Numbers at equal distances.");
    module.def(
        "zeros_like", [](nb::handle x, nb::handle dtype) { return like(x, dtype, 0); }, nb::arg("x"),
        nb::kw_only(), nb::arg("dtype") = nb::none(), "Zeros in the shape and dtype of x.");
    module.attr("empty_like") = module.attr("zeros_like");
    module.def(
        "ones_like", [](nb::handle x, nb::handle dtype) { return like(x, dtype, 1); }, nb::arg("x"),
        nb::kw_only(), nb::arg("dtype") = nb::none(), "Ones in the shape and dtype of x.");
}

}  // namespace tenferro::python
