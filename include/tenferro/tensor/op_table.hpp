// The table of operations: one row each, with the dtypes on which the operation is defined. It is the one
// fact behind the typed "not supported" errors, the generated documentation, and the conformance suite, which
// refuses a row without samples. A unary or binary operation is a row here and a functor of the same name in
// elementwise/; nothing else lists it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "tenferro/base/export.hpp"
#include "tenferro/tensor_core/dtype.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// A set of dtypes.
class DTypes {
public:
    constexpr DTypes() = default;
    constexpr DTypes(std::initializer_list<DType> dtypes) {
        for (const DType dtype : dtypes) bits_ |= 1u << static_cast<unsigned>(dtype);
    }
    [[nodiscard]] constexpr bool contains(DType dtype) const noexcept {
        return (bits_ >> static_cast<unsigned>(dtype) & 1u) != 0;
    }
    friend constexpr DTypes operator&(DTypes a, DTypes b) noexcept {
        a.bits_ &= b.bits_;
        return a;
    }

private:
    unsigned bits_ = 0;
};

inline constexpr DTypes kAnyDType{DType::F32, DType::F64, DType::C32, DType::C64,
                                  DType::I32, DType::I64, DType::Bool};
inline constexpr DTypes kNumeric{DType::F32, DType::F64, DType::C32, DType::C64, DType::I32, DType::I64};
inline constexpr DTypes kFloating{DType::F32, DType::F64, DType::C32, DType::C64};
inline constexpr DTypes kReal{DType::F32, DType::F64};
inline constexpr DTypes kOrdered{DType::F32, DType::F64, DType::I32, DType::I64};

// row(Name, method, dtypes, meaning): Name is the OpId and the functor, method the member of TensorOps; the
// meaning, one line on operands a and b, is for documentation.
// clang-format off
#define TENFERRO_UNARY_OPS(row) \
    row(Neg, neg, kNumeric, "-a") \
    row(Abs, abs, kNumeric, "the absolute value; real for complex a") \
    row(Sign, sign, kNumeric, "-1, 0 or 1; a / abs(a) for complex a") \
    row(Conj, conj, kNumeric, "the complex conjugate") \
    row(Exp, exp, kFloating, "e to the power a") \
    row(Expm1, expm1, kFloating, "exp(a) - 1, accurate near 0") \
    row(Log, log, kFloating, "the natural logarithm") \
    row(Log1p, log1p, kFloating, "log(1 + a), accurate near 0") \
    row(Sqrt, sqrt, kFloating, "the square root") \
    row(Rsqrt, rsqrt, kFloating, "1 / sqrt(a)") \
    row(Sin, sin, kFloating, "the sine") \
    row(Cos, cos, kFloating, "the cosine") \
    row(Tan, tan, kFloating, "the tangent") \
    row(Asin, asin, kFloating, "the inverse sine") \
    row(Acos, acos, kFloating, "the inverse cosine") \
    row(Atan, atan, kFloating, "the inverse tangent") \
    row(Sinh, sinh, kFloating, "the hyperbolic sine") \
    row(Cosh, cosh, kFloating, "the hyperbolic cosine") \
    row(Tanh, tanh, kFloating, "the hyperbolic tangent") \
    row(Asinh, asinh, kFloating, "the inverse hyperbolic sine") \
    row(Acosh, acosh, kFloating, "the inverse hyperbolic cosine") \
    row(Atanh, atanh, kFloating, "the inverse hyperbolic tangent") \
    row(Sigmoid, sigmoid, kFloating, "1 / (1 + exp(-a))") \
    row(Erf, erf, kReal, "the error function") \
    row(Erfc, erfc, kReal, "1 - erf(a), accurate for large a") \
    row(Lgamma, lgamma, kReal, "the logarithm of the absolute value of the gamma function")
#define TENFERRO_BINARY_OPS(row) \
    row(Add, add, kNumeric, "a + b; integers wrap") \
    row(Sub, sub, kNumeric, "a - b; integers wrap") \
    row(Mul, mul, kNumeric, "a * b; integers wrap") \
    row(Div, div, kNumeric, "a / b; integers truncate, and dividing one by 0 is InvalidArgument") \
    row(Rem, rem, kOrdered, "the remainder of a / b, with the sign of a; of an integer by 0 InvalidArgument") \
    row(Pow, pow, kNumeric, "a to the power b; a negative integer power is InvalidArgument") \
    row(Atan2, atan2, kReal, "the angle of the point (b, a)") \
    row(Hypot, hypot, kReal, "sqrt(a * a + b * b) without overflow between") \
    row(Maximum, maximum, kOrdered, "the larger; NaN if either is") \
    row(Minimum, minimum, kOrdered, "the smaller; NaN if either is") \
    row(Equal, equal, kAnyDType, "whether a == b") \
    row(NotEqual, not_equal, kAnyDType, "whether a != b") \
    row(Less, less, kOrdered, "whether a < b") \
    row(LessEqual, less_equal, kOrdered, "whether a <= b") \
    row(Greater, greater, kOrdered, "whether a > b") \
    row(GreaterEqual, greater_equal, kOrdered, "whether a >= b")
