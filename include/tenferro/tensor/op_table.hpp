// The table of operations: one row each, with the dtypes on which the operation is defined. It is the one
// fact behind the typed "not supported" errors, the generated documentation, and the conformance suite, which
// refuses a row without samples. A unary or binary operation is a row here and, unless it is a function of
// the standard library, a functor of the same name in elementwise/; nothing else lists it.
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

// row(Name, method, dtypes, meaning) of conversions and reductions: Name is the OpId and the functor, method
// the member of BackendSession and TensorBackend; the meaning, on operands a and b, is its documentation. A
// unary or binary operation adds row(…, tangent): the derivative, a formula on Expr that ops/ compiles (its
// elementwise_derivatives.cpp has the functions that formulas share). Of unary y = f(a) it is one of a, y and
// the tangent da; of binary y = f(a, b) there are two, whose sum is the tangent, of a, b, y and da, and of a,
// b, y and db, or one of all of TangentArgs. `none` where it is zero.
// A structured operation adds row(…, operands, parameters): the tensors it takes, and what
// else, each with its kind: an Axis, a list of Axes, a ResultAxis (of a result with one axis more), a List or
// an Integer, the number of a Diagonal, Extents, a Flag, or a config.
// operation_methods.hpp makes the three forms of each method of them.
// clang-format off
// Unary and binary functions of <cmath> and <complex>, which the functors are.
#define TENFERRO_STANDARD_UNARY_OPS(row) \
    row(Exp, exp, kFloating, "e to the power a", da * y) \
    row(Log, log, kFloating, "the natural logarithm", da / a) \
    row(Sqrt, sqrt, kFloating, "the square root", da / (y + y)) \
    row(Sin, sin, kFloating, "the sine", da * cos(a)) \
    row(Cos, cos, kFloating, "the cosine", -(da * sin(a))) \
    row(Tan, tan, kFloating, "the tangent", da * (y * y) + da) \
    row(Asin, asin, kFloating, "the inverse sine", da * rsqrt((1 - a) * (a + 1))) \
    row(Acos, acos, kFloating, "the inverse cosine", -(da * rsqrt((1 - a) * (a + 1)))) \
    row(Atan, atan, kFloating, "the inverse tangent", da / (a * a + 1)) \
    row(Sinh, sinh, kFloating, "the hyperbolic sine", da * cosh(a)) \
    row(Cosh, cosh, kFloating, "the hyperbolic cosine", da * sinh(a)) \
    row(Tanh, tanh, kFloating, "the hyperbolic tangent", da - da * (y * y)) \
    row(Asinh, asinh, kFloating, "the inverse hyperbolic sine", da * asinh_slope(a)) \
    row(Acosh, acosh, kFloating, "the inverse hyperbolic cosine", da * (rsqrt(a - 1) * rsqrt(a + 1))) \
    row(Atanh, atanh, kFloating, "the inverse hyperbolic tangent", da / ((1 - a) * (a + 1))) \
    row(Erf, erf, kReal, "the error function", da * (exp(-(a * a)) * kTwoOverRootPi)) \
    row(Erfc, erfc, kReal, "1 - erf(a), accurate for large a", -(da * (exp(-(a * a)) * kTwoOverRootPi))) \
    row(Floor, floor, kReal, "the largest whole number not above a", none) \
    row(Ceil, ceil, kReal, "the smallest whole number not below a", none) \
    row(Trunc, trunc, kReal, "a without its fraction", none)
#define TENFERRO_STANDARD_BINARY_OPS(row) \
    row(Atan2, atan2, kReal, "the angle of the point (b, a)", \
        da * (b / hypot(a, b) / hypot(a, b)), -(db * (a / hypot(a, b) / hypot(a, b)))) \
    row(Hypot, hypot, kReal, "sqrt(a * a + b * b) without overflow between", da * (a / y), db * (b / y))
