// Powers: x^y = e^(y log x), with the logarithm in two doubles, hi + lo, to 2^-63, since an exponent up to
// 709 costs ten bits. x = 2^k m, 3/4 <= m < 3/2; c is the inverse of m rounded to 32nds, m c = 1 + r, and
//   log x = k ln 2 - log c + log(1 + r)  (P. Tang, "Table-driven implementation of the logarithm function").
// The parameter T is the type that results are rounded to; floats need no second double. Arguments for which
// the formula does not hold go to the scalar function, lane by lane.
#if defined(TENFERRO_VECTOR_MATH_POW_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_VECTOR_MATH_POW_INL
#undef TENFERRO_VECTOR_MATH_POW_INL
#else
#define TENFERRO_VECTOR_MATH_POW_INL
#endif

#include "cpu/kernels/vector_math/exp-inl.hpp"
#include "cpu/kernels/vector_math/log-inl.hpp"
#include "cpu/kernels/vector_math/tables.hpp"
#include "tenferro/tensor/elementwise/analytic.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

#ifndef TENFERRO_REGISTER_TABLES
/// table[index modulo 32].
HWY_INLINE Vec looked_up(const double (&table)[32], hn::Vec<Words> index) {
    const auto entry = hn::And(index, hn::Set(Words(), 31));
    return hn::GatherIndex(Reals(), table, hn::BitCast(hn::RebindToSigned<Reals>(), entry));
}
#endif

/// m c = 1 + r, where the product is not rounded: r + r_rest.
struct LongLogReduction {
    Vec k, r, r_rest, log, log_rest;  // and -log c in two parts, of which the first is short

    explicit HWY_INLINE LongLogReduction(Vec x) {
        const Octave octave(x, 0x3fe8000000000000u);
        const auto index = hn::BitCast(Words(), hn::MulAdd(octave.m, constant(32), constant(kRounder)));
        const Vec inverse = looked_up(LongLogTable::kInverse, index);
        const Vec product = hn::Mul(octave.m, inverse), near = hn::Sub(product, constant(1));
        const Vec lost = product_rest(octave.m, inverse, product);
        k = octave.k;
        r = hn::Add(near, lost);
        r_rest = hn::Add(hn::Sub(near, r), lost);
        log = looked_up(LongLogTable::kLog, index);
        log_rest = looked_up(LongLogTable::kRest, index);
    }
};

/// The logarithm of a normal positive number, to 2^-38 of it and 2^-53.
HWY_INLINE Vec short_log(Vec x) {
#ifdef TENFERRO_REGISTER_TABLES
    return TableLog::logarithm(x, kLn2, Fit<float>::kShortLog);
#else
    const Octave octave(x, 0x3fe8000000000000u);
    const auto index = hn::BitCast(Words(), hn::MulAdd(octave.m, constant(32), constant(kRounder)));
    const Vec r = hn::MulSub(octave.m, looked_up(LongLogTable::kInverse, index), constant(1));
    const Vec tail = hn::MulAdd(r, polynomial(Fit<float>::kLongLog, r), constant(-0.5));
    const Vec leading = hn::MulAdd(octave.k, constant(kLn2[0]), looked_up(LongLogTable::kLog, index));
    return hn::Add(leading, hn::MulAdd(hn::Mul(r, r), tail, hn::MulAdd(octave.k, constant(kLn2[1]), r)));
#endif
}

struct LongVec {
    Vec hi, lo;
};

