// Fitting two operands, and the operators of the class.
#include "arithmetic.hpp"

#include "functions.hpp"

#include <complex>

#include "host_operations.hpp"
#include "interrupt.hpp"
#include "layout.hpp"
#include "numbers.hpp"
#include "one_pass.hpp"
#include "promotion.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/tensor/creation.hpp"

namespace tenferro::python {

namespace {

bool is_number(nb::handle object) noexcept {
    PyObject* p = object.ptr();
    return PyBool_Check(p) != 0 || PyLong_CheckExact(p) != 0 || PyFloat_CheckExact(p) != 0 ||
           PyComplex_CheckExact(p) != 0;
}

Number number_of(nb::handle object) {
    PyObject* p = object.ptr();
    if (PyFloat_Check(p) != 0) return PyFloat_AS_DOUBLE(p);
    if (PyComplex_Check(p) != 0)
        return std::complex<double>(PyComplex_RealAsDouble(p), PyComplex_ImagAsDouble(p));
    return integer_from(object, "operand", "a number");
}

/// A number as a tensor beside `other`, which is converted where it cannot take the number.
Pair beside(const Value& other, nb::handle number) {
    if (PyBool_Check(number.ptr()) != 0 && other.dtype() == DType::Bool)
        return {other, widened(Value(scalar(number.is(Py_True))), other)};
    const Number value = number_of(number);
    const Value fit = in_dtype(other, value.beside(other.dtype()));
    return {fit, widened(fit.apply(tensor_ops::constant(fit.dtype(), value), {}), fit)};
}

bool is_operand(nb::handle object) {
    return value_of(object) != nullptr || is_number(object) || library_of(object) != Library::None ||
           nb::hasattr(object, "__dlpack__") || PyList_Check(object.ptr()) != 0 ||
           PyTuple_Check(object.ptr()) != 0 || PyFloat_Check(object.ptr()) != 0;
}

nb::object operate(Binary f, nb::handle a, nb::handle b) {
    Arguments arguments;
    const std::optional<Pair> pair = fitted(arguments, a, b);
    if (!pair) return nb::borrow(Py_NotImplemented);
    return arguments.give(compute(pair->a, [&] { return elementwise(f, pair->a, pair->b); }));
}

template <Unary F>
Value operate(const Value& a) {
    return elementwise(F, a);
}
template <Binary F>
nb::object forward(nb::handle a, nb::handle b) {
    return operate(F, a, b);
}
template <Binary F>
nb::object backward(nb::handle a, nb::handle b) {
    return operate(F, b, a);
}

bool is_whole(DType dtype) noexcept { return info(dtype).is_integer || dtype == DType::Bool; }

/// Where a remainder that is not 0 has not the sign of b, which Python's has.
Value has_other_sign(const Value& rest, const Value& b) {
    const Value zero = full_like(rest, 0);
    return logical_and(not_equal(rest, zero), not_equal(less(rest, zero), less(b, zero)));
}

}  // namespace

std::optional<Pair> fitted(Arguments& arguments, nb::handle a, nb::handle b) {
    if (!is_operand(a) || !is_operand(b)) return std::nullopt;
    if (is_number(b) && !is_number(a)) return beside(arguments.take(a), b);
    if (is_number(a) && !is_number(b)) {
        Pair pair = beside(arguments.take(b), a);
        return Pair{std::move(pair.b), std::move(pair.a)};
    }
    std::vector<Value> values{arguments.take(a), arguments.take(b)};
    promote(values);
    return broadcast(values[0], values[1]);
}

std::optional<Value> number_beside(const Value& a, nb::handle number) {
    if (!is_number(number) || dtype_beside(a.dtype(), number) != a.dtype()) return std::nullopt;
    return beside(a, number).b;
}

DType dtype_beside(DType dtype, nb::handle number) {
    const bool is_bool = PyBool_Check(number.ptr()) != 0;
    return is_bool ? dtype : number_of(number).beside(dtype);
}

Pair broadcast(const Value& a, const Value& b) {
    if (tfe_detail::have_one_shape(a, b)) return {a, b};
    return {widened(a, b), widened(b, a)};
}

Value elementwise(Unary f, const Value& a) { return in_memory_order(f, a); }
Value elementwise(Binary f, const Value& a, const Value& b) { return in_memory_order(f, a, b); }

double elements(const Value& a) { return a.is_traced() ? 0 : static_cast<double>(a.eager().value().size()); }
Value compute(const Value& like, const std::function<Value()>& work) { return compute(elements(like), work); }
Value compute(double count, const std::function<Value()>& work) {
    return unlocked(count >= static_cast<double>(kLongElements), work);
}

nb::object binary(Binary f, nb::handle a, nb::handle b) {
    nb::object result = operate(f, a, b);
    if (result.is(Py_NotImplemented)) {
        const nb::handle wrong = is_operand(a) ? b : a;
        throw Error(ErrorKind::DTypeMismatch, "operand",
                    text(Py_TYPE(wrong.ptr())->tp_name, " is not an array, a number or a list of numbers"));
    }
    return result;
}

Value in_floating(const Value& a) { return is_whole(a.dtype()) ? in_dtype(a, DType::F64) : a; }

Value true_divide(const Value& a, const Value& b) { return div(in_floating(a), in_floating(b)); }

Value is_finite(const Value& a) {
    const auto found = [](const Value& x) {
        const Value rest = sub(x, x);  // NaN for infinities too
        return equal(rest, rest);
    };
    return in_one_pass(found, a);
}

Value floor(const Value& a) { return is_whole(a.dtype()) ? a : tenferro::floor(a); }

namespace {

Value remainder_of(const Value& a, const Value& b) {
    const Value rest = rem(a, b), found = select(has_other_sign(rest, b), add(rest, b), rest);
    return is_whole(a.dtype()) ? found : host_elementwise("zero_signed", found, b);
}

Value quotient_of(const Value& a, const Value& b) {
    const Value rest = rem(a, b), one = full_like(rest, 1), other_sign = has_other_sign(rest, b);
    if (is_whole(a.dtype())) return sub(div(a, b), select(other_sign, one, full_like(rest, 0)));
    // As Python: without the rest the quotient is a whole number but for roundings.
    const Value whole = div(sub(a, rest), b), near = select(other_sign, sub(whole, one), whole),
                low = floor(near);
    const Value found = select(less(full_like(near, 0.5), sub(near, low)), add(low, one), low);
    return select(equal(b, full_like(b, 0)), div(a, b), host_elementwise("zero_signed", found, div(a, b)));
}

}  // namespace

Value remainder(const Value& a, const Value& b) { return in_one_pass(remainder_of, a, b); }
Value floor_divide(const Value& a, const Value& b) { return in_one_pass(quotient_of, a, b); }

Value logical_not(const Value& a) { return equal(cast(a, DType::Bool), full_like(cast(a, DType::Bool), 0)); }
Value logical_and(const Value& a, const Value& b) {
    const Value x = cast(a, DType::Bool);
    return select(x, cast(b, DType::Bool), x);
}
Value logical_or(const Value& a, const Value& b) {
    const Value x = cast(a, DType::Bool);
    return select(x, x, cast(b, DType::Bool));
}
Value logical_xor(const Value& a, const Value& b) {
    return not_equal(cast(a, DType::Bool), cast(b, DType::Bool));
}

Value bitwise_and(const Value& a, const Value& b) {
    return a.dtype() == DType::Bool ? logical_and(a, b) : host_elementwise("bitwise_and", a, b);
}
Value bitwise_or(const Value& a, const Value& b) {
    return a.dtype() == DType::Bool ? logical_or(a, b) : host_elementwise("bitwise_or", a, b);
}
Value bitwise_xor(const Value& a, const Value& b) {
    return a.dtype() == DType::Bool ? logical_xor(a, b) : host_elementwise("bitwise_xor", a, b);
}
Value bitwise_invert(const Value& a) {
    return a.dtype() == DType::Bool ? logical_not(a) : host_elementwise("bitwise_invert", a);
}
Value left_shift(const Value& a, const Value& b) { return host_elementwise("bitwise_left_shift", a, b); }
Value right_shift(const Value& a, const Value& b) { return host_elementwise("bitwise_right_shift", a, b); }

void bind_operators(nb::class_<Value>& tensor) {
    const auto both = [&]<Binary F>(const char* name, const char* reflected,
                                    std::integral_constant<Binary, F>) {
        tensor.def(name, forward<F>, nb::is_operator());
        if (reflected != nullptr) tensor.def(reflected, backward<F>, nb::is_operator());
    };
#define TENFERRO_BOTH(name, function) \
    both("__" #name "__", "__r" #name "__", std::integral_constant<Binary, &function>{})
#define TENFERRO_COMPARISON(name, function) \
    both("__" #name "__", nullptr, std::integral_constant<Binary, &function>{})
    TENFERRO_BOTH(add, add<Value>);
    TENFERRO_BOTH(sub, sub<Value>);
    TENFERRO_BOTH(mul, mul<Value>);
    TENFERRO_BOTH(truediv, true_divide);
    TENFERRO_BOTH(floordiv, floor_divide);
    TENFERRO_BOTH(mod, remainder);
    TENFERRO_BOTH(pow, pow<Value>);
    TENFERRO_BOTH(and, bitwise_and);
    TENFERRO_BOTH(or, bitwise_or);
    TENFERRO_BOTH(xor, bitwise_xor);
    TENFERRO_BOTH(lshift, left_shift);
    TENFERRO_BOTH(rshift, right_shift);
    TENFERRO_COMPARISON(eq, equal<Value>);
    TENFERRO_COMPARISON(ne, not_equal<Value>);
    TENFERRO_COMPARISON(lt, less<Value>);
    TENFERRO_COMPARISON(le, less_equal<Value>);
    TENFERRO_COMPARISON(gt, greater<Value>);
    TENFERRO_COMPARISON(ge, greater_equal<Value>);
#undef TENFERRO_BOTH
#undef TENFERRO_COMPARISON
    tensor.attr("__hash__") = nb::none();
    tensor.attr("__array_ufunc__") = nb::none();  // operators of NumPy leave tensors to ours
    tensor.def(
        "__matmul__", [](nb::handle x, nb::handle y) { return matmul_operator(x, y); }, nb::is_operator());
    tensor.def(
        "__rmatmul__", [](nb::handle x, nb::handle y) { return matmul_operator(y, x); }, nb::is_operator());
    tensor.def("__neg__", operate<neg<Value>>)
        .def("__pos__", [](const Value& a) { return a; })
        .def("__abs__", operate<abs<Value>>)
        .def("__invert__", operate<bitwise_invert>)
        .def("__bool__", [](const Value& a) { return a.tensor("bool").item<std::complex<double>>() != 0.; })
        .def("__float__", [](const Value& a) { return a.tensor("float").item<double>(); })
        .def("__int__", [](nb::handle a) { return nb::int_(nb::object(a.attr("item")())); })
        .def("__index__",
             [](const Value& a) {
                 if (!info(a.dtype()).is_integer)
                     throw Error(ErrorKind::DTypeMismatch, "index", "only a tensor of integers is an index");
                 return a.tensor("index").item<std::int64_t>();
             })
        .def("__complex__",
             [](nb::handle a) { return nb::module_::import_("builtins").attr("complex")(a.attr("item")()); });
}

}  // namespace tenferro::python