// The others, whose functors are in elementwise/.
#define TENFERRO_OWN_UNARY_OPS(row) \
    row(Neg, neg, kNumeric, "-a", -da) \
    row(Abs, abs, kNumeric, "the absolute value; real for complex a", along_sign(a, y, da)) \
    row(Sign, sign, kNumeric, "-1, 0 or 1; a / abs(a) for complex a", turn(a, y, da)) \
    row(Conj, conj, kNumeric, "the complex conjugate", conj(da)) \
    row(Real, real, kFloating, "the real part; real for complex a", real(da)) \
    row(Imag, imag, kFloating, "the imaginary part; real for complex a, 0 for real a", \
        imaginary_tangent(da)) \
    row(StopGradient, stop_gradient, kAnyDType, "a itself, which derivatives take for a constant", none) \
    row(Round, round, kFloating, "the nearest whole number, of two the even one; both parts of complex a", none) \
    row(Expm1, expm1, kFloating, "exp(a) - 1, accurate near 0", da * y + da) \
    row(Log1p, log1p, kFloating, "log(1 + a), accurate near 0", da / (a + 1)) \
    row(Rsqrt, rsqrt, kFloating, "1 / sqrt(a)", -(da * y / (a + a))) \
    row(Sigmoid, sigmoid, kFloating, "1 / (1 + exp(-a))", da * (y - y * y)) \
    row(Lgamma, lgamma, kReal, "the logarithm of the absolute value of the gamma function", \
        no_derivative("lgamma", "the digamma function is not an operation"))
#define TENFERRO_OWN_BINARY_OPS(row) \
    row(Add, add, kNumeric, "a + b; integers wrap", da, db) \
    row(Sub, sub, kNumeric, "a - b; integers wrap", da, -db) \
    row(Mul, mul, kNumeric, "a * b; integers wrap", da * b, a * db) \
    row(Div, div, kNumeric, "a / b; integers truncate, and dividing one by 0 is InvalidArgument", \
        da / b, -(db * (y / b))) \
    row(Rem, rem, kOrdered, "the remainder of a / b, with the sign of a; integers by 0: InvalidArgument", \
        da, db * ((y - a) / b)) \
    row(Pow, pow, kNumeric, "a to the power b; a negative integer power is InvalidArgument", \
        da * power_slope(a, b), db * (y * safe_log(a))) \
    row(Complex, complex, kReal, "a + b i", \
        complex(instantiate(args.dx[0], a), instantiate(args.dx[1], b))) \
    row(Maximum, maximum, kOrdered, "the larger; NaN if either is", \
        da * share(greater(a, b), a, b), db * share(less(a, b), a, b)) \
    row(Minimum, minimum, kOrdered, "the smaller; NaN if either is", \
        da * share(less(a, b), a, b), db * share(greater(a, b), a, b)) \
    row(Equal, equal, kAnyDType, "whether a == b", none) \
    row(NotEqual, not_equal, kAnyDType, "whether a != b", none) \
    row(Less, less, kOrdered, "whether a < b", none) \
    row(LessEqual, less_equal, kOrdered, "whether a <= b", none) \
    row(Greater, greater, kOrdered, "whether a > b", none) \
    row(GreaterEqual, greater_equal, kOrdered, "whether a >= b", none)
#define TENFERRO_UNARY_OPS(row) TENFERRO_OWN_UNARY_OPS(row) TENFERRO_STANDARD_UNARY_OPS(row)
#define TENFERRO_BINARY_OPS(row) TENFERRO_OWN_BINARY_OPS(row) TENFERRO_STANDARD_BINARY_OPS(row)
#define TENFERRO_SELECTION_OPS(row) \
    row(Select, select, kAnyDType, "on_true where the predicate holds, else on_false", \
        (predicate, on_true, on_false), ()) \
    row(Clamp, clamp, kOrdered, "minimum(maximum(x, low), high)", (low, x, high), ())
#define TENFERRO_CONVERSION_OPS(row) \
    row(Convert, convert, kAnyDType, \
        "the same values in a dtype they promote to: Bool -> I32 -> I64 -> F64 -> C64, F32 -> F64, " \
        "F32 -> C32 -> C64 (else InvalidConfig)") \
    row(Cast, cast, kAnyDType, \
        "the values in any dtype, with loss: complex to real drops the imaginary part, float to integer " \
        "truncates and saturates (NaN gives 0), integers wrap, anything to Bool is whether it is not zero")
#define TENFERRO_CONTRACTION_OPS(row) \
    row(DotGeneral, dot_general, kNumeric, \
        "sums of products over contracted axes, per batch, see DotGeneralConfig; zeros if these are empty", \
        (lhs, rhs), ((DotGeneralConfig, config)))
