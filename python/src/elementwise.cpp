// Elementwise functions: the library's, on operands that are made to fit.
#include <algorithm>

#include "arithmetic.hpp"
#include "functions.hpp"
#include "host_operations.hpp"
#include "layout.hpp"
#include "one_pass.hpp"
#include "promotion.hpp"

namespace tenferro::python {

namespace {

/// On operands whose dtype the operation does not have: integers as float64 for analytic functions.
template <OpId Op>
Value adapted(const Value& a, Unary f) {
    const DTypes dtypes = info(Op).dtypes;
    return f(dtypes.contains(a.dtype()) || dtypes.contains(DType::I64) ? a : in_floating(a));
}

nb::object unary(Unary f, nb::handle x) {
    Arguments arguments;
    const Value a = arguments.take(x);
    Value result = compute(a, [&] { return elementwise(f, a); });
    // The memory of an array of another library is the caller's.
    const bool is_operand = !a.is_traced() && &result.eager().value() == &a.eager().value();
    if (is_operand && arguments.library() != Library::Tenferro) result = copied(result);
    return arguments.give(std::move(result));
}

Value square(const Value& a) { return mul(a, a); }
Value reciprocal(const Value& a) { return div(full_like(in_floating(a), 1), in_floating(a)); }
bool is_whole(const Value& a) { return info(a.dtype()).is_integer || a.dtype() == DType::Bool; }
Value ceil(const Value& a) { return is_whole(a) ? a : tenferro::ceil(a); }
Value trunc(const Value& a) { return is_whole(a) ? a : tenferro::trunc(a); }
Value is_nan(const Value& a) { return not_equal(a, a); }
Value infinite(const Value& a) {
    if (info(a.dtype()).is_complex) return logical_or(infinite(real(a)), infinite(imag(a)));
    return logical_not(logical_or(is_finite(a), is_nan(a)));
}
Value is_infinite(const Value& a) { return in_one_pass(infinite, a); }
Value angle(const Value& a) {
    const Value x = in_floating(a);
    return atan2(imag(x), real(x));
}
Value real_part(const Value& a) { return info(a.dtype()).is_complex ? real(a) : a; }
Value imaginary_part(const Value& a) { return info(a.dtype()).is_complex ? imag(a) : full_like(a, 0); }
Value logaddexp(const Value& a, const Value& b) {
    const auto sum = [](const Value& x, const Value& y) {
        const Value apart = select(equal(x, y), full_like(x, 0), abs(sub(x, y)));  // 0 of equal infinities
        return add(maximum(x, y), log1p(exp(neg(apart))));
    };
    return in_one_pass(sum, a, b);
}

Value sign_bit(const Value& a) { return host_elementwise("signbit", in_floating(a)); }
Value rounded(const Value& a) { return is_whole(a) ? a : round(a); }
Value log2(const Value& a) { return host_elementwise("log2", in_floating(a)); }
Value log10(const Value& a) { return host_elementwise("log10", in_floating(a)); }
Value next_after(const Value& a, const Value& b) { return host_elementwise("nextafter", a, b); }
Value copy_sign(const Value& a, const Value& b) { return select(equal(sign_bit(a), sign_bit(b)), a, neg(a)); }

struct Function {
    const char* name;
    Unary f;
    const char* doc;
};
#define TENFERRO_ROW(Name, method, dtypes, meaning, ...)                                              \
    {#method,                                                                                         \
     [](const Value& a) { return adapted<OpId::Name>(a, [](const Value& x) { return method(x); }); }, \
     "Elementwise: " meaning ". An array of the shape of x. Raises TypeError for dtypes that have none."},
const Function kOfTheLibrary[] = {TENFERRO_UNARY_OPS(TENFERRO_ROW)};
#undef TENFERRO_ROW
const Function kMore[] = {
    {"negative", [](const Value& a) { return neg(a); }, "Elementwise: -x."},
    {"positive", [](const Value& a) { return a; }, "x itself."},
    {"real", real_part, "Elementwise: the real part."},
    {"imag", imaginary_part, "Elementwise: the imaginary part, 0 for real x."},
    {"square", square, "Elementwise: x * x."},
    {"reciprocal", reciprocal, "Elementwise: 1 / x."},
    {"floor", floor, "Elementwise: the largest whole number not above x."},
    {"ceil", ceil, "Elementwise: the smallest whole number not below x."},
    {"trunc", trunc, "Elementwise: x without its fraction."},
    {"isnan", is_nan, "Elementwise: whether x is NaN."},
    {"isfinite", is_finite, "Elementwise: whether x is neither infinite nor NaN."},
    {"isinf", is_infinite, "Elementwise: whether x is infinite."},
    {"logical_not", logical_not, "Elementwise: whether x is 0."},
    {"bitwise_invert", bitwise_invert, "Elementwise: the bits of integers exchanged; not, for bool."},
    {"signbit", sign_bit, "Elementwise: whether the sign is negative, of -0 too."},
    {"round", rounded, "Elementwise: the nearest whole number, of two the even one."},
    {"log2", log2, "Elementwise: the logarithm to base 2."},
    {"log10", log10, "Elementwise: the logarithm to base 10."},
    {"angle", angle, "Elementwise: the argument of complex x, in radians."},
};

struct BinaryFunction {
    const char* name;
    Binary f;
    const char* doc;
};
template <Value (*F)(const Value&, const Value&)>
Value floating(const Value& a, const Value& b) {
    return F(in_floating(a), in_floating(b));
}
const BinaryFunction kBinary[] = {
    {"add", add<Value>, "a + b"},
    {"subtract", sub<Value>, "a - b"},
    {"multiply", mul<Value>, "a * b"},
    {"divide", true_divide, "a / b, of integers in float64"},
    {"floor_divide", floor_divide, "a / b, rounded down"},
    {"remainder", remainder, "the rest of a / b, with the sign of b"},
    {"pow", pow<Value>, "a to the power b"},
    {"atan2", floating<atan2<Value>>, "the angle of the point (b, a), in radians"},
    {"hypot", floating<hypot<Value>>, "sqrt(a a + b b) without overflow between"},
    {"logaddexp", floating<logaddexp>, "log(exp(a) + exp(b)) without overflow"},
    {"maximum", maximum<Value>, "the larger; NaN if either is"},
    {"minimum", minimum<Value>, "the smaller; NaN if either is"},
    {"equal", equal<Value>, "whether a == b"},
    {"not_equal", not_equal<Value>, "whether a != b"},
    {"less", less<Value>, "whether a < b"},
    {"less_equal", less_equal<Value>, "whether a <= b"},
    {"greater", greater<Value>, "whether a > b"},
    {"greater_equal", greater_equal<Value>, "whether a >= b"},
    {"copysign", floating<copy_sign>, "the size of a with the sign of b"},
    {"nextafter", floating<next_after>, "the next number after a towards b; it has no derivative"},
    {"bitwise_and", bitwise_and, "the bits that both integers have; and, for bool"},
    {"bitwise_or", bitwise_or, "the bits that one of the integers has; or, for bool"},
    {"bitwise_xor", bitwise_xor, "the bits in which the integers differ; exclusive or, for bool"},
    {"bitwise_left_shift", left_shift, "the integer a with its bits moved up by b"},
    {"bitwise_right_shift", right_shift, "the integer a with its bits moved down by b, rounded down"},
    {"logical_and", logical_and, "whether both are not 0"},
    {"logical_or", logical_or, "whether one is not 0"},
    {"logical_xor", logical_xor, "whether exactly one is not 0"},
};

nb::object where(nb::handle condition, nb::handle x, nb::handle y) {
    Arguments arguments, unseen;
    const std::optional<Pair> pair = fitted(arguments, x, y);
    if (!pair) throw nb::type_error("where: x and y must be arrays or numbers");
    const Value predicate = in_dtype(unseen.take(condition), DType::Bool);
    const Pair a = broadcast(predicate, pair->a), b = broadcast(a.a, pair->b), c = broadcast(a.b, b.b);
    const auto choose = [](const Value& on_true, const Value& on_false, const Value& chosen) {
        return select(chosen, on_true, on_false);
    };
    return arguments.give(compute(c.a, [&] { return in_memory_order(choose, c.a, c.b, b.a); }));
}

/// x between two numbers that leave its dtype as it is.
std::optional<nb::object> limited(nb::handle x, nb::handle low, nb::handle high) {
    Arguments arguments;
    const Value a = arguments.take(x);
    const std::optional<Value> least = number_beside(a, low), most = number_beside(a, high);
    if (!least || !most || !may_be_viewed(a)) return std::nullopt;
    const auto between = [](const Value& v, const Value& l, const Value& h) { return clamp(l, v, h); };
    return arguments.give(compute(a, [&] { return in_memory_order(between, a, *least, *most); }));
}

nb::object clip(nb::handle x, nb::handle low, nb::handle high) {
    if (low.is_none() && high.is_none()) return on(x, copied);
    nb::object result = nb::borrow(x);
    if (!low.is_none() && !high.is_none())
        if (std::optional<nb::object> found = limited(x, low, high)) return *found;
    if (!low.is_none()) result = binary(maximum<Value>, result, low);
    if (!high.is_none()) result = binary(minimum<Value>, result, high);
    return result;
}

void bind_unary(NamingModule& module, const Function& row) {
    const Unary f = row.f;
    module.def(
        row.name, [f](nb::handle x) { return unary(f, x); }, nb::arg("x"), row.doc);
}

}  // namespace

void bind_elementwise(NamingModule& module) {
    const auto is_adapted = [](std::string_view name) {  // or has another name
        return name == "neg" || std::any_of(std::begin(kMore), std::end(kMore),
                                            [name](const Function& row) { return row.name == name; });
    };
    for (const Function& row : kOfTheLibrary)
        if (!is_adapted(row.name)) bind_unary(module, row);
    for (const Function& row : kMore) bind_unary(module, row);
    for (const BinaryFunction& row : kBinary) {
        const Binary f = row.f;
        module.def(
            row.name, [f](nb::handle a, nb::handle b) { return binary(f, a, b); }, nb::arg("a"), nb::arg("b"),
            row.doc);
    }
    module.def("_beside", [](nb::handle dtype, nb::handle number) {
        return dtype_object(dtype_beside(dtype_of(dtype), number));
    });
    module.def("where", where, nb::arg("condition"), nb::arg("x"), nb::arg("y"),
               "x where the condition holds, else y; all three broadcast.");
    module.def("clip", clip, nb::arg("x"), nb::arg("min") = nb::none(), nb::arg("max") = nb::none(),
               "x limited to [min, max].");
    module.def(
        "astype",
        [](nb::handle x, nb::handle dtype, bool copy, nb::handle device) {
            check_device(device, "astype");
            const DType wanted = dtype_of(dtype);
            return on(x, [&](const Value& a) {
                if (copy && a.dtype() == wanted) return copied(a);
                const auto converted = [wanted](const Value& x) { return in_dtype(x, wanted); };
                return compute(a, [&] { return in_memory_order(converted, a); });
            });
        },
        nb::arg("x"), nb::arg("dtype"), nb::kw_only(), nb::arg("copy") = true, nb::arg("device") = nb::none(),
        "x in another dtype: floats to integers truncate, complex to real keeps the real part, anything to\n"
        "bool is whether it is not 0. With copy=False x itself where it has the dtype. TypeError for dtypes "
        "that are not ours.");
}

}  // namespace tenferro::python
