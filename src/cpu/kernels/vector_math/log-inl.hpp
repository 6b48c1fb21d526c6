// Logarithms: x = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)). For double, log(1 + f) = 2 artanh(s), s = f
// / (2 + f), arranged around f - f^2/2 so that only small terms are rounded (as in P. Tang, "Table-driven
// implementation of the logarithm function", without a table); for float a polynomial in f needs no division.
#if defined(TENFERRO_VECTOR_MATH_LOG_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_VECTOR_MATH_LOG_INL
#undef TENFERRO_VECTOR_MATH_LOG_INL
#else
#define TENFERRO_VECTOR_MATH_LOG_INL
#endif

#include "cpu/kernels/vector_math/table-functions-inl.hpp"
#include "cpu/kernels/vector_math/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

/// x = 2^k m with m in [least, 2 least), for normal positive x. The fraction of x is compared with that of
/// `least`, given by its bits, by a subtraction that borrows from the exponent.
struct Octave {
    Vec k, m;

    HWY_INLINE Octave(Vec x, std::uint64_t least) {
        const Reals d;
        const Words words;
        const auto lowest = hn::Set(words, least), one = hn::Set(words, 0x3ff0000000000000u);
        const auto shifted = hn::Add(hn::BitCast(words, x), hn::Sub(one, lowest));
        const auto fraction = hn::Add(hn::And(shifted, hn::Set(words, 0x000fffffffffffffu)), lowest);
        const auto exponent =
            hn::Or(hn::ShiftRight<52>(shifted), hn::Set(words, 0x4330000000000000u));  // 2^52 + biased k
        k = hn::Sub(hn::BitCast(d, exponent), constant(0x1p52 + static_cast<double>(kExponentBias)));
        m = hn::BitCast(d, fraction);
    }
};

/// x = 2^k (1 + f), 1 + f in [sqrt(1/2), sqrt(2)).
struct LogParts {
    Vec k, f;

    explicit HWY_INLINE LogParts(Vec x) {
        const Octave octave(x, 0x3fe6a09e667f3bcdu);
        k = octave.k;
        f = hn::Sub(octave.m, constant(1));
    }
};

/// k ln 2 + log(1 + f + rest), |rest| below the last bit of f or k = 0 and rest = 0.
HWY_INLINE Vec log_of_parts(Vec k, Vec f, Vec rest) {
    const Vec s = hn::Div(f, hn::Add(constant(2), f)), square = hn::Mul(s, s);
    const Vec half = hn::Mul(constant(0.5), hn::Mul(f, f));
    const Vec series = hn::MulAdd(square, polynomial(Fit<double>::kLog, square), half);
    const Vec tail = hn::MulAdd(s, series, hn::MulAdd(k, constant(kLn2[1]), rest));
    return hn::MulAdd(k, constant(kLn2[0]), hn::Sub(f, hn::Sub(half, tail)));
}

/// The results at infinity, NaN, zero and below it, where y may be anything.
HWY_INLINE Vec with_log_limits(Vec x, Vec y) {
    const Vec infinity = hn::Inf(Reals());
    y = hn::IfThenElse(hn::Lt(x, infinity), y, x);
    y = hn::IfThenElse(hn::Lt(x, constant(0)), hn::NaN(Reals()), y);
    return hn::IfThenElse(hn::Eq(x, constant(0)), hn::Neg(infinity), y);
}

inline HWY_NOINLINE Vec log_extreme(Vec x) {
    const Mask subnormal = hn::Lt(x, constant(kSmallestNormal));
    const LogParts p(hn::IfThenElse(subnormal, hn::Mul(x, constant(0x1p54)), x));
    const Vec k = hn::Sub(p.k, hn::IfThenElseZero(subnormal, constant(54)));
    return with_log_limits(x, log_of_parts(k, p.f, hn::Zero(Reals())));
}

#ifdef TENFERRO_REGISTER_TABLES
using VectorLog = TableLog;
#else
struct VectorLog {
    static HWY_INLINE Vec apply(Vec x) {
        const Mask ordinary = hn::And(hn::Ge(x, constant(kSmallestNormal)), hn::Lt(x, hn::Inf(Reals())));
        if (HWY_UNLIKELY(!hn::AllTrue(Reals(), ordinary))) return log_extreme(x);
        const LogParts p(x);
        return log_of_parts(p.k, p.f, hn::Zero(Reals()));
    }
};
#endif

/// log(u + lost) + further ln 2, lost below the last place of u, which join after the reduction: f + rest.
HWY_INLINE Vec log_of_sum(Vec u, Vec lost, Vec further) {
    const LogParts p(u);
    // Nothing is lost beyond k = 53.
    const Vec scaled = hn::Mul(lost, power_of_two(hn::Sub(constant(kRounder), hn::Min(p.k, constant(64)))));
    const Vec f = hn::Add(p.f, scaled), rest = hn::Add(hn::Sub(p.f, f), scaled);
    return log_of_parts(hn::Add(p.k, further), f, rest);
}

