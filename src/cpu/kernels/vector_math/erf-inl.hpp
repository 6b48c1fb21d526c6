// The error functions. erf is an odd polynomial next to zero, and 1 - erfc(a) beyond, as well as that needs
// it: e^p(a) for doubles, p(a)^4 for floats. erfc(a) = e^(-a^2) f(t) / (a + 3), t = (a - 3) / (a + 3), for a
// >= 0 (M. Shepherd and J. Laframboise, "Chebyshev approximation of (1 + 2x) exp(x^2) erfc x in 0 <= x <
// infinity"), and 2 - erfc(a) below zero. For doubles what t, f and the quotient lose is kept. In registers
// that look coefficients up erf and e^(a^2) erfc(a) are polynomials of intervals.
#if defined(TENFERRO_VECTOR_MATH_ERF_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_VECTOR_MATH_ERF_INL
#undef TENFERRO_VECTOR_MATH_ERF_INL
#else
#define TENFERRO_VECTOR_MATH_ERF_INL
#endif

#include "cpu/kernels/vector_math/exp-inl.hpp"
#include "cpu/kernels/vector_math/float-inl.hpp"
#include "cpu/kernels/vector_math/pow-inl.hpp"
#include "tenferro/tensor/elementwise/analytic.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

#ifdef TENFERRO_REGISTER_TABLES
struct FloatErf {
    static HWY_INLINE FloatVec apply(FloatVec x) {
        using Table = FloatErfTable;
        const FloatVec a = at_most(4, hn::Abs(x));
        const Quarter<Table> q(a);
        const FloatVec leading =
            hn::IfThenElse(hn::Lt(a, single(0.125F)), a, looked_up(Table::kSeries[0], q.index));
        return hn::CopySign(hn::MulAdd(slope(Table::kSeries, q.t, q.index), q.t, leading), x);
    }
};
struct DoubleErf {
    static HWY_INLINE Vec apply(Vec x) {
        using Table = ErfTable;
        const Vec a = at_most(6, hn::Abs(x));
        const Vec rounded = hn::MulAdd(a, constant(Table::kInverseLength), constant(kRounder));
        const auto index = hn::BitCast(Words(), rounded);
        const Vec t = hn::NegMulAdd(hn::Sub(rounded, constant(kRounder)), constant(Table::kLength), a);
        return hn::CopySign(of_interval(Table::kSeries, t, index), x);
    }
};
#else
/// 1 - erfc(a) from kErfNear to kErfOne.
HWY_INLINE Vec far_erf(Vec a) {
    return hn::Sub(constant(1), VectorExp::apply(polynomial(Fit<double>::kLogErfc, a)));
}
HWY_INLINE FloatVec far_erf(FloatVec a) {
    const FloatVec root = horner(Fit<float>::kErfcRoot, a), square = hn::Mul(root, root);
    return hn::NegMulAdd(square, square, single(1));
}

struct VectorErf {
    template <class V>
    static HWY_INLINE V apply(V x) {
        using F = Fit<hn::TFromV<V> >;
        const hn::DFromV<V> d;
        const V a = hn::Abs(x), square = hn::Mul(x, x);
        const V near = hn::MulAdd(horner(F::kErf, square), x, x);
        const V far = hn::CopySignToAbs(far_erf(at_most(F::kErfOne, a)), x);
        return hn::IfThenElse(hn::Ge(a, hn::Set(d, F::kErfNear)), far, near);
    }
};
using FloatErf = VectorErf;
using DoubleErf = VectorErf;
#endif

/// 2 - y for x < 0, else y.
template <class V>
HWY_INLINE V reflected(V x, V y) {
    const hn::DFromV<V> d;
    return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Sub(hn::Set(d, 2), y), y);
}

