// Logarithms: x = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)). For double, log(1 + f) = 2 artanh(s), s = f / (2 + f),
// arranged around f - f^2/2 so that only small terms are rounded (as in P. Tang, "Table-driven implementation of the
// logarithm function", without a table); for float a polynomial in f needs no division.
#if defined(TENFERRO_VECTOR_MATH_LOG_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_VECTOR_MATH_LOG_INL
#undef TENFERRO_VECTOR_MATH_LOG_INL
#else
#define TENFERRO_VECTOR_MATH_LOG_INL
#endif

#include "cpu/kernels/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::inline TENFERRO_ABI::cpu::HWY_NAMESPACE {

/// x = 2^k (1 + f), for normal positive x. The fraction of x is compared with that of sqrt(1/2) by a subtraction that borrows
/// from the exponent.
struct LogParts {
    Vec k, f;

    explicit HWY_INLINE LogParts(Vec x) {
        const Reals d;
        const Words words;
        const auto root = hn::Set(words, 0x3fe6a09e667f3bcdu), one = hn::Set(words, 0x3ff0000000000000u);
        const auto shifted = hn::Add(hn::BitCast(words, x), hn::Sub(one, root));
        const auto fraction = hn::Add(hn::And(shifted, hn::Set(words, 0x000fffffffffffffu)), root);
        const auto exponent = hn::Or(hn::ShiftRight<52>(shifted), hn::Set(words, 0x4330000000000000u));  // 2^52 + biased k
        k = hn::Sub(hn::BitCast(d, exponent), constant(0x1p52 + static_cast<double>(kExponentBias)));
        f = hn::Sub(hn::BitCast(d, fraction), constant(1));
    }
};

/// k ln 2 + log(1 + f + rest), |rest| below the last bit of f or k = 0 and rest = 0.
template <class T>
HWY_INLINE Vec log_of_parts(Vec k, Vec f, Vec rest) {
    if constexpr (std::is_same_v<T, float>) {
        const Vec tail = hn::MulAdd(hn::Mul(f, f), polynomial(Fit<T>::kLog, f), rest);
        return hn::Add(hn::MulAdd(k, constant(kLn2[0] + kLn2[1]), tail), f);
    } else {
        const Vec s = hn::Div(f, hn::Add(constant(2), f)), square = hn::Mul(s, s);
        const Vec half = hn::Mul(constant(0.5), hn::Mul(f, f));
        const Vec series = hn::MulAdd(square, polynomial(Fit<T>::kLog, square), half);
        const Vec tail = hn::MulAdd(s, series, hn::MulAdd(k, constant(kLn2[1]), rest));
        return hn::MulAdd(k, constant(kLn2[0]), hn::Sub(f, hn::Sub(half, tail)));
    }
}

/// The results at infinity, NaN, zero and below it, where y may be anything.
HWY_INLINE Vec with_log_limits(Vec x, Vec y) {
    const Vec infinity = hn::Inf(Reals());
    y = hn::IfThenElse(hn::Lt(x, infinity), y, x);
    y = hn::IfThenElse(hn::Lt(x, constant(0)), hn::NaN(Reals()), y);
    return hn::IfThenElse(hn::Eq(x, constant(0)), hn::Neg(infinity), y);
}

template <class T>
HWY_NOINLINE Vec log_extreme(Vec x) {
    const Mask subnormal = hn::Lt(x, constant(kSmallestNormal));
    const LogParts p(hn::IfThenElse(subnormal, hn::Mul(x, constant(0x1p54)), x));
    const Vec k = hn::Sub(p.k, hn::IfThenElseZero(subnormal, constant(54)));
    return with_log_limits(x, log_of_parts<T>(k, p.f, hn::Zero(Reals())));
}

struct VectorLog {
    template <class T>
    static HWY_INLINE Vec apply(Vec x) {
        const Mask ordinary = hn::And(hn::Ge(x, constant(kSmallestNormal)), hn::Lt(x, hn::Inf(Reals())));
        if (HWY_UNLIKELY(!hn::AllTrue(Reals(), ordinary))) return log_extreme<T>(x);
        const LogParts p(x);
        return log_of_parts<T>(p.k, p.f, hn::Zero(Reals()));
    }
};

/// u = 1 + x and what its rounding lost (D. Knuth's TwoSum) join again after the reduction: f + rest. Where k = 0 that sum is
/// x itself.
struct VectorLog1p {
    template <class T>
    static HWY_INLINE Vec apply(Vec x) {
        const Vec one = constant(1), u = hn::Add(one, x);
        const Vec x_part = hn::Sub(u, one);
        const Vec lost = hn::Add(hn::Sub(x, x_part), hn::Sub(one, hn::Sub(u, x_part)));
        const LogParts p(u);
        // Nothing is lost beyond k = 53.
        const Vec scaled = hn::Mul(lost, power_of_two(hn::Sub(constant(kRounder), hn::Min(p.k, constant(64)))));
        const Vec f = hn::Add(p.f, scaled), rest = hn::Add(hn::Sub(p.f, f), scaled);
        const Vec y = hn::CopySign(log_of_parts<T>(p.k, f, rest), x);
        const Mask ordinary = hn::And(hn::Gt(x, constant(-1)), hn::Lt(x, hn::Inf(Reals())));
        return HWY_LIKELY(hn::AllTrue(Reals(), ordinary)) ? y : hn::IfThenElse(ordinary, y, with_log_limits(u, y));
    }
};

}  // namespace tenferro::inline TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
