// Shape, strides and axis lists as data; no storage. Strides and offsets count elements. Column-major
// (leftmost axis fastest) is the layout of everything the library makes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "tenferro/base/checked.hpp"
#include "tenferro/base/export.hpp"
#include "tenferro/base/small_vector.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// Extents, strides or axis numbers, one per axis.
using Dims = SmallVector<Index, 8>;

/// A borrowed list of such numbers: what functions take, so that `{2, 3}` can be given as well as a Dims, a
/// vector, an array or a span. What it refers to must live until the call returns.
class DimsView : public std::span<const Index> {
public:
    using std::span<const Index>::span;
    DimsView(std::span<const Index> values) noexcept : span(values) {}  // NOLINT(google-explicit-constructor)
    DimsView(std::initializer_list<Index> values) noexcept : span(values.begin(), values.size()) {}
};

/// Number of elements of `shape`, 1 for rank 0. Throws InvalidArgument in the name of `op` when an extent is
/// negative or the product overflows; zero extents give 0 whatever the others are.
[[nodiscard]] TENFERRO_API Index element_count(std::span<const Index> shape, std::string_view op);

/// Bytes of that many elements. Throws InvalidArgument as element_count does, and when the bytes overflow.
[[nodiscard]] TENFERRO_API std::size_t byte_count(std::span<const Index> shape, std::size_t element_bytes,
                                                  std::string_view op);

/// The permutation that takes axis perm[i] back to place i.
[[nodiscard]] inline Dims inverse_permutation(const Dims& perm) {
    Dims inverse(perm.size());
    for (std::size_t i = 0; i < perm.size(); ++i)
        inverse[static_cast<std::size_t>(perm[i])] = static_cast<Index>(i);
    return inverse;
}

/// Compact column-major strides: 1, n0, n0*n1, … The product of the extents must not overflow.
[[nodiscard]] TENFERRO_API Dims column_major_strides(std::span<const Index> shape);

/// A compact column-major layout, worked out once for the tensors that a plan will make again and again.
struct CompactLayout {
    Dims shape;
    Dims strides;
    Index size = 0;  ///< elements

    CompactLayout() = default;
    /// Throws as element_count does.
    CompactLayout(std::span<const Index> extents, std::string_view op)
        : shape(extents), strides(column_major_strides(extents)), size(element_count(extents, op)) {}
};
[[nodiscard]] inline std::size_t byte_count(const CompactLayout& layout, std::size_t element_bytes,
                                            std::string_view op) {
    Index bytes = 0;
    if (__builtin_mul_overflow(layout.size, static_cast<Index>(element_bytes), &bytes)) [[unlikely]]
        return byte_count(layout.shape, element_bytes, op);  // throws
    return static_cast<std::size_t>(bytes);
}

/// Whether `strides` are those of a compact column-major tensor; strides of axes of extent 1 do not matter,
/// and a tensor without elements is compact.
[[nodiscard]] inline bool is_compact(std::span<const Index> shape, std::span<const Index> strides) noexcept {
    std::uint64_t expected = 1;  // wraps only beside a zero
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (shape[axis] != 1 && static_cast<std::uint64_t>(strides[axis]) != expected)
            return std::find(shape.begin(), shape.end(), 0) != shape.end();
        expected *= static_cast<std::uint64_t>(shape[axis]);
    }
    return true;
}

/// Whether distinct indices provably are distinct elements (each stride steps over everything the smaller
/// ones reach).
[[nodiscard]] TENFERRO_API bool is_injective(std::span<const Index> shape, std::span<const Index> strides);

/// Checks that every axis lies in [0, rank) (AxisOutOfBounds) and none is repeated (DuplicateAxis), in the
/// name of `op`; `role` says which list it is in the message.
TENFERRO_API void check_axes(std::span<const Index> axes, std::size_t rank, std::string_view op,
                             std::string_view role);

/// Checks that `perm` lists each of `rank` axes once.
TENFERRO_API void check_permutation(std::span<const Index> perm, std::size_t rank, std::string_view op,
                                    std::string_view role = "permutation",
                                    std::string_view of = "the operand");

/// Throws the error of two shapes that differ, naming the first differing axis and both extents
/// (ShapeMismatch, RankMismatch).
[[noreturn]] TENFERRO_API void throw_different_shapes(std::span<const Index> lhs, std::span<const Index> rhs,
                                                      std::string_view op, std::string_view lhs_name,
                                                      std::string_view rhs_name);

/// Checks that two shapes are equal.
inline void check_same_shape(std::span<const Index> lhs, std::span<const Index> rhs, std::string_view op,
                             std::string_view lhs_name = "lhs", std::string_view rhs_name = "rhs") {
    bool is_same = lhs.size() == rhs.size();
    for (std::size_t axis = 0; is_same && axis < lhs.size(); ++axis) is_same = lhs[axis] == rhs[axis];
    if (!is_same) [[unlikely]]
        throw_different_shapes(lhs, rhs, op, lhs_name, rhs_name);
}

}}  // namespace tenferro::TENFERRO_ABI
