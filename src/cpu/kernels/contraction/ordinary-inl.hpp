// The ordinary algebra, sums of products, as a Semiring, compiled once per instruction set.
#if defined(TENFERRO_ORDINARY_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_ORDINARY_INL
#undef TENFERRO_ORDINARY_INL
#else
#define TENFERRO_ORDINARY_INL
#endif

#include <type_traits>

#include "cpu/kernels/contraction/scalar_ops.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
struct OrdinaryScalars {
    using Element = T;
    static HWY_INLINE T zero() { return T{}; }
    static HWY_INLINE T accumulator_identity() { return T{}; }
    static HWY_INLINE T mac(T c, T a, T b) { return sum(c, product(a, b)); }
    static HWY_INLINE T plus(T x, T y) { return sum(x, y); }
};

/// Complex numbers lie in vectors as pairs of parts.
template <class T>
struct Ordinary : OrdinaryScalars<T> {
    using OrdinaryScalars<T>::plus;
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V plus(D, V x, V y) {
        return hn::Add(x, y);
    }
};

/// Complex numbers, from what was multiplied by real parts and by imaginary ones.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V join_numbers(D, V by_re, V by_im) {
    const V turned = hn::Reverse2(D(), by_im);
    return hn::OddEven(hn::Add(by_re, turned), hn::Sub(by_re, turned));
}

/// A vector for the real parts of numbers and one for the imaginary ones: of factors, each part twice, or of
/// sums of products with them. Constructors that are not written out are compiled for no instruction set.
template <class V>
struct Parts {
    V real, imaginary;
    HWY_INLINE Parts() {}
    HWY_INLINE Parts(V re, V im) : real(re), imaginary(im) {}
};
template <class V>
HWY_INLINE Parts<V> add_product(V number, const Parts<V>& factor, const Parts<V>& sum) {
    return {hn::MulAdd(factor.real, number, sum.real), hn::MulAdd(factor.imaginary, number, sum.imaginary)};
}

/// Integers wrap around, as vectors without a sign do.
template <class T>
requires std::is_arithmetic_v<T>
struct Ordinary<T> : OrdinaryScalars<T> {
    using Lane = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>,
                                             std::type_identity<T>>::type;
    using OrdinaryScalars<T>::mac;
    using OrdinaryScalars<T>::plus;
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V mac(D, V c, V a, V b) {
        if constexpr (std::is_integral_v<T>)
            return hn::Add(hn::Mul(a, b), c);
        else
            return hn::MulAdd(a, b, c);
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V plus(D, V x, V y) {
        return hn::Add(x, y);
    }
};

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