/// log(1 + x) + further ln 2, with what the rounding of 1 + x lost. Where it is not reduced the sum is x
/// itself.
HWY_INLINE Vec log_one_plus(Vec x, Vec further) {
    const Vec one = constant(1), u = hn::Add(one, x);
    return log_of_sum(u, two_sum_rest(x, one, u), further);
}

struct VectorLog1p {
    static HWY_INLINE Vec apply(Vec x) {
        const Vec y = hn::CopySign(log_one_plus(x, hn::Zero(Reals())), x);
        const Mask ordinary = hn::And(hn::Gt(x, constant(-1)), hn::Lt(x, hn::Inf(Reals())));
        return HWY_LIKELY(hn::AllTrue(Reals(), ordinary))
                   ? y
                   : hn::IfThenElse(ordinary, y, with_log_limits(hn::Add(constant(1), x), y));
    }
};

/// As LogParts, with 2^-k.
struct FloatLogParts {
    FloatVec k, f, inverse;

    explicit HWY_INLINE FloatLogParts(FloatVec x) {
        const Floats d;
        const FloatWords words;
        const hn::RebindToSigned<Floats> integers;
        const auto root = hn::Set(words, 0x3f3504f3u), one = hn::Set(words, 0x3f800000u),
                   fraction = hn::Set(words, 0x007fffffu);
        const auto offset = hn::Add(hn::BitCast(words, x), hn::Sub(one, root));
        k = hn::ConvertTo(d,
                          hn::Sub(hn::BitCast(integers, hn::ShiftRight<23>(offset)), hn::Set(integers, 127)));
        f = hn::Sub(hn::BitCast(d, hn::Add(hn::And(offset, fraction), root)), single(1));
        inverse = hn::BitCast(d, hn::Sub(hn::Set(words, 0x7f000000u), hn::AndNot(fraction, offset)));
    }
};

/// k ln 2 + log(1 + f).
HWY_INLINE FloatVec log_of_parts(FloatVec k, FloatVec f) {
    const FloatVec series = hn::Mul(hn::Mul(f, f), polynomial(Fit<float>::kLog, f));
    const FloatVec tail = hn::MulAdd(k, single(kFloatLn2[1]), series);
    return hn::MulAdd(k, single(kFloatLn2[0]), hn::Add(f, tail));
}

inline HWY_NOINLINE FloatVec float_log_extreme(FloatVec x) {
    constexpr float kNormal = std::numeric_limits<float>::min();
    const FloatMask subnormal = hn::Lt(x, single(kNormal));
    const FloatLogParts p(hn::IfThenElse(subnormal, hn::Mul(x, single(0x1p25F)), x));
    const FloatVec k = hn::Sub(p.k, hn::IfThenElseZero(subnormal, single(25))), infinity = hn::Inf(Floats());
    FloatVec y = hn::IfThenElse(hn::Lt(x, infinity), log_of_parts(k, p.f), x);
    y = hn::IfThenElse(hn::Lt(x, single(0)), hn::NaN(Floats()), y);
    return hn::IfThenElse(hn::Eq(x, single(0)), hn::Neg(infinity), y);
}

#ifdef TENFERRO_REGISTER_TABLES
using FloatLog = TableLog;
#else
struct FloatLog {
    static HWY_INLINE FloatVec apply(FloatVec x) {
        const FloatMask ordinary =
            hn::And(hn::Ge(x, single(std::numeric_limits<float>::min())), hn::Lt(x, hn::Inf(Floats())));
        if (HWY_UNLIKELY(!hn::AllTrue(Floats(), ordinary))) return float_log_extreme(x);
        const FloatLogParts p(x);
        return log_of_parts(p.k, p.f);
    }
};
#endif

/// k is that of 1 + x rounded, and f = 2^-k (1 + x) - 1 = 2^-k x + (2^-k - 1), of which only the last sum is
/// rounded: not at all where k = 0. Beyond k = 24 log x is the same.
struct FloatLog1p {
    static HWY_INLINE FloatVec within_reach(FloatVec x) {
        const FloatLogParts p(hn::Add(x, single(1)));
        const FloatVec f = hn::MulAdd(x, p.inverse, hn::Sub(p.inverse, single(1)));
        return hn::CopySign(log_of_parts(p.k, f), x);
    }
    static HWY_NOINLINE FloatVec extreme(FloatVec x, FloatMask ordinary) {
        return hn::IfThenElse(ordinary, within_reach(hn::IfThenElseZero(ordinary, x)),
                              float_log_extreme(hn::Add(x, single(1))));
    }
    static HWY_INLINE FloatVec apply(FloatVec x) {
        const FloatMask ordinary = hn::And(hn::Gt(x, single(-1)), hn::Lt(x, single(0x1p100F)));
        return HWY_LIKELY(hn::AllTrue(Floats(), ordinary)) ? within_reach(x) : extreme(x, ordinary);
    }
};

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
