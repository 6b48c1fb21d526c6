// The hyperbolic tangent. With E = (e^2a - 1) / 2 it is E / (E + 1), that is E - E E / (E + 1) or
// 1 - 1 / (E + 1), of which that is taken whose second term is small: M - M M / (E + 1), M = min(E, 1). In
// registers of 512 bits there are tables.
#if defined(TENFERRO_VECTOR_MATH_TANH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_VECTOR_MATH_TANH_INL
#undef TENFERRO_VECTOR_MATH_TANH_INL
#else
#define TENFERRO_VECTOR_MATH_TANH_INL
#endif

#include "cpu/kernels/vector_math/table-functions-inl.hpp"
#include "cpu/kernels/vector_math/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

#ifdef TENFERRO_REGISTER_TABLES
using VectorTanh = TableTanh;

struct FloatTanh {
    static HWY_INLINE FloatVec apply(FloatVec x) {
        const Quarter<FloatTanhTable> q(at_most(10, hn::Abs(x)));
        return hn::CopySign(of_interval(FloatTanhTable::kSeries, q.t, q.index), x);
    }
};
#else
/// a = k ln(2)/2 + r, k rounded down: all terms of E = 2^k p(r) + (2^k - 1) / 2 have one sign.
struct VectorTanh {
    template <class V>
    static HWY_INLINE V apply(V x) {
        using T = hn::TFromV<V>;
        const hn::DFromV<V> d;
        const auto& ln2 = SplitLn2<T>::kParts;
        const V a = at_most(T(20), hn::Abs(x)), half = hn::Set(d, T(0.5)), one = hn::Set(d, T(1));
        const V rounder = hn::Set(d, kRounderOf<T>), octaves = hn::Set(d, T(2 * kInverseLn2));
        const V rounded = hn::Add(hn::MulSub(a, octaves, half), rounder), k = hn::Sub(rounded, rounder);
        const V r = hn::NegMulAdd(k, hn::Set(d, ln2[1] / 2), hn::NegMulAdd(k, hn::Set(d, ln2[0] / 2), a));
        const V p = hn::MulAdd(hn::Mul(r, r), horner(Fit<T>::kHalfExpm1, r), r);
        const V power = power_of_two(rounded);
        const V e = hn::MulAdd(power, p, hn::MulSub(power, half, half)), m = hn::Min(e, one);
        return hn::CopySignToAbs(hn::NegMulAdd(m, hn::Div(m, hn::Add(e, one)), m), x);
    }
};
using FloatTanh = VectorTanh;
#endif

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
