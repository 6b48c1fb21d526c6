// log |gamma(x)| for x > 0. Up to 11/2 the argument is moved by whole numbers to 2 + z, |z| <= 1/2, where it
// is z p(z): what lies between is the logarithm of a product. Beyond, J. Stirling's series,
//   (x - 1/2) (log x - 1) + log(2 pi) / 2 - 1/2 + s(1/x^2) / x.
// The only logarithm, of the product or of x, is that of powers. The parameter T is the type that results are
// rounded to. Other arguments, poles and reflections, are exceptions.
#if defined(TENFERRO_VECTOR_MATH_LGAMMA_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_VECTOR_MATH_LGAMMA_INL
#undef TENFERRO_VECTOR_MATH_LGAMMA_INL
#else
#define TENFERRO_VECTOR_MATH_LGAMMA_INL
#endif

#include "cpu/kernels/vector_math/pow-inl.hpp"
#include "tenferro/tensor/elementwise/analytic.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

/// The product between gamma(x) and gamma(2 + z), n = x - z: x (x + 1), x, 1, x - 1, (x - 1) (x - 2), ...
HWY_INLINE Vec between(Vec x, Vec n) {
    const Vec one = constant(1);
    const auto factor = [&](double least) {
        return hn::IfThenElse(hn::Ge(n, constant(least)), hn::Sub(x, constant(least - 2)), one);
    };
    const Vec above = hn::Mul(hn::Mul(factor(3), factor(4)), factor(5));
    const Vec below = hn::IfThenElse(hn::Eq(n, one), x, hn::MulAdd(x, x, x));
    return hn::IfThenElse(hn::Le(n, one), below, above);
}

template <class T>
struct VectorLgamma {
    static HWY_INLINE LongVec logarithm(Vec x) {
        if constexpr (std::is_same_v<T, float>)
            return {short_log(x), hn::Zero(Reals())};
        else
            return long_log(x);
    }
    static HWY_INLINE Vec apply(Vec x) {
        using F = Fit<T>;
        const Vec n = hn::Sub(hn::Add(x, constant(kRounder)), constant(kRounder)), z = hn::Sub(x, n);
        const Mask far = hn::Ge(x, constant(5.5));
        const LongVec log = logarithm(hn::IfThenElse(far, x, between(x, n)));

        // The first two terms are not rounded: next to 3/2 the sum is a third of them.
        const Vec first = constant(F::kLgammaFirst[0]), second = constant(F::kLgammaFirst[1]);
        const Vec linear = hn::Mul(z, first), square = hn::Mul(z, z);
        const Vec cubic = hn::Mul(z, polynomial(F::kLgamma, z)), q = hn::Add(second, cubic);
        const Vec quadratic = hn::Mul(square, q), q_rest = hn::Add(hn::Sub(second, q), cubic);
        const Vec linear_rest = hn::MulAdd(z, constant(F::kLgammaRest), product_rest(z, first, linear));
        const Vec quadratic_rest = hn::MulAdd(square, q_rest, product_rest(square, q, quadratic));
        const Vec series_rest =
            hn::Add(linear_rest, hn::MulAdd(q, product_rest(z, z, square), quadratic_rest));
        const Vec high = hn::IfThenElse(hn::Gt(n, constant(1)), log.hi, hn::Neg(log.hi));
        const Vec low = hn::IfThenElse(hn::Gt(n, constant(1)), log.lo, hn::Neg(log.lo));
        const Vec sum = hn::Add(linear, high), total = hn::Add(sum, quadratic);
        const Vec sum_rest = hn::Add(two_sum_rest(linear, high, sum), two_sum_rest(sum, quadratic, total));
        const Vec near = hn::Add(total, hn::Add(sum_rest, hn::Add(low, series_rest)));

        const Vec inverse = hn::Div(constant(1), x), factor = hn::Sub(x, constant(0.5));
        const Vec less = hn::Sub(log.hi, constant(1));
        const Vec less_rest = hn::Add(hn::Sub(hn::Sub(log.hi, less), constant(1)), log.lo);
        const Vec product = hn::Mul(factor, less);
        const Vec rest = hn::MulAdd(factor, less_rest, product_rest(factor, less, product));
        const Vec tail = hn::MulAdd(inverse, polynomial(F::kStirling, hn::Mul(inverse, inverse)),
                                    constant(kHalfLog2PiLess));
        const Vec result = hn::IfThenElse(far, hn::Add(product, hn::Add(tail, rest)), near);

        const Mask ordinary = hn::And(hn::Gt(x, constant(0x1p-500)), hn::Lt(x, constant(0x1p500)));
        if (HWY_LIKELY(hn::AllTrue(Reals(), ordinary))) return result;
        return repaired<T>(result, hn::Not(ordinary), elementwise::Lgamma{}, x);
    }
};

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
