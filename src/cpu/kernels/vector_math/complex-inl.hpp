// Complex functions on vectors of parts, within 4 eps of the magnitude; where the parts are moderate nothing
// between overflows or vanishes, elsewhere, and at special values, the scalar function is asked, lane by
// lane. Formulas as in W. Kahan, "Branch cuts for complex elementary functions", and R. Smith, "Algorithm
// 116: complex division".
#if defined(TENFERRO_VECTOR_MATH_COMPLEX_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_VECTOR_MATH_COMPLEX_INL
#undef TENFERRO_VECTOR_MATH_COMPLEX_INL
#else
#define TENFERRO_VECTOR_MATH_COMPLEX_INL
#endif

#include <complex>
#include <utility>

#include "cpu/kernels/vector_math/angle-inl.hpp"
#include "cpu/kernels/vector_math/exp-inl.hpp"
#include "cpu/kernels/vector_math/float-inl.hpp"
#include "cpu/kernels/vector_math/hypot-inl.hpp"
#include "cpu/kernels/vector_math/log-inl.hpp"
#include "cpu/kernels/vector_math/pow-inl.hpp"
#include "cpu/kernels/vector_math/sin-inl.hpp"
#include "tenferro/tensor/elementwise/analytic.hpp"
#include "tenferro/tensor/elementwise/arithmetic.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

/// z, with scalar(arguments...) in the lanes of `exceptions`.
template <class F, class V, class... Arguments>
inline HWY_NOINLINE Parts<V> repaired_parts(Parts<V> z, hn::Mask<hn::DFromV<V>> exceptions, F scalar,
                                            const Arguments&... arguments) {
    using T = hn::TFromV<V>;
    const hn::DFromV<V> d;
    constexpr std::size_t kLanes = hn::MaxLanes(hn::DFromV<V>()), kArguments = sizeof...(Arguments);
    HWY_ALIGN T re[kArguments + 1][kLanes], im[kArguments + 1][kLanes], chosen[kLanes];
    hn::Store(hn::IfThenElseZero(exceptions, hn::Set(d, T(1))), d, chosen);
    std::size_t k = 0;
    const auto store = [&](const Parts<V>& number) {
        hn::Store(number.re, d, re[k]);
        hn::Store(number.im, d, im[k++]);
    };
    (store(arguments), ...);
    store(z);
    for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
        if (chosen[i] == 0) continue;
        const std::complex<T> value = [&]<std::size_t... I>(std::index_sequence<I...>) {
            return scalar(std::complex<T>(re[I][i], im[I][i])...);
        }
        (std::index_sequence_for<Arguments...>());
        re[kArguments][i] = value.real();
        im[kArguments][i] = value.imag();
    }
    return {hn::Load(d, re[kArguments]), hn::Load(d, im[kArguments])};
}

template <class V>
HWY_INLINE hn::Mask<hn::DFromV<V>> is_moderate(const Parts<V>& z) {
    return is_moderate(z.re, z.im);
}

struct ComplexAbs {
    template <class V>
    static HWY_INLINE V apply(const Parts<V>& z) {
        return VectorHypot::apply(z.re, z.im);
    }
};

/// With p the larger part of b, q the other and r = q / p, |r| <= 1.
struct ComplexDiv {
    template <class V>
    static HWY_INLINE Parts<V> apply(const Parts<V>& a, const Parts<V>& b) {
        const hn::DFromV<V> d;
        const auto steep = hn::Gt(hn::Abs(b.im), hn::Abs(b.re));
        const V p = hn::IfThenElse(steep, b.im, b.re), q = hn::IfThenElse(steep, b.re, b.im);
        const V first = hn::IfThenElse(steep, a.im, a.re), second = hn::IfThenElse(steep, a.re, a.im);
        const V r = hn::Div(q, p), divisor = hn::Add(p, hn::Mul(q, r));
        const V across = hn::Mul(first, r);
        // Not the other difference with its sign changed, of which a zero has the wrong one.
        const V im = hn::IfThenElse(steep, hn::Sub(across, second), hn::Sub(second, across));
        const Parts<V> quotient{hn::Div(hn::Add(first, hn::Mul(second, r)), divisor), hn::Div(im, divisor)};
        const auto zero = hn::And(hn::Eq(a.re, hn::Zero(d)), hn::Eq(a.im, hn::Zero(d)));
        const auto ordinary = hn::And(is_moderate(b), hn::Or(is_moderate(a), zero));
        if (HWY_LIKELY(hn::AllTrue(d, ordinary))) return quotient;
        return repaired_parts(quotient, hn::Not(ordinary), elementwise::Div{}, a, b);
    }
};

