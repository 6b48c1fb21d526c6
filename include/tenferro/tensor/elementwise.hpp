// From a row of op_table.hpp to its scalar functor, which every backend shares; elementwise/ has the functors
// by family.
#pragma once

#include "tenferro/tensor/elementwise/analytic.hpp"
#include "tenferro/tensor/elementwise/arithmetic.hpp"
#include "tenferro/tensor/elementwise/comparison.hpp"
#include "tenferro/tensor/op_table.hpp"
#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace elementwise {

/// Whether the operation has no result for some operands of type T; `Functor::defined(a, b)` tells which.
template <class Functor, class T>
concept Partial = requires(T a) {
    Functor::defined(a, a);
};

/// Throws InvalidArgument: the integers `lhs` and `rhs` at `position` have no result.
[[noreturn]] TENFERRO_API void throw_undefined(OpId op, std::int64_t lhs, std::int64_t rhs,
                                               std::span<const Index> position);

namespace tfe_detail {
/// Calls f<T>(functor) with the element type of `dtype`, if the operation is defined on it.
template <OpId Op, class Functor, class F>
void visit_row(DType dtype, F& f) {
    visit_dtype(dtype, [&]<class T> {
        if constexpr (info(Op).dtypes.contains(storage_dtype<T>)) f.template operator()<T>(Functor{});
    });
}
}  // namespace tfe_detail

/// Calls f<T>(functor) for the unary operation `op` and the element type T of `dtype`; nothing when it is not
/// defined there.
template <class F>
void visit_unary(OpId op, DType dtype, F&& f) {
    switch (op) {
#define TENFERRO_ROW(Name, method, dtypes, meaning, ...) \
    case OpId::Name: return tfe_detail::visit_row<OpId::Name, Name>(dtype, f);
        TENFERRO_UNARY_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
        default: __builtin_unreachable();
    }
}

/// The same for a binary operation.
template <class F>
void visit_binary(OpId op, DType dtype, F&& f) {
    switch (op) {
#define TENFERRO_ROW(Name, method, dtypes, meaning, ...) \
    case OpId::Name: return tfe_detail::visit_row<OpId::Name, Name>(dtype, f);
        TENFERRO_BINARY_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
        default: __builtin_unreachable();
    }
}

/// The dtype of an operation's result: that of the functor's result.
[[nodiscard]] inline DType unary_result(OpId op, DType dtype) {
    DType result = dtype;
    visit_unary(op, dtype, [&]<class T>(auto f) { result = storage_dtype<decltype(f(T{}))>; });
    return result;
}
[[nodiscard]] inline DType binary_result(OpId op, DType dtype) {
    DType result = dtype;
    visit_binary(op, dtype, [&]<class T>(auto f) { result = storage_dtype<decltype(f(T{}, T{}))>; });
    return result;
}

}}}  // namespace tenferro::TENFERRO_ABI::elementwise
