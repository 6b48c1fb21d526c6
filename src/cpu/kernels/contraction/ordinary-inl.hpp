// The ordinary algebra, sums of products, as a Semiring, compiled once per instruction set.
#if defined(TENFERRO_ORDINARY_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_ORDINARY_INL
#undef TENFERRO_ORDINARY_INL
#else
#define TENFERRO_ORDINARY_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
struct OrdinaryScalars {
    using Element = T;
    static HWY_INLINE T zero() { return T{}; }
    static HWY_INLINE T accumulator_identity() { return T{}; }
    static HWY_INLINE T mac(T c, T a, T b) { return c + a * b; }
    static HWY_INLINE T plus(T x, T y) { return x + y; }
};

template <class T>
struct Ordinary : OrdinaryScalars<T> {};

template <std::floating_point T>
struct Ordinary<T> : OrdinaryScalars<T> {
    using Lane = T;
    using OrdinaryScalars<T>::mac;
    using OrdinaryScalars<T>::plus;
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V mac(D, V c, V a, V b) {
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