#define TENFERRO_REARRANGEMENT_OPS(row) \
    row(Transpose, transpose, kAnyDType, "axis i of the result is axis perm[i] of a", \
        (a), ((Axes, perm))) \
    row(Reshape, reshape, kAnyDType, \
        "the same elements in column-major order, other shape; the products of the extents must agree", \
        (a), ((Extents, shape))) \
    row(BroadcastInDim, broadcast_in_dim, kAnyDType, \
        "axis i of a is axis broadcast_dims[i] of the result (extent 1 or equal); the rest is repeated", \
        (a), ((Extents, shape), (Axes, broadcast_dims))) \
    row(ExtractDiagonal, extract_diagonal, kAnyDType, \
        "axis `second` merged into `first`: result(…, i, …) = a(…, i, …, i, …)", \
        (a), ((Axis, first), (Axis, second))) \
    row(ToContiguous, to_contiguous, kAnyDType, \
        "a compact column-major copy; the owned form returns a compact tensor unchanged", (a), ())
#define TENFERRO_SLICING_OPS(row) \
    row(Slice, slice, kAnyDType, \
        "the part of each axis from starts to limits in steps, see TensorRead::slice_view", (a), \
        ((Extents, starts), (Extents, limits), (List, steps))) \
    row(DynamicSlice, dynamic_slice, kAnyDType, \
        "`sizes` elements of each axis from `starts` on, a vector of I32 or I64 with one entry per axis, " \
        "each of which is first clamped to [0, extent - size]", \
        (a, starts), ((Extents, sizes))) \
    row(DynamicUpdateSlice, dynamic_update_slice, kAnyDType, \
        "a with the elements that dynamic_slice of the shape of `update` would give replaced by `update`", \
        (a, update, starts), ())
#define TENFERRO_PADDING_OPS(row) \
    row(Pad, pad, kAnyDType, \
        "config.interior copies of the scalar `value` between neighbours, config.low before and " \
        "config.high after each axis; negative low and high remove that many instead", \
        (a, value), ((PadConfig, config)))
#define TENFERRO_WINDOW_OPS(row) \
    row(Gather, gather, kAnyDType, \
        "windows of a at the places `indices` (I32 or I64) says, see GatherConfig", \
        (a, indices), ((GatherConfig, config))) \
    row(Scatter, scatter, kAnyDType, \
        "a with windows replaced by those of `updates` where `indices` (I32 or I64) says, see " \
        "ScatterConfig; the last one stays, in column-major order of the batch", \
        (a, indices, updates), ((ScatterConfig, config))) \
    row(ScatterAdd, scatter_add, kNumeric, \
        "a with windows of `updates` added where `indices` (I32 or I64) says, see ScatterConfig", \
        (a, indices, updates), ((ScatterConfig, config)))
#define TENFERRO_JOINING_OPS(row) \
    row(Concatenate, concatenate, kAnyDType, \
        "the operands one after the other along `axis`; all other extents must agree")
// A reduction is a row here and a functor of the same name in reduction.hpp. The axes disappear. No axes: the
// operand. Nothing to reduce: the identity, for max and min -inf and +inf, or the integer type's limit.
#define TENFERRO_REDUCE_OPS(row) \
    row(ReduceSum, reduce_sum, kNumeric, "the sum over axes, pairwise") \
    row(ReduceProd, reduce_prod, kNumeric, "the product over axes") \
    row(ReduceMax, reduce_max, kOrdered, "the largest over axes; NaN if any is") \
    row(ReduceMin, reduce_min, kOrdered, "the smallest over axes; NaN if any is") \
    row(ReduceAny, reduce_any, DTypes{DType::Bool}, "whether any holds") \
    row(ReduceAll, reduce_all, DTypes{DType::Bool}, "whether all hold")
#define TENFERRO_ARG_OPS(row) \
    row(Argmax, argmax, kOrdered, \
        "the I64 index along `axis`, which disappears, of the largest element: the first NaN if there is " \
        "one, else the first of equals; an empty axis has none (InvalidArgument)", \
        (a), ((Axis, axis))) \
    row(Argmin, argmin, kOrdered, "the same of the smallest element", (a), ((Axis, axis)))
#define TENFERRO_AXIS_OPS(row) \
    row(CumulativeSum, cumulative_sum, kNumeric, \
        "element i of `axis` is the sum of elements 0 to i; with `reverse` of elements i to the last", \
        (a), ((Axis, axis), (Flag, reverse)), \
        cumulative_sum(da, axis, reverse), cumulative_sum(ct, axis, !reverse)) \
    row(Softmax, softmax, kReal, \
        "exp(a - m) / sum of exp(a - m) along `axis`, where m is the largest element there", \
        (a), ((Axis, axis)), tangent_of_softmax(y, da, axis)) \
    row(Sort, sort, kOrdered, \
        "`axis` in ascending order with NaN last, or in descending order with NaN first; equal elements " \
        "keep their order", \
        (a), ((Axis, axis), (Flag, descending)), \
        no_derivative("sort", "no operation gives the order of the elements"))
