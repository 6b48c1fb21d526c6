// Remainders of floating-point division in vectors, with the dividend's sign, exact as fmod's.
#if defined(TENFERRO_VECTOR_REMAINDER_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_VECTOR_REMAINDER_INL
#undef TENFERRO_VECTOR_REMAINDER_INL
#else
#define TENFERRO_VECTOR_REMAINDER_INL
#endif

#include "cpu/kernels/vector_math/vectors-inl.hpp"
#include "tenferro/tensor/elementwise.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

/// |a| - n |b| with n the rounded quotient cut to a whole number, which is the right one or one more: what is
/// left is at most |b| and a multiple of its last place, so the product fused with the difference is exact,
/// and so is adding |b| again. Quotients too large to have a fraction are left to the scalar function, and
/// all where no product is fused.
struct VectorRem {
    template <class V>
    static HWY_INLINE V apply(V a, V b) {
        using T = hn::TFromV<V>;
        const hn::DFromV<V> d;
        const V x = hn::Abs(a), y = hn::Abs(b), quotient = hn::Div(x, y),
                near = hn::NegMulAdd(hn::Trunc(quotient), y, x),
                rest = hn::IfThenElse(hn::Lt(near, hn::Zero(d)), hn::Add(near, y), near);
        const V result = hn::CopySign(hn::IfThenElse(hn::Lt(x, y), x, rest), a);
        constexpr T kWhole = T(std::uint64_t{1} << (std::numeric_limits<T>::digits - 1));
        const auto ordinary = hn::Lt(quotient, hn::Set(d, HWY_NATIVE_FMA ? kWhole : T(0)));
        if (HWY_LIKELY(hn::AllTrue(d, ordinary))) return result;
        return repaired<T>(result, hn::Not(ordinary), elementwise::Rem{}, a, b);
    }
};

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