HWY_INLINE LongVec long_log(Vec x) {
    const LongLogReduction p(x);
    const Vec leading = hn::MulAdd(p.k, constant(kLn2[0]), p.log);  // exact
    const Vec sum = hn::Add(leading, p.r), sum_rest = hn::Add(hn::Sub(leading, sum), p.r);
    const Vec square = hn::Mul(p.r, p.r), square_rest = product_rest(p.r, p.r, square);
    const Vec half = hn::Mul(square, constant(0.5));
    const Vec near = hn::Sub(sum, half), near_rest = hn::Sub(hn::Sub(sum, near), half);
    const Vec cubic = hn::Mul(hn::Mul(p.r, square), polynomial(Fit<double>::kLongLog, p.r));
    const Vec small =
        hn::NegMulAdd(square_rest, constant(0.5),
                      hn::MulAdd(p.k, constant(kLn2[1]), hn::NegMulAdd(p.r_rest, p.r, p.r_rest)));
    const Vec rest = hn::Add(hn::Add(sum_rest, near_rest), hn::Add(small, p.log_rest));
    const Vec hi = hn::Add(near, cubic);
    return {hi, hn::Add(hn::Add(hn::Sub(near, hi), cubic), rest)};
}

/// e^(hi + lo) = power (1 + y) 2^k, |hi| < 708; in registers of 512 bits power is that of a sixteenth,
/// elsewhere 1.
struct SplitExp {
    Vec k, power, r, tail;  // y = r + tail; k plus kRounder where that gives 2^k

    HWY_INLINE SplitExp(Vec hi, Vec lo) {
#ifdef TENFERRO_REGISTER_TABLES
        const Vec rounded = hn::MulAdd(hi, constant(kInverseLn2), constant(kSixteenths));
        const auto index = hn::BitCast(Words(), rounded);
        k = hn::Sub(rounded, constant(kSixteenths));
        const Vec near = hn::NegMulAdd(k, constant(kLn2[1]), hn::NegMulAdd(k, constant(kLn2[0]), hi));
        r = hn::Add(near, lo);
        tail = hn::MulAdd(hn::Mul(r, r), horner(ExpTable::kExp, r), looked_up(ExpTable::kLost, index));
        power = looked_up(ExpTable::kPower, index);
#else
        k = hn::MulAdd(hi, constant(kInverseLn2), constant(kRounder));
        const Vec whole = hn::Sub(k, constant(kRounder)), high = hn::NegMulAdd(whole, constant(kLn2[0]), hi);
        const Vec less = hn::MulSub(whole, constant(kLn2[1]), lo);
        r = hn::Sub(high, less);
        const Vec r_rest = hn::Sub(hn::Sub(high, r), less);
        tail = hn::MulAdd(hn::Mul(r, r), polynomial(Fit<double>::kExp, r), r_rest);
        power = constant(1);
#endif
    }
    HWY_INLINE Vec shifted(Vec y) const {
#ifdef TENFERRO_REGISTER_TABLES
        return times_power(y, k);
#else
        return hn::Mul(y, power_of_two(k));
#endif
    }
};

/// e^(hi + lo), |hi| < 708.
HWY_INLINE Vec exp_of_sum(Vec hi, Vec lo) {
    const SplitExp p(hi, lo);
#ifdef TENFERRO_REGISTER_TABLES
    return p.shifted(hn::MulAdd(p.power, hn::Add(p.r, p.tail), p.power));
#else
    return p.shifted(hn::Add(constant(1), hn::Add(p.r, p.tail)));
#endif
}

#ifdef TENFERRO_REGISTER_TABLES
/// factor e^(hi + lo), |hi| < 708, rounded about once.
HWY_INLINE Vec exp_times(Vec hi, Vec lo, Vec factor) {
    const SplitExp p(hi, lo);
    const Vec product = hn::Mul(factor, p.power), rest = product_rest(factor, p.power, product);
    return p.shifted(hn::Add(product, hn::MulAdd(product, hn::Add(p.r, p.tail), rest)));
}
#else
/// (factor + rest) e^(hi + lo), |hi| < 708, rounded about once.
HWY_INLINE Vec exp_times(Vec hi, Vec lo, Vec factor, Vec rest) {
    const SplitExp p(hi, lo);
    const Vec small = hn::MulAdd(factor, p.tail, hn::MulAdd(rest, p.r, rest));
    return p.shifted(hn::Add(factor, hn::MulAdd(factor, p.r, small)));
}
#endif