#ifdef TENFERRO_REGISTER_TABLES
/// erfc(a) for 0 <= a <= 26.
HWY_INLINE Vec long_erfc(Vec a) {
    using Table = ErfcTable;
    const auto index = hn::ShiftRight<50>(hn::BitCast(Words(), hn::Add(a, constant(2))));
    const Vec t = hn::Sub(a, looked_up(Table::kMiddle, index));
    const Vec factor = of_interval(Table::kSeries, t, index);
    const Vec exponent = hn::NegMulAdd(a, a, hn::Zero(Reals())), rest = hn::NegMulSub(a, a, exponent);
    return exp_times(exponent, rest, factor);
}
#else
/// erfc(a) for 0 <= a <= 26.
HWY_INLINE Vec long_erfc(Vec a) {
    // a + 3 = sum + sum_rest, a - 3 = difference + sum_rest.
    const Vec pole = constant(kErfcPole), sum = hn::Add(a, pole), sum_rest = hn::Sub(a, hn::Sub(sum, pole));
    const Vec difference = hn::Sub(sum, constant(2 * kErfcPole));
    const Vec inverse = hn::Div(constant(1), sum), t = hn::Mul(difference, inverse);
    // What 1/sum and t lack, from what they leave of the divided.
    const Vec one_left = hn::NegMulAdd(inverse, sum_rest, left_by(constant(1), inverse, sum));
    const Vec inverse_rest = hn::Mul(inverse, one_left);
    const Vec left = hn::NegMulAdd(t, sum_rest, hn::Add(left_by(difference, t, sum), sum_rest));
    const Vec t_rest = hn::Mul(inverse, left);
    using F = Fit<double>;
    const Vec slope = polynomial(F::kErfcSlope, t);
    const Vec first = constant(F::kErfcFirst[0]), second = constant(F::kErfcFirst[1]);
    const Vec series = polynomial(F::kErfc, t), square_part = hn::Mul(t, series),
              q = hn::Add(second, square_part);
    const Vec q_lost = hn::Add(hn::Sub(second, q), square_part), linear = hn::Mul(t, q);
    const Vec q_rest = hn::Add(q_lost, product_rest(t, series, square_part));
    const Vec small = hn::MulAdd(t, q_rest, hn::MulAdd(t_rest, slope, constant(F::kErfcRest)));
    const Vec f = hn::Add(first, linear), f_lost = hn::Add(hn::Sub(first, f), linear);
    const Vec f_rest = hn::Add(f_lost, hn::Add(product_rest(t, q, linear), small));
    const Vec factor = hn::Mul(f, inverse);
    const Vec factor_rest =
        hn::MulAdd(f_rest, inverse, hn::MulAdd(f, inverse_rest, product_rest(f, inverse, factor)));
    const Vec square = hn::Mul(a, a);
    return exp_times(hn::Neg(square), hn::Neg(product_rest(a, a, square)), factor, factor_rest);
}
#endif

#ifdef TENFERRO_FLOAT_INTERVALS
struct FloatErfc {
    static HWY_INLINE FloatVec apply(FloatVec x) {
        using Table = FloatErfcTable<kFloatIntervals>;
        const FloatVec a = at_most(10.5F, hn::Abs(x));
        const Interval<Table> i(a);
        const FloatVec factor = of_interval(Table::kSeries, i.t, i.index);
        const FloatVec exponent = hn::NegMulAdd(a, a, hn::Zero(Floats()));
        const FloatReduction p(exponent);
        const FloatVec r = hn::Add(p.r, hn::NegMulSub(a, a, exponent));
        const FloatVec y = hn::MulAdd(hn::Mul(r, r), horner(Fit<float>::kExp, r), r);
        return reflected(x, times_small_power(hn::MulAdd(factor, y, factor), p.k));
    }
};
#else
/// The same of floats, in double, to 2^-28 of it.
HWY_INLINE Vec short_erfc(Vec a) {
    const Vec inverse = hn::Div(constant(1), hn::Add(a, constant(kErfcPole)));
    const Vec t = hn::NegMulAdd(inverse, constant(2 * kErfcPole), constant(1));
    const Vec factor = hn::Mul(polynomial(Fit<float>::kErfc, t), inverse);
    return hn::Mul(exp_of_sum(hn::Neg(hn::Mul(a, a)), hn::Zero(Reals())), factor);
}

struct WideErfc {
    static HWY_INLINE Vec apply(Vec x) {
        return keep_nan(x, reflected(x, short_erfc(hn::Min(hn::Abs(x), constant(20)))));
    }
};
#endif

struct VectorErfc {
    static HWY_INLINE Vec apply(Vec x) {
        const Vec y = reflected(x, long_erfc(hn::Min(hn::Abs(x), constant(26))));
        const Mask ordinary = hn::Lt(x, constant(26));
        if (HWY_LIKELY(hn::AllTrue(Reals(), ordinary))) return y;
        return repaired<double>(y, hn::Not(ordinary), elementwise::Erfc{}, x);
    }
};

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
