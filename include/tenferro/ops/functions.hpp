// The operations as functions on handles: written once for every kind of handle that can apply an operation,
// be it a traced tensor, an eager tensor, or an Expr inside a derivative rule. Shapes are as for the methods
// of BackendSession, nothing broadcasts by itself (operators.hpp does); axes may be counted from the end.
#pragma once

#include <concepts>

#include "tenferro/ops/number.hpp"
#include "tenferro/ops/operations.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// Something that stands for a tensor and can apply an operation to others of its kind.
template <class H>
concept TensorHandle = requires(const H& h, const StdTensorOp& op, std::initializer_list<H> inputs) {
    { h.dtype() } -> std::convertible_to<DType>;
    { h.rank() } -> std::convertible_to<std::size_t>;
    { h.extent(std::size_t{0}) } -> std::convertible_to<SymDim>;
    { h.apply(op, inputs) } -> std::same_as<H>;
};

namespace tensor_ops {
/// The elementwise operation `op`, made once.
[[nodiscard]] TENFERRO_API const StdTensorOp& elementwise(OpId op);
/// `value` in `dtype` as a rank-0 constant, see Number::constant.
[[nodiscard]] inline StdTensorOp constant(DType dtype, const Number& value) { return value.constant(dtype); }
/// An axis that is counted from the end, -1 for the last of `rank`, from the front. One that is out of range
/// either way stays as it is, for the operation to refuse.
[[nodiscard]] constexpr Index from_front(Index axis, std::size_t rank) noexcept {
    return axis < 0 && axis >= -static_cast<Index>(rank) ? axis + static_cast<Index>(rank) : axis;
}
[[nodiscard]] inline Dims from_front(Dims axes, std::size_t rank) {
    for (Index& axis : axes) axis = from_front(axis, rank);
    return axes;
}
/// Axes 0 … rank-1 but for `axis`.
[[nodiscard]] TENFERRO_API Dims axes_without(std::size_t rank, Index axis);
[[nodiscard]] TENFERRO_API Dims all_axes(std::size_t rank);
}  // namespace tensor_ops

/// The extents of a handle.
template <TensorHandle H>
[[nodiscard]] SymShape shape_of(const H& a) {
    SymShape shape;
    for (std::size_t axis = 0; axis < a.rank(); ++axis) shape.push_back(a.extent(axis));
    return shape;
}

// One function for each row of the tables of elementwise operations and of reductions, which without axes are
// over all.
#define TENFERRO_ROW(Name, method, dtypes, meaning, ...)          \
    template <TensorHandle H>                                     \
    [[nodiscard]] H method(const H& a) {                          \
        return a.apply(tensor_ops::elementwise(OpId::Name), {a}); \
    }
TENFERRO_UNARY_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
#define TENFERRO_ROW(Name, method, dtypes, meaning, ...)             \
    template <TensorHandle H>                                        \
    [[nodiscard]] H method(const H& a, const H& b) {                 \
        return a.apply(tensor_ops::elementwise(OpId::Name), {a, b}); \
    }
TENFERRO_BINARY_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
#define TENFERRO_ROW(Name, method, dtypes, meaning, ...)                                                     \
    template <TensorHandle H>                                                                                \
    [[nodiscard]] H method(const H& a, Dims axes) {                                                          \
        return a.apply(tensor_ops::Reduction(OpId::Name, tensor_ops::from_front(std::move(axes), a.rank())), \
                       {a});                                                                                 \
    }                                                                                                        \
    template <TensorHandle H>                                                                                \
    [[nodiscard]] H method(const H& a) {                                                                     \
        return method(a, tensor_ops::all_axes(a.rank()));                                                    \
    }
TENFERRO_REDUCE_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW

// One for each regular row. A Flag is false unless given, a Diagonal the main one.
#define TENFERRO_HANDLE_Axis(name) Index name
#define TENFERRO_HANDLE_Axes(name) Dims name
#define TENFERRO_HANDLE_ResultAxis(name) Index name
#define TENFERRO_HANDLE_Integer(name) Index name
#define TENFERRO_HANDLE_Diagonal(name) Index name = 0
#define TENFERRO_HANDLE_Flag(name) bool name = false
#define TENFERRO_PASSED_Axis(name) tensor_ops::from_front(name, handle.rank())
#define TENFERRO_PASSED_Axes(name) tensor_ops::from_front(std::move(name), handle.rank())
#define TENFERRO_PASSED_ResultAxis(name) tensor_ops::from_front(name, handle.rank() + 1)
#define TENFERRO_PASSED_Integer(name) name
#define TENFERRO_PASSED_Diagonal(name) name
#define TENFERRO_PASSED_Flag(name) name
#define TENFERRO_HANDLE_OF(Kind, name) TENFERRO_HANDLE_##Kind(name)
#define TENFERRO_PASSED_OF(Kind, name) TENFERRO_PASSED_##Kind(name)
#define TENFERRO_HANDLE_PARAMETER(parameter) TENFERRO_HANDLE_OF parameter
#define TENFERRO_PASSED(parameter) TENFERRO_PASSED_OF parameter
#define TENFERRO_HANDLE(a) const H& a
#define TENFERRO_ROW(Name, method, dtypes, meaning, operands, parameters, ...)                     \
    template <TensorHandle H>                                                                      \
    [[nodiscard]] H method(TENFERRO_EACH(TENFERRO_HANDLE, operands)                                \
                               TENFERRO_AND(TENFERRO_HANDLE_PARAMETER, parameters)) {              \
        const std::initializer_list<H> inputs{TENFERRO_EACH(TENFERRO_SAME, operands)};             \
        const H& handle = *inputs.begin();                                                         \
        return handle.apply(tensor_ops::Name(TENFERRO_EACH(TENFERRO_PASSED, parameters)), inputs); \
    }
