// Tensors made from a rule instead of data. They are compact column-major and in main memory, and made
// without a backend. Errors are those of Tensor::zeros: InvalidArgument for a negative extent, OutOfMemory.
#pragma once

#include <concepts>
#include <optional>
#include <type_traits>

#include "tenferro/tensor/tensor.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// A tensor of rank 0 of the dtype that stores T: `scalar(1.5)` is F64, `scalar(2)` I32.
template <Scalar T>
[[nodiscard]] Tensor scalar(T value) {
    return Tensor::from_bytes(storage_dtype<T>, &value, 1, {});
}

namespace tfe_detail {
/// `shape` filled with the element of `dtype` at `value`.
[[nodiscard]] TENFERRO_API Tensor filled(DType dtype, const void* value, DimsView shape);
/// `count` elements of `dtype`: first, first + step, …, in the arithmetic of T.
template <class T>
[[nodiscard]] TENFERRO_API Tensor counted(T first, T step, Index count);
/// Numbers in [first, limit) from `first` in steps of `step`; InvalidArgument unless they are finite and the
/// step is not 0.
[[nodiscard]] TENFERRO_API Index count_of(double first, double limit, double step);
[[nodiscard]] TENFERRO_API Index count_of(std::int64_t first, std::int64_t limit, std::int64_t step);
}  // namespace tfe_detail

/// `shape` filled with `value`, in the dtype that stores T.
template <Scalar T>
[[nodiscard]] Tensor full(DimsView shape, T value) {
    return tfe_detail::filled(storage_dtype<T>, &value, shape);
}

/// `shape` filled with 1, which is true for Bool.
[[nodiscard]] TENFERRO_API Tensor ones(DType dtype, DimsView shape);

/// The identity matrix, [rows, rows] or [rows, columns].
[[nodiscard]] TENFERRO_API Tensor eye(DType dtype, Index rows, std::optional<Index> columns = std::nullopt);

/// The vector first, first + step, … before `limit`: `arange(0., 1., 0.25)`, `arange(5)` for 0 … 4. Of
/// integers and real numbers.
template <Scalar T>
requires std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, std::int32_t> ||
    std::same_as<T, std::int64_t>
[[nodiscard]] Tensor arange(T first, T limit, T step = T{1}) {
    using Wide = std::conditional_t<std::floating_point<T>, double, std::int64_t>;
    return tfe_detail::counted<T>(first, step, tfe_detail::count_of(Wide{first}, Wide{limit}, Wide{step}));
}
template <Scalar T>
[[nodiscard]] Tensor arange(T limit) {
    return arange<T>(T{0}, limit);
}

}}  // namespace tenferro::TENFERRO_ABI
