// The table of operations: one row each, with the dtypes on which the operation is defined. It is the one fact behind the
// typed "not supported" errors, the generated documentation, and the conformance suite, which refuses a row without samples.
// An elementwise operation is a row here and a functor of the same name in elementwise.hpp; nothing else lists it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "tenferro/base/export.hpp"
#include "tenferro/tensor_core/dtype.hpp"

namespace tenferro::inline TENFERRO_ABI {

/// A set of dtypes.
class DTypes {
public:
    constexpr DTypes(std::initializer_list<DType> dtypes) {
        for (const DType dtype : dtypes) bits_ |= 1u << static_cast<unsigned>(dtype);
    }
    [[nodiscard]] constexpr bool contains(DType dtype) const noexcept {
        return (bits_ >> static_cast<unsigned>(dtype) & 1u) != 0;
    }

private:
    unsigned bits_ = 0;
};

inline constexpr DTypes kAnyDType{DType::F32, DType::F64, DType::C32, DType::C64, DType::I32, DType::I64, DType::Bool};
inline constexpr DTypes kNumeric{DType::F32, DType::F64, DType::C32, DType::C64, DType::I32, DType::I64};

// row(Name, method, dtypes): Name is the OpId and the functor, method the member of TensorOps.
#define TENFERRO_UNARY_OPS(row) row(Conj, conj, kNumeric)
#define TENFERRO_BINARY_OPS(row) row(Add, add, kNumeric) row(Mul, mul, kNumeric)
#define TENFERRO_OTHER_OPS(row)                                                                                  \
    row(DotGeneral, dot_general, kNumeric) row(Transpose, transpose, kAnyDType) row(Reshape, reshape, kAnyDType) \
        row(BroadcastInDim, broadcast_in_dim, kAnyDType) row(ExtractDiagonal, extract_diagonal, kAnyDType)       \
            row(EmbedDiagonal, embed_diagonal, kAnyDType) row(ToContiguous, to_contiguous, kAnyDType)            \
                row(ReduceSum, reduce_sum, kNumeric)
#define TENFERRO_ALL_OPS(row) TENFERRO_UNARY_OPS(row) TENFERRO_BINARY_OPS(row) TENFERRO_OTHER_OPS(row)

#define TENFERRO_ROW(Name, method, dtypes) Name,
enum class OpId : std::uint8_t { TENFERRO_ALL_OPS(TENFERRO_ROW) };
#undef TENFERRO_ROW

struct OpInfo {
    OpId id;
    std::string_view name;
    DTypes dtypes;
};

#define TENFERRO_ROW(Name, method, dtypes) OpInfo{OpId::Name, #method, dtypes},
inline constexpr std::array kOps{TENFERRO_ALL_OPS(TENFERRO_ROW)};
#undef TENFERRO_ROW

[[nodiscard]] constexpr const OpInfo& info(OpId op) noexcept { return kOps[static_cast<std::size_t>(op)]; }

/// Throws Unsupported, naming operation and dtype, when `op` is not defined on `dtype`.
TENFERRO_API void check_supported(OpId op, DType dtype);

}  // namespace tenferro::inline TENFERRO_ABI