#define TENFERRO_SELECTION_OPS(row) \
    row(Select, select, kAnyDType, "on_true where the predicate holds, else on_false") \
    row(Clamp, clamp, kOrdered, "minimum(maximum(x, low), high)") \
    row(Convert, convert, kAnyDType, "the same value in a dtype it promotes to") \
    row(Cast, cast, kAnyDType, "the value in any dtype, with loss")
#define TENFERRO_OTHER_OPS(row) \
    row(DotGeneral, dot_general, kNumeric, "sums of products over contracted axes, per batch") \
    row(Transpose, transpose, kAnyDType, "the axes in another order") \
    row(Reshape, reshape, kAnyDType, "the same elements in column-major order, other shape") \
    row(BroadcastInDim, broadcast_in_dim, kAnyDType, "repeats along new axes and axes of extent 1") \
    row(ExtractDiagonal, extract_diagonal, kAnyDType, "two axes merged into their diagonal") \
    row(EmbedDiagonal, embed_diagonal, kAnyDType, "a new axis with the elements on its diagonal, zero elsewhere") \
    row(ToContiguous, to_contiguous, kAnyDType, "a compact column-major copy")
#define TENFERRO_STRUCTURAL_OPS(row) \
    row(Slice, slice, kAnyDType, "a part of each axis, in steps") \
    row(DynamicSlice, dynamic_slice, kAnyDType, "a part that begins at starts given by a tensor, clamped") \
    row(DynamicUpdateSlice, dynamic_update_slice, kAnyDType, "a with such a part replaced") \
    row(Reverse, reverse, kAnyDType, "axes in reverse order") \
    row(Pad, pad, kAnyDType, "values before, after and between the elements") \
    row(Concatenate, concatenate, kAnyDType, "operands one after the other") \
    row(Tril, tril, kAnyDType, "the lower triangle, zero elsewhere") \
    row(Triu, triu, kAnyDType, "the upper triangle, zero elsewhere") \
    row(Gather, gather, kAnyDType, "windows read at places given by indices") \
    row(Scatter, scatter, kAnyDType, "a with windows replaced at places given by indices") \
    row(ScatterAdd, scatter_add, kNumeric, "a with windows added at places given by indices")
// A reduction over axes is a row here and a functor of the same name in reduction.hpp; nothing else lists it.
#define TENFERRO_REDUCE_OPS(row) \
    row(ReduceSum, reduce_sum, kNumeric, "the sum over axes") \
    row(ReduceProd, reduce_prod, kNumeric, "the product over axes") \
    row(ReduceMax, reduce_max, kOrdered, "the largest over axes; NaN if any is") \
    row(ReduceMin, reduce_min, kOrdered, "the smallest over axes; NaN if any is") \
    row(ReduceAny, reduce_any, DTypes{DType::Bool}, "whether any holds") \
    row(ReduceAll, reduce_all, DTypes{DType::Bool}, "whether all hold")
#define TENFERRO_AXIS_OPS(row) \
    row(Argmax, argmax, kOrdered, "the index of the first largest along an axis; of the first NaN") \
    row(Argmin, argmin, kOrdered, "the index of the first smallest along an axis; of the first NaN") \
    row(CumulativeSum, cumulative_sum, kNumeric, "running sums along an axis") \
    row(Softmax, softmax, kReal, "exp(a) divided by its sum along an axis") \
    row(Sort, sort, kOrdered, "an axis in order, NaN as the largest; stable")
#define TENFERRO_ALL_OPS(row) \
    TENFERRO_UNARY_OPS(row) TENFERRO_BINARY_OPS(row) TENFERRO_SELECTION_OPS(row) TENFERRO_OTHER_OPS(row) \
    TENFERRO_STRUCTURAL_OPS(row) TENFERRO_REDUCE_OPS(row) TENFERRO_AXIS_OPS(row)
// clang-format on

#define TENFERRO_ROW(Name, method, dtypes, meaning) Name,
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
    std::string_view meaning;
};

#define TENFERRO_ROW(Name, method, dtypes, meaning) OpInfo{OpId::Name, #method, dtypes, meaning},
inline constexpr std::array kOps{TENFERRO_ALL_OPS(TENFERRO_ROW)};
#undef TENFERRO_ROW

[[nodiscard]] constexpr const OpInfo& info(OpId op) noexcept { return kOps[static_cast<std::size_t>(op)]; }

}}  // namespace tenferro::TENFERRO_ABI