#define TENFERRO_SHIFTING_OPS(row) \
    row(Roll, roll, kAnyDType, \
        "element i of `axis` is element i - shift of a, counted around the end", \
        (a), ((Integer, shift), (Axis, axis)), roll(da, shift, axis), rolled_back(ct, shift, axis))
#define TENFERRO_DIAGONAL_OPS(row) \
    row(EmbedDiagonal, embed_diagonal, kAnyDType, \
        "the inverse of extract_diagonal: a new axis `second` with the extent of axis `first` of the result; " \
        "zero off the diagonal", \
        (a), ((ResultAxis, first), (ResultAxis, second)), \
        embed_diagonal(da, first, second), extract_diagonal(ct, first, second)) \
    row(Tril, tril, kAnyDType, \
        "the matrices in axes 0 and 1 where column - row <= diagonal, zero elsewhere", \
        (a), ((Diagonal, diagonal)), tril(da, diagonal), tril(ct, diagonal)) \
    row(Triu, triu, kAnyDType, \
        "the matrices in axes 0 and 1 where column - row >= diagonal, zero elsewhere", \
        (a), ((Diagonal, diagonal)), triu(da, diagonal), triu(ct, diagonal))
#define TENFERRO_REVERSING_OPS(row) \
    row(Reverse, reverse, kAnyDType, "the listed axes in reverse order", \
        (a), ((Axes, axes)), reverse(da, axes), reverse(ct, axes))
// Regular operations: the struct in graphs, the function on handles, the forms of the methods and the samples
// of the tests follow from the row, which adds row(…, tangent, cotangent): formulas as above, of parameters too
// (ops/regular.cpp has the functions they share). The tangent is one of a, y and da, or where there are several
// operands of TangentArgs; the cotangent, of ct, is left out where the operation is not linear. Those with a kernel have a virtual function of the backends, others are
// composed of such functions, and the result of the last is a view of the operand, which TensorRead makes.
#define TENFERRO_KERNEL_OPS(row) TENFERRO_AXIS_OPS(row)
#define TENFERRO_COMPOSED_OPS(row) TENFERRO_SHIFTING_OPS(row) TENFERRO_DIAGONAL_OPS(row)
#define TENFERRO_VIEW_OPS(row) TENFERRO_REVERSING_OPS(row)
#define TENFERRO_REGULAR_OPS(row) \
    TENFERRO_KERNEL_OPS(row) TENFERRO_COMPOSED_OPS(row) TENFERRO_VIEW_OPS(row)
#define TENFERRO_STRUCTURED_OPS(row) \
    TENFERRO_SELECTION_OPS(row) TENFERRO_CONTRACTION_OPS(row) TENFERRO_REARRANGEMENT_OPS(row) \
    TENFERRO_SLICING_OPS(row) TENFERRO_PADDING_OPS(row) TENFERRO_WINDOW_OPS(row) \
    TENFERRO_ARG_OPS(row) TENFERRO_REGULAR_OPS(row)
#define TENFERRO_ALL_OPS(row) \
    TENFERRO_UNARY_OPS(row) TENFERRO_BINARY_OPS(row) TENFERRO_SELECTION_OPS(row) \
    TENFERRO_CONVERSION_OPS(row) TENFERRO_CONTRACTION_OPS(row) TENFERRO_REARRANGEMENT_OPS(row) \
    TENFERRO_SLICING_OPS(row) TENFERRO_PADDING_OPS(row) TENFERRO_JOINING_OPS(row) \
    TENFERRO_WINDOW_OPS(row) TENFERRO_REDUCE_OPS(row) TENFERRO_ARG_OPS(row) TENFERRO_REGULAR_OPS(row)
// clang-format on

#define TENFERRO_ROW(Name, method, dtypes, meaning, ...) Name,
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

#define TENFERRO_ROW(Name, method, dtypes, meaning, ...) OpInfo{OpId::Name, #method, dtypes, meaning},
inline constexpr std::array kOps{TENFERRO_ALL_OPS(TENFERRO_ROW)};
#undef TENFERRO_ROW

[[nodiscard]] constexpr const OpInfo& info(OpId op) noexcept { return kOps[static_cast<std::size_t>(op)]; }

}}  // namespace tenferro::TENFERRO_ABI
