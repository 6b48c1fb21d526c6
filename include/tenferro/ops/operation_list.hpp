// The closed list of the graph's operations. What an operation is follows from its struct (operations.hpp);
// its kind is its place in this list.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "tenferro/base/export.hpp"
#include "tenferro/tensor/op_table.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace tensor_ops {

template <class... Structs>
struct OperationList {
    static constexpr std::size_t kSize = sizeof...(Structs);

    /// The place of T, or kSize.
    template <class T>
    static constexpr std::size_t place() {
        const std::array<bool, kSize> same{std::is_same_v<T, Structs>...};
        std::size_t i = 0;
        while (i < kSize && !same[i]) ++i;
        return i;
    }
    /// Calls f.operator()<Struct>() for one struct after the other until one call is true.
    template <class F>
    static constexpr bool any(F&& f) {
        return (f.template operator()<Structs>() || ...);
    }
};

// The structs of operations.hpp but Elementwise, which is the first.
// clang-format off
#define TENFERRO_CORE_STRUCTS_BUT_FIRST(row) \
    row(Conversion) row(Reduction) row(ArgExtreme) TENFERRO_REGULAR_OPS(row) row(DotGeneral) row(Transpose) \
    row(Reshape) row(BroadcastInDim) row(ExtractDiagonal) row(Slice) row(DynamicSlice) \
    row(DynamicUpdateSlice) row(Pad) row(Concatenate) row(Gather) row(Scatter) row(Constant) \
    row(ArrayConstant) row(ExtentOf)
#define TENFERRO_CORE_STRUCTS(row) row(Elementwise) TENFERRO_CORE_STRUCTS_BUT_FIRST(row)
// clang-format on
#define TENFERRO_ROW(Name, ...) , struct Name
using CoreOperations = OperationList<struct Elementwise TENFERRO_CORE_STRUCTS_BUT_FIRST(TENFERRO_ROW)>;
#undef TENFERRO_ROW
/// Carriers of operations from outside: of one that is here, and of one that is not.
using Carriers = OperationList<struct Extension, struct MissingExtension>;

}  // namespace tensor_ops

/// Which struct an operation is: a number below kOpKinds, first those of core operations.
enum class OpKind : std::uint8_t {};
inline constexpr std::size_t kOpKinds = tensor_ops::CoreOperations::kSize + tensor_ops::Carriers::kSize;

/// The kind of a struct.
template <class T>
[[nodiscard]] constexpr OpKind kind_of() noexcept {
    constexpr std::size_t core = tensor_ops::CoreOperations::place<T>(),
                          carrier = tensor_ops::Carriers::place<T>();
    constexpr std::size_t place =
        core < tensor_ops::CoreOperations::kSize ? core : tensor_ops::CoreOperations::kSize + carrier;
    static_assert(place < kOpKinds, "the struct is not in the list of operations");
    return static_cast<OpKind>(place);
}

}}  // namespace tenferro::TENFERRO_ABI
