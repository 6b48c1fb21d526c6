// The table of operations: one row each, with the dtypes on which the operation is defined. It is the one fact behind the
// typed "not supported" errors, the generated documentation, and the conformance suite, which refuses a row without samples.
// A unary or binary operation is a row here and a functor of the same name in elementwise/; nothing else lists it.
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
inline constexpr DTypes kFloating{DType::F32, DType::F64, DType::C32, DType::C64};
inline constexpr DTypes kReal{DType::F32, DType::F64};
inline constexpr DTypes kOrdered{DType::F32, DType::F64, DType::I32, DType::I64};

// row(Name, method, dtypes): Name is the OpId and the functor, method the member of TensorOps.
// clang-format off
#define TENFERRO_UNARY_OPS(row) \
    row(Neg, neg, kNumeric) \
    row(Abs, abs, kNumeric) \
    row(Sign, sign, kNumeric) \
    row(Conj, conj, kNumeric) \
    row(Exp, exp, kFloating) \
    row(Expm1, expm1, kFloating) \
    row(Log, log, kFloating) \
    row(Log1p, log1p, kFloating) \
    row(Sqrt, sqrt, kFloating) \
    row(Rsqrt, rsqrt, kFloating) \
    row(Sin, sin, kFloating) \
    row(Cos, cos, kFloating) \
    row(Tan, tan, kFloating) \
    row(Asin, asin, kFloating) \
    row(Acos, acos, kFloating) \
    row(Atan, atan, kFloating) \
    row(Sinh, sinh, kFloating) \
    row(Cosh, cosh, kFloating) \
    row(Tanh, tanh, kFloating) \
    row(Asinh, asinh, kFloating) \
    row(Acosh, acosh, kFloating) \
    row(Atanh, atanh, kFloating) \
    row(Sigmoid, sigmoid, kFloating) \
    row(Erf, erf, kReal) \
    row(Erfc, erfc, kReal) \
    row(Lgamma, lgamma, kReal)
#define TENFERRO_BINARY_OPS(row) \
    row(Add, add, kNumeric) \
    row(Sub, sub, kNumeric) \
    row(Mul, mul, kNumeric) \
    row(Div, div, kNumeric) \
    row(Rem, rem, kOrdered) \
    row(Pow, pow, kNumeric) \
    row(Atan2, atan2, kReal) \
    row(Hypot, hypot, kReal) \
    row(Maximum, maximum, kOrdered) \
    row(Minimum, minimum, kOrdered) \
    row(Equal, equal, kAnyDType) \
    row(NotEqual, not_equal, kAnyDType) \
    row(Less, less, kOrdered) \
    row(LessEqual, less_equal, kOrdered) \
    row(Greater, greater, kOrdered) \
    row(GreaterEqual, greater_equal, kOrdered)
#define TENFERRO_SELECTION_OPS(row) \
    row(Select, select, kAnyDType) \
    row(Clamp, clamp, kOrdered) \
    row(Convert, convert, kAnyDType) \
    row(Cast, cast, kAnyDType)
// clang-format on
#define TENFERRO_OTHER_OPS(row)                                                                                  \
    row(DotGeneral, dot_general, kNumeric) row(Transpose, transpose, kAnyDType) row(Reshape, reshape, kAnyDType) \
        row(BroadcastInDim, broadcast_in_dim, kAnyDType) row(ExtractDiagonal, extract_diagonal, kAnyDType)       \
            row(EmbedDiagonal, embed_diagonal, kAnyDType) row(ToContiguous, to_contiguous, kAnyDType)
// clang-format off
#define TENFERRO_STRUCTURAL_OPS(row) \
    row(Slice, slice, kAnyDType) \
    row(DynamicSlice, dynamic_slice, kAnyDType) \
    row(DynamicUpdateSlice, dynamic_update_slice, kAnyDType) \
    row(Reverse, reverse, kAnyDType) \
    row(Pad, pad, kAnyDType) \
    row(Concatenate, concatenate, kAnyDType) \
    row(Tril, tril, kAnyDType) \
    row(Triu, triu, kAnyDType) \
    row(Gather, gather, kAnyDType) \
    row(ScatterAdd, scatter_add, kNumeric)
// A reduction over axes is a row here and a functor of the same name in reduction.hpp; nothing else lists it.
#define TENFERRO_REDUCE_OPS(row) \
    row(ReduceSum, reduce_sum, kNumeric) \
    row(ReduceProd, reduce_prod, kNumeric) \
    row(ReduceMax, reduce_max, kOrdered) \
    row(ReduceMin, reduce_min, kOrdered) \
    row(ReduceAny, reduce_any, DTypes{DType::Bool}) \
    row(ReduceAll, reduce_all, DTypes{DType::Bool})
#define TENFERRO_AXIS_OPS(row) \
    row(Argmax, argmax, kOrdered) \
    row(Argmin, argmin, kOrdered) \
    row(CumulativeSum, cumulative_sum, kNumeric) \
    row(Softmax, softmax, kReal) \
    row(Sort, sort, kOrdered)
#define TENFERRO_ALL_OPS(row) \
    TENFERRO_UNARY_OPS(row) TENFERRO_BINARY_OPS(row) TENFERRO_SELECTION_OPS(row) TENFERRO_OTHER_OPS(row) \
    TENFERRO_STRUCTURAL_OPS(row) TENFERRO_REDUCE_OPS(row) TENFERRO_AXIS_OPS(row)
// clang-format on

#define TENFERRO_ROW(Name, method, dtypes) Name,
enum class OpId : std::uint8_t { TENFERRO_ALL_OPS(TENFERRO_ROW) };
#undef TENFERRO_ROW

/// A direction of compare: one of the comparing operations.
enum class Comparison : std::uint8_t {
    Equal = static_cast<std::uint8_t>(OpId::Equal),
    NotEqual = static_cast<std::uint8_t>(OpId::NotEqual),
    Less = static_cast<std::uint8_t>(OpId::Less),
    LessEqual = static_cast<std::uint8_t>(OpId::LessEqual),
    Greater = static_cast<std::uint8_t>(OpId::Greater),
    GreaterEqual = static_cast<std::uint8_t>(OpId::GreaterEqual),
};

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