TENFERRO_REGULAR_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW

template <TensorHandle H>
[[nodiscard]] H select(const H& predicate, const H& on_true, const H& on_false) {
    return on_true.apply(tensor_ops::elementwise(OpId::Select), {predicate, on_true, on_false});
}
template <TensorHandle H>
[[nodiscard]] H clamp(const H& low, const H& x, const H& high) {
    return x.apply(tensor_ops::elementwise(OpId::Clamp), {low, x, high});
}
template <TensorHandle H>
[[nodiscard]] H convert(const H& a, DType to) {
    return a.apply(tensor_ops::Conversion(OpId::Convert, to), {a});
}
template <TensorHandle H>
[[nodiscard]] H cast(const H& a, DType to) {
    return a.apply(tensor_ops::Conversion(OpId::Cast, to), {a});
}
template <TensorHandle H>
[[nodiscard]] H dot_general(const H& lhs, const H& rhs, DotGeneralConfig config) {
    return lhs.apply(tensor_ops::DotGeneral(std::move(config)), {lhs, rhs});
}
template <TensorHandle H>
[[nodiscard]] H transpose(const H& a, Dims perm) {
    return a.apply(tensor_ops::Transpose(tensor_ops::from_front(std::move(perm), a.rank())), {a});
}
template <TensorHandle H>
[[nodiscard]] H reshape(const H& a, SymShape shape) {
    return a.apply(tensor_ops::Reshape(std::move(shape)), {a});
}
template <TensorHandle H>
[[nodiscard]] H broadcast_in_dim(const H& a, SymShape shape, Dims dims) {
    return a.apply(tensor_ops::BroadcastInDim(std::move(shape), std::move(dims)), {a});
}
template <TensorHandle H>
[[nodiscard]] H extract_diagonal(const H& a, Index first, Index second) {
    return a.apply(tensor_ops::ExtractDiagonal(tensor_ops::from_front(first, a.rank()),
                                               tensor_ops::from_front(second, a.rank())),
                   {a});
}
template <TensorHandle H>
[[nodiscard]] H slice(const H& a, SymShape starts, SymShape limits, Dims steps) {
    return a.apply(tensor_ops::Slice(std::move(starts), std::move(limits), std::move(steps)), {a});
}
template <TensorHandle H>
[[nodiscard]] H dynamic_slice(const H& a, const H& starts, SymShape sizes) {
    return a.apply(tensor_ops::DynamicSlice(std::move(sizes)), {a, starts});
}
template <TensorHandle H>
[[nodiscard]] H dynamic_update_slice(const H& a, const H& update, const H& starts) {
    return a.apply(tensor_ops::DynamicUpdateSlice(), {a, update, starts});
}
template <TensorHandle H>
[[nodiscard]] H pad(const H& a, const H& value, SymShape low, SymShape high, Dims interior) {
    return a.apply(tensor_ops::Pad(std::move(low), std::move(high), std::move(interior)), {a, value});
}
/// Of at least one part.
template <TensorHandle H>
[[nodiscard]] H concatenate(std::span<const H> parts, Index axis) {
    return parts.front().apply(tensor_ops::Concatenate(static_cast<Index>(parts.size()),
                                                       tensor_ops::from_front(axis, parts.front().rank())),
                               parts);
}
template <TensorHandle H>
[[nodiscard]] H concatenate(std::initializer_list<H> parts, Index axis) {
    return concatenate(std::span<const H>(parts.begin(), parts.size()), axis);
}
template <TensorHandle H>
[[nodiscard]] H gather(const H& a, const H& indices, const GatherConfig& config) {
    return a.apply(tensor_ops::Gather(config), {a, indices});
}
template <TensorHandle H>
[[nodiscard]] H scatter(const H& a, const H& indices, const H& updates, ScatterConfig config) {
    return a.apply(tensor_ops::Scatter(OpId::Scatter, std::move(config)), {a, indices, updates});
}
template <TensorHandle H>
[[nodiscard]] H scatter_add(const H& a, const H& indices, const H& updates, ScatterConfig config) {
    return a.apply(tensor_ops::Scatter(OpId::ScatterAdd, std::move(config)), {a, indices, updates});
}
template <TensorHandle H>
[[nodiscard]] H argmax(const H& a, Index axis) {
    return a.apply(tensor_ops::ArgExtreme(OpId::Argmax, tensor_ops::from_front(axis, a.rank())), {a});
}
template <TensorHandle H>
[[nodiscard]] H argmin(const H& a, Index axis) {
    return a.apply(tensor_ops::ArgExtreme(OpId::Argmin, tensor_ops::from_front(axis, a.rank())), {a});
}
/// The extent of `axis` as an I64 of rank 0.
template <TensorHandle H>
[[nodiscard]] H extent_of(const H& a, Index axis) {
    return a.apply(tensor_ops::ExtentOf(tensor_ops::from_front(axis, a.rank())), {a});
}
/// `a`, of rank 0, repeated to `shape`.
template <TensorHandle H>
[[nodiscard]] H repeat(const H& a, SymShape shape) {
    return shape.empty() ? a : broadcast_in_dim(a, std::move(shape), {});
}
/// `value` in the dtype and shape of `like`.
template <TensorHandle H>
[[nodiscard]] H full_like(const H& like, const std::type_identity_t<Number>& value) {
    return repeat(like.apply(tensor_ops::constant(like.dtype(), value), {}), shape_of(like));
}

}}  // namespace tenferro::TENFERRO_ABI

#include "tenferro/ops/operators.hpp"  // whoever has the functions has the operators