/// Whether a has a logarithm, and y times that is finite.
HWY_INLINE Mask is_ordinary_power(Vec a, Vec y) {
    return hn::And(hn::And(hn::Ge(a, constant(kSmallestNormal)), hn::Lt(a, hn::Inf(Reals()))),
                   hn::Lt(hn::Abs(y), constant(0x1p100)));
}

/// a^y for a > 0 to 2^-28 of it, and in `ordinary` where that holds.
#ifdef TENFERRO_REGISTER_TABLES
HWY_INLINE Vec short_power(Vec a, Vec y, Mask& ordinary) {
    const Vec m = fraction(a);
    const auto index = hn::ShiftRight<LogTable<double>::kIndexBit>(hn::BitCast(Words(), m));
    const Vec r = hn::MulSub(m, looked_up(LogTable<double>::kInverse, index), constant(1));
    const Vec leading = hn::Add(exponent(a), looked_up(Log2Table::kLog, index));
    const Vec z = hn::Mul(y, hn::MulAdd(r, horner(Log2Table::kSeries, r), leading));  // y log2 a
    ordinary = hn::Lt(hn::Abs(z), constant(0x1p40));                                  // else NaN or infinite
    const Vec rounded = hn::Add(z, constant(kSixteenths)), k = hn::Sub(rounded, constant(kSixteenths));
    const Vec f = hn::Sub(z, k), power = looked_up(ExpTable::kPower, hn::BitCast(Words(), rounded));
    return times_power(hn::MulAdd(hn::Mul(power, f), horner(ExpTable::kExp2, f), power), k);
}
#else
HWY_INLINE Vec short_power(Vec a, Vec y, Mask& ordinary) {
    ordinary = is_ordinary_power(a, y);
    const Vec z = hn::Max(constant(-200), hn::Min(hn::Mul(y, short_log(a)), constant(200)));
    return exp_of_sum(z, hn::Zero(Reals()));
}
#endif

template <class T>
struct VectorPow {
    /// a^y for a > 0, and in `ordinary` where that holds.
    static HWY_INLINE Vec of_positive(Vec a, Vec y, Mask& ordinary) {
        if constexpr (std::is_same_v<T, float>) {
            return short_power(a, y, ordinary);
        } else {
            const LongVec log = long_log(a);
            const Vec z = hn::Mul(y, log.hi), rest = hn::MulAdd(y, log.lo, product_rest(y, log.hi, z));
            ordinary = hn::And(is_ordinary_power(a, y), hn::Lt(hn::Abs(z), constant(708)));
            return exp_of_sum(z, rest);
        }
    }
    /// Whole powers of negative numbers too; the rest is left to the scalar function.
    static HWY_NOINLINE Vec extreme(Vec x, Vec y) {
        Mask ordinary;
        const Vec power = of_positive(hn::Abs(x), y, ordinary), half = hn::Mul(y, constant(0.5));
        const Mask negative = hn::Lt(x, hn::Zero(Reals())), whole = hn::Eq(hn::Round(y), y);
        const Mask odd = hn::AndNot(hn::Eq(hn::Round(half), half), whole);
        const Vec result = hn::IfThenElse(hn::And(negative, odd), hn::Neg(power), power);
        const Mask exceptions = hn::Not(hn::And(ordinary, hn::Or(whole, hn::Not(negative))));
        if (hn::AllFalse(Reals(), exceptions)) return result;
        return repaired<T>(result, exceptions, elementwise::Pow{}, x, y);
    }
    static HWY_INLINE Vec apply(Vec x, Vec y) {
        Mask ordinary;
        const Vec power = of_positive(x, y, ordinary);
        return HWY_LIKELY(hn::AllTrue(Reals(), ordinary)) ? power : extreme(x, y);
    }
};

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