/// t = sqrt((|z| + |x|) / 2) is one part, |y| / (2 t) the other.
struct ComplexSqrt {
    template <class V>
    static HWY_INLINE Parts<V> apply(const Parts<V>& z) {
        using T = hn::TFromV<V>;
        const hn::DFromV<V> d;
        const V half = hn::Set(d, T(0.5)), sum = hn::Add(moderate_hypot(z.re, z.im), hn::Abs(z.re));
        const V t = hn::Sqrt(hn::Mul(sum, half)), other = hn::Div(hn::Mul(hn::Abs(z.im), half), t);
        const auto left = hn::Lt(z.re, hn::Zero(d)), ordinary = is_moderate(z);
        const Parts<V> root{hn::IfThenElse(left, other, t),
                            hn::CopySign(hn::IfThenElse(left, t, other), z.im)};
        if (HWY_LIKELY(hn::AllTrue(d, ordinary))) return root;
        return repaired_parts(root, hn::Not(ordinary), elementwise::Sqrt{}, z);
    }
};

/// e^x (cos y + i sin y).
template <class Exp, class Cos, class Sin>
struct ComplexExp {
    template <class V>
    static HWY_INLINE Parts<V> apply(const Parts<V>& z) {
        using T = hn::TFromV<V>;
        const hn::DFromV<V> d;
        constexpr T kReach = std::is_same_v<T, float> ? T(87) : T(708);
        const V modulus = Exp::apply(z.re);
        const Parts<V> power{hn::Mul(modulus, Cos::apply(z.im)), hn::Mul(modulus, Sin::apply(z.im))};
        const auto ordinary =
            hn::And(hn::Lt(hn::Abs(z.re), hn::Set(d, kReach)), hn::Lt(hn::Abs(z.im), hn::Inf(d)));
        if (HWY_LIKELY(hn::AllTrue(d, ordinary))) return power;
        return repaired_parts(power, hn::Not(ordinary), elementwise::Exp{}, z);
    }
};

/// log |z| of moderate doubles: of |z|^2, next to 1 as (a - 1) (a + 1) + b^2 with the larger part a, of which
/// a - 1 is exact.
HWY_INLINE Vec log_modulus(const Parts<Vec>& z) {
    const Vec x = hn::Abs(z.re), y = hn::Abs(z.im), a = hn::Max(x, y), b = hn::Min(x, y), one = constant(1);
    const Vec square = hn::Mul(b, b), norm = hn::MulAdd(a, a, square);
    const Mask near = hn::And(hn::Gt(norm, constant(0.5)), hn::Lt(norm, constant(2)));
    const Vec excess = hn::MulAdd(hn::Sub(a, one), hn::Add(a, one), square), sum = hn::Add(one, excess);
    const Vec lost = hn::Add(hn::Sub(one, sum), excess);
    const Vec log =
        log_of_sum(hn::IfThenElse(near, sum, norm), hn::IfThenElseZero(near, lost), hn::Zero(Reals()));
    return hn::Mul(log, constant(0.5));
}

/// The same of floats, whose squares are exact in double.
inline HWY_NOINLINE FloatVec log_modulus(const Parts<FloatVec>& z) {
    const Floats d;
    HWY_ALIGN float re[hn::MaxLanes(Floats())], im[hn::MaxLanes(Floats())];
    hn::Store(z.re, d, re);
    hn::Store(z.im, d, im);
    for (std::size_t i = 0; i < hn::Lanes(d); i += hn::Lanes(Reals())) {
        const Vec x = load_reals(re + i), y = load_reals(im + i);
        store_reals(hn::Mul(short_log(hn::MulAdd(x, x, hn::Mul(y, y))), constant(0.5)), re + i);
    }
    return hn::Load(d, re);
}

struct ComplexLog {
    template <class V>
    static HWY_INLINE Parts<V> apply(const Parts<V>& z) {
        const hn::DFromV<V> d;
        const auto ordinary = is_moderate(z);
        const Parts<V> log{log_modulus(z), VectorAtan2::apply(z.im, z.re)};
        if (HWY_LIKELY(hn::AllTrue(d, ordinary))) return log;
        return repaired_parts(log, hn::Not(ordinary), elementwise::Log{}, z);
    }
};

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
