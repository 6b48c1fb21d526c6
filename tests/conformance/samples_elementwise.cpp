// Samples of the elementwise operations: one for each row of the table, which needs nothing here unless it is
// an exception. Operands are drawn among ordinary and special values.
#include <algorithm>
#include <limits>

#include "conformance/samples.hpp"

namespace tenferro::conformance {

namespace {

using S = BackendSession;

/// Integers a second operand is drawn from, where the operation has no result for the others.
enum class Integers { Any, NonZero, NonNegative };

template <class T>
T drawn(Draw& draw, Integers integers) {
    using Limits = std::numeric_limits<T>;
    const bool special = draw.integer(0, 4) == 0;
    if constexpr (std::is_same_v<T, bool>) {
        return draw.integer(0, 1) == 1;
    } else if constexpr (std::is_integral_v<T>) {
        const T limits[] = {Limits::min(), Limits::max(), -1, 0};
        const T value = special ? limits[draw.integer(0, 3)] : static_cast<T>(draw.integer(-9, 9));
        if (integers == Integers::NonZero && value == 0) return 1;
        return integers == Integers::NonNegative && value < 0 ? static_cast<T>(draw.integer(0, 9)) : value;
    } else if constexpr (std::is_floating_point_v<T>) {
        const T limits[] = {
            0, 1, Limits::infinity(), Limits::max(), Limits::min(), Limits::denorm_min(), Limits::epsilon(),
            90};
        const T sign = draw.integer(0, 1) == 1 ? T{1} : T{-1};
        if (!special) return sign * static_cast<T>(draw.integer(0, 10000)) / 1024;
        return draw.integer(0, 8) == 0 ? Limits::quiet_NaN() : sign * limits[draw.integer(0, 7)];
    } else {
        const auto re = drawn<typename T::value_type>(draw, integers),
                   im = drawn<typename T::value_type>(draw, integers);
        return {re, im};
    }
}

Operand operand(Draw& draw, DType dtype, const Dims& shape, Integers integers = Integers::Any) {
    return Operand(draw, dtype, shape, [&](const TensorWrite& elements) {
        visit_dtype(dtype, [&]<class T> {
            test::for_each_index(
                shape, [&](const Dims& i) { test::element<T>(elements, i) = drawn<T>(draw, integers); });
        });
    });
}

Dims drawn_shape(Draw& draw) { return draw.shape(static_cast<std::size_t>(draw.integer(0, 5)), 0, 4); }

/// The results of the three forms; `into(out)` runs the third.
template <class Into>
std::vector<Tensor> forms(BackendSession& s, Tensor&& read, Tensor&& owned, Into into) {
    std::vector<Tensor> results;
    results.push_back(s.zeros(read.dtype(), read.shape()));
    into(results[0].write());
    results.push_back(std::move(read));
    results.push_back(std::move(owned));
    return results;
}

template <Tensor (S::*owned)(Tensor&&), Tensor (S::*read)(const TensorRead&),
          void (S::*into)(const TensorRead&, const TensorWrite&)>
std::vector<Tensor> unary(Draw& draw, DType dtype, BackendSession& s) {
    const Operand a = operand(draw, dtype, drawn_shape(draw));
    return forms(s, (s.*read)(a), (s.*owned)(a.owned(s)), [&](const TensorWrite& out) { (s.*into)(a, out); });
}

template <Integers integers, Tensor (S::*owned)(Tensor&&, Tensor&&),
          Tensor (S::*read)(const TensorRead&, const TensorRead&),
          void (S::*into)(const TensorRead&, const TensorRead&, const TensorWrite&)>
std::vector<Tensor> binary(Draw& draw, DType dtype, BackendSession& s) {
    const Dims shape = drawn_shape(draw);
    const Operand a = operand(draw, dtype, shape), b = operand(draw, dtype, shape, integers);
    return forms(s, (s.*read)(a, b), (s.*owned)(a.owned(s), b.owned(s)),
                 [&](const TensorWrite& out) { (s.*into)(a, b, out); });
}

std::vector<Tensor> select(Draw& draw, DType dtype, BackendSession& s) {
    const Dims shape = drawn_shape(draw);
    const Operand p = operand(draw, DType::Bool, shape), a = operand(draw, dtype, shape),
                  b = operand(draw, dtype, shape);
    return forms(s, s.select_read(p, a, b), s.select(p.owned(s), a.owned(s), b.owned(s)),
                 [&](const TensorWrite& out) { s.select_into(p, a, b, out); });
}

std::vector<Tensor> clamp(Draw& draw, DType dtype, BackendSession& s) {
    const Dims shape = drawn_shape(draw);
    const Operand low = operand(draw, dtype, shape), x = operand(draw, dtype, shape),
                  high = operand(draw, dtype, shape);
    return forms(s, s.clamp_read(low, x, high), s.clamp(low.owned(s), x.owned(s), high.owned(s)),
                 [&](const TensorWrite& out) { s.clamp_into(low, x, high, out); });
}

std::vector<Tensor> cast(Draw& draw, DType dtype, BackendSession& s) {
    const Operand a = operand(draw, dtype, drawn_shape(draw));
    const DType to = kDTypes[static_cast<std::size_t>(draw.integer(0, 6))].dtype;
    return forms(s, s.cast_read(a, to), s.cast(a.owned(s), to),
                 [&](const TensorWrite& out) { s.cast_into(a, out); });
}

/// To C64, the top of the lattice, and to itself.
std::vector<Tensor> convert(Draw& draw, DType dtype, BackendSession& s) {
    const Operand a = operand(draw, dtype, drawn_shape(draw));
    const DType to = draw.integer(0, 3) == 0 ? dtype : DType::C64;
    return forms(s, s.convert_read(a, to), s.convert(a.owned(s), to),
                 [&](const TensorWrite& out) { s.convert_into(a, out); });
}

/// What follows is all that a row of the table may ask for here: an operation in no list computes the same
/// bits on every backend, from any operands.
constexpr OpId kApproximate[] = {  // within two units of the last place in cpu, three in the reference
    OpId::Exp,   OpId::Expm1,   OpId::Log,   OpId::Log1p, OpId::Sin,  OpId::Cos,   OpId::Sinh,  OpId::Cosh,
    OpId::Tanh,  OpId::Sigmoid, OpId::Pow,   OpId::Asin,  OpId::Acos, OpId::Atan,  OpId::Atan2, OpId::Hypot,
    OpId::Asinh, OpId::Acosh,   OpId::Atanh, OpId::Erf,   OpId::Erfc, OpId::Lgamma};
constexpr OpId kApproximateComplex[] = {OpId::Abs, OpId::Div, OpId::Sqrt};  // exact on other dtypes
constexpr DTypes kComplex{DType::C32, DType::C64};
struct Divisor {
    OpId op;
    Integers integers;
};
constexpr Divisor kDivisors[] = {
    {OpId::Div, Integers::NonZero}, {OpId::Rem, Integers::NonZero}, {OpId::Pow, Integers::NonNegative}};

template <std::size_t N>
constexpr bool contains(const OpId (&ops)[N], OpId op) {
    return std::find(std::begin(ops), std::end(ops), op) != std::end(ops);
}
constexpr DTypes approximate(OpId op) {
    return contains(kApproximate, op) ? kFloating : contains(kApproximateComplex, op) ? kComplex : DTypes{};
}
constexpr Integers integers_of(OpId op) {
    for (const Divisor& divisor : kDivisors)
        if (divisor.op == op) return divisor.integers;
    return Integers::Any;
}

}  // namespace

const std::vector<Sample>& elementwise_samples() {
    static const std::vector<Sample> samples{
#define TENFERRO_ROW(Name, method, dtypes, meaning, ...) \
    {OpId::Name, 5, unary<&S::method, &S::method##_read, &S::method##_into>, true, approximate(OpId::Name)},
        TENFERRO_UNARY_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
#define TENFERRO_ROW(Name, method, dtypes, meaning, ...)                                                     \
    {OpId::Name, 5, binary<integers_of(OpId::Name), &S::method, &S::method##_read, &S::method##_into>, true, \
     approximate(OpId::Name)},
            TENFERRO_BINARY_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
                {OpId::Select, 0, select},
        {OpId::Clamp, 0, clamp},
        {OpId::Convert, 0, convert},
        {OpId::Cast, 0, cast},
    };
    return samples;
}

}  // namespace tenferro::conformance
