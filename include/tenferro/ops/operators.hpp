// Operators on handles, and operations with a number for an operand. They are where shapes and dtypes are
// made to fit: the operations of the graph stay strict. Two operands broadcast as in NumPy, aligned at the
// last axis; an extent of 1 is repeated, and what is repeated is so by a broadcast_in_dim in the graph. An
// extent that is not known is never taken for 1.
#pragma once

#include "tenferro/ops/functions.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace tensor_ops {
/// The shape to which an operand of shape `a` is repeated beside one of shape `b`, if it is at all.
[[nodiscard]] TENFERRO_API std::optional<SymShape> widened_shape(const SymShape& a, const SymShape& b);
/// The last `rank` of `into` axes.
[[nodiscard]] TENFERRO_API Dims trailing_axes(std::size_t rank, std::size_t into);
}  // namespace tensor_ops

namespace tfe_detail {
template <TensorHandle H>
[[nodiscard]] bool have_one_shape(const H& a, const H& b) {
    if constexpr (requires { a.value(); }) {  // extents are numbers
        return a.value().shape() == b.value().shape();
    } else {
        if (a.rank() != b.rank()) return false;
        for (std::size_t axis = 0; axis < a.rank(); ++axis)
            if (!(a.extent(axis) == b.extent(axis))) return false;
        return true;
    }
}
/// `a` repeated to what it broadcasts to beside `other`.
template <TensorHandle H>
[[nodiscard]] H widened(const H& a, const H& other) {
    std::optional<SymShape> shape = tensor_ops::widened_shape(shape_of(a), shape_of(other));
    if (!shape) return a;
    Dims axes = tensor_ops::trailing_axes(a.rank(), shape->size());
    return broadcast_in_dim(a, *std::move(shape), std::move(axes));
}
/// `a` in the dtype in which it meets a number.
template <TensorHandle H>
[[nodiscard]] H beside(const H& a, const Number& number) {
    const DType dtype = number.beside(a.dtype());
    return dtype == a.dtype() ? a : convert(a, dtype);
}
}  // namespace tfe_detail

// Every binary operation with a number, and the operators.
#define TENFERRO_ROW(Name, method, dtypes, meaning, ...)                        \
    template <TensorHandle H>                                                   \
    [[nodiscard]] H method(const H& a, const std::type_identity_t<Number>& b) { \
        const H x = tfe_detail::beside(a, b);                                   \
        return method(x, full_like(x, b));                                      \
    }                                                                           \
    template <TensorHandle H>                                                   \
    [[nodiscard]] H method(const std::type_identity_t<Number>& a, const H& b) { \
        const H x = tfe_detail::beside(b, a);                                   \
        return method(full_like(x, a), x);                                      \
    }
TENFERRO_BINARY_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW

#define TENFERRO_OPERATOR(symbol, method)                                                \
    template <TensorHandle H>                                                            \
    [[nodiscard]] H operator symbol(const H& a, const H& b) {                            \
        if (tfe_detail::have_one_shape(a, b)) return method(a, b);                       \
        return method(tfe_detail::widened(a, b), tfe_detail::widened(b, a));             \
    }                                                                                    \
    template <TensorHandle H>                                                            \
    [[nodiscard]] H operator symbol(const H& a, const std::type_identity_t<Number>& b) { \
        return method(a, b);                                                             \
    }                                                                                    \
    template <TensorHandle H>                                                            \
    [[nodiscard]] H operator symbol(const std::type_identity_t<Number>& a, const H& b) { \
        return method(a, b);                                                             \
    }
TENFERRO_OPERATOR(+, add)
TENFERRO_OPERATOR(-, sub)
TENFERRO_OPERATOR(*, mul)
TENFERRO_OPERATOR(/, div)
TENFERRO_OPERATOR(<, less)
TENFERRO_OPERATOR(<=, less_equal)
TENFERRO_OPERATOR(>, greater)
TENFERRO_OPERATOR(>=, greater_equal)
#undef TENFERRO_OPERATOR
template <TensorHandle H>
[[nodiscard]] H operator-(const H& a) {
    return neg(a);
}

}}  // namespace tenferro::TENFERRO_ABI
