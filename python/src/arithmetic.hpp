// Operators between tensors, arrays and numbers: NumPy's broadcasting and promotion, where the operations of
// the library are strict.
#pragma once

#include <functional>
#include <optional>

#include "exchange.hpp"

namespace tenferro::python {

/// Two operands in their common dtype, repeated to their common shape.
struct Pair {
    Value a, b;
};

/// A number of Python beside a tensor keeps the tensor's precision: it becomes float64 only beside integers.
/// An operand that is not an array, a number or a list gives nothing.
[[nodiscard]] std::optional<Pair> fitted(Arguments& arguments, nb::handle a, nb::handle b);

/// A number of Python that leaves the dtype of `a` as it is, as a tensor of its shape.
[[nodiscard]] std::optional<Value> number_beside(const Value& a, nb::handle number);

/// The dtype of a tensor of `dtype` beside a number of Python.
[[nodiscard]] DType dtype_beside(DType dtype, nb::handle number);

/// Repeated to what they broadcast to together.
[[nodiscard]] Pair broadcast(const Value& a, const Value& b);

/// The number of elements; 0 for a traced one, which has none yet.
[[nodiscard]] double elements(const Value& a);
/// work(), which needs nothing of Python, without the interpreter's lock where it is on many elements: those
/// of `like`, or so many.
[[nodiscard]] Value compute(const Value& like, const std::function<Value()>& work);
[[nodiscard]] Value compute(double count, const std::function<Value()>& work);

using Unary = Value (*)(const Value&);
using Binary = Value (*)(const Value&, const Value&);
/// An elementwise f on operands of one shape, in the order of memory.
[[nodiscard]] Value elementwise(Unary f, const Value& a);
[[nodiscard]] Value elementwise(Binary f, const Value& a, const Value& b);
/// f(a, b) of fitted operands, as an array of the operands' library. TypeError for what is no operand.
[[nodiscard]] nb::object binary(Binary f, nb::handle a, nb::handle b);

// NumPy's meaning where it differs from the operation of the library.
[[nodiscard]] Value true_divide(const Value& a, const Value& b);
[[nodiscard]] Value floor_divide(const Value& a, const Value& b);
[[nodiscard]] Value remainder(const Value& a, const Value& b);
[[nodiscard]] Value logical_not(const Value& a);
[[nodiscard]] Value logical_and(const Value& a, const Value& b);
[[nodiscard]] Value logical_or(const Value& a, const Value& b);
[[nodiscard]] Value logical_xor(const Value& a, const Value& b);
/// On the bits of integers; on bool as the logical ones. DTypeMismatch for others.
[[nodiscard]] Value bitwise_and(const Value& a, const Value& b);
[[nodiscard]] Value bitwise_or(const Value& a, const Value& b);
[[nodiscard]] Value bitwise_xor(const Value& a, const Value& b);
[[nodiscard]] Value bitwise_invert(const Value& a);
[[nodiscard]] Value left_shift(const Value& a, const Value& b);
[[nodiscard]] Value right_shift(const Value& a, const Value& b);
/// In float64 for integers and bool.
[[nodiscard]] Value in_floating(const Value& a);
/// Whether it is neither infinite nor NaN.
[[nodiscard]] Value is_finite(const Value& a);
/// The largest whole number that is not larger.
[[nodiscard]] Value floor(const Value& a);

void bind_operators(nb::class_<Value>& tensor);

}  // namespace tenferro::python
