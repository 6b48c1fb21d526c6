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

#define TENFERRO_STRUCT(Name, ...) struct Name,
/// The structs of operations.hpp.
using CoreOperations =
    OperationList<struct Elementwise, struct Conversion, struct Reduction, struct ArgExtreme,
                  TENFERRO_REGULAR_OPS(TENFERRO_STRUCT) struct DotGeneral, struct Transpose, struct Reshape,
                  struct BroadcastInDim, struct ExtractDiagonal, struct Slice, struct DynamicSlice,
                  struct DynamicUpdateSlice, struct Pad, struct Concatenate, struct Gather, struct Scatter,
                  struct Constant, struct ArrayConstant, struct ExtentOf>;
#undef TENFERRO_STRUCT
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
