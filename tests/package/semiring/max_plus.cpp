// Max-plus for every instruction set. Numbers without NaN and +inf, the usual ones, take a faster
// multiply-and-add, which puts the addition on the pipes for products: a fused 1 * b + a whose factor the
// compiler does not know.
#include "max_plus.hpp"

#include <limits>
#include <type_traits>

#include <tenferro/cpu/contraction/contract.hpp>
#include <tenferro/cpu/contraction/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "max_plus.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <tenferro/cpu/contraction/kernels-inl.hpp>

#ifndef MAX_PLUS_ONE
#define MAX_PLUS_ONE
namespace max_plus {
template <class T>
struct Opaque {
    static T one;
};
template <class T>
T Opaque<T>::one = 1;
template struct Opaque<float>;
template struct Opaque<double>;
}  // namespace max_plus
#endif

HWY_BEFORE_NAMESPACE();
namespace max_plus::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
struct Scalars {
    using Lane = T;
    using Element = MaxPlus<T>;
    static constexpr bool kFloat = std::is_floating_point_v<T>;
    static constexpr T kZero = kFloat ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::min();
    static HWY_INLINE Element zero() { return {kZero}; }
    static HWY_INLINE Element accumulator_identity() { return {kZero}; }
    static HWY_INLINE Element times(Element a, Element b) {
        if (!kFloat && (a == zero() || b == zero())) return zero();
        return {a.value + b.value};
    }
    static HWY_INLINE Element plus(Element x, Element y) {
        return x.value != x.value || y.value <= x.value ? x : y;
    }
    static HWY_INLINE Element mac(Element c, Element a, Element b) { return plus(c, times(a, b)); }
};

struct Integers : Scalars<std::int64_t> {
    using Scalars::mac;
    using Scalars::plus;
    using Scalars::times;
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V times(D d, V a, V b) {
        const V zero = hn::Set(d, kZero);
        return hn::IfThenElse(hn::Or(hn::Eq(a, zero), hn::Eq(b, zero)), zero, hn::Add(a, b));
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V plus(D, V x, V y) {
        return hn::Max(x, y);
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V mac(D d, V c, V a, V b) {
        return hn::Max(c, times(d, a, b));
    }
};

template <class T>
struct Floats : Scalars<T> {
    using Scalars<T>::mac;
    using Scalars<T>::plus;
    using Scalars<T>::times;
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V times(D, V a, V b) {
        return hn::Add(a, b);
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V plus(D, V x, V y) {
        return hn::IfThenElse(hn::Or(hn::IsNaN(x), hn::Ge(x, y)), x, y);
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V mac(D d, V c, V a, V b) {
        return plus(d, c, times(d, a, b));
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V mac_regular(D d, V c, V a, V b) {
        return hn::Max(c, hn::MulAdd(b, hn::Set(d, Opaque<T>::one), a));
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE hn::Mask<D> regular(D d, V x) {
        return hn::Lt(x, hn::Inf(d));
    }
};

const tenferro::cpu::KernelTable& f32() {
    return tenferro::cpu::HWY_NAMESPACE::semiring_kernels<Floats<float>>();
}
const tenferro::cpu::KernelTable& f64() {
    return tenferro::cpu::HWY_NAMESPACE::semiring_kernels<Floats<double>>();
}
const tenferro::cpu::KernelTable& i64() { return tenferro::cpu::HWY_NAMESPACE::semiring_kernels<Integers>(); }

}  // namespace max_plus::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace max_plus {

HWY_EXPORT(f32);
HWY_EXPORT(f64);
HWY_EXPORT(i64);

namespace {

template <class T>
const tenferro::cpu::KernelTable& kernels() {
    if constexpr (std::is_same_v<T, float>)
        return HWY_DYNAMIC_DISPATCH(f32)();
    else if constexpr (std::is_same_v<T, double>)
        return HWY_DYNAMIC_DISPATCH(f64)();
    else
        return HWY_DYNAMIC_DISPATCH(i64)();
}

}  // namespace

template <class T>
void contract(const tenferro::TensorRead& lhs, const tenferro::TensorRead& rhs,
              const tenferro::DotGeneralConfig& config, const tenferro::TensorWrite& out,
              tenferro::CpuContext& context) {
    tenferro::cpu::contract(kernels<T>(), lhs, rhs, config, out, context);
}

template <class T>
void winners(const tenferro::TensorRead& lhs, const tenferro::TensorRead& rhs,
             const tenferro::DotGeneralConfig& config, const tenferro::TensorRead& result,
             const tenferro::TensorWrite& winners, tenferro::CpuContext& context) {
    tenferro::cpu::contract_winners(kernels<T>(), lhs, rhs, config, result, winners, context);
}

#define MAX_PLUS_INSTANTIATE(T)                                                                \
    template void contract<T>(const tenferro::TensorRead&, const tenferro::TensorRead&,        \
                              const tenferro::DotGeneralConfig&, const tenferro::TensorWrite&, \
                              tenferro::CpuContext&);                                          \
    template void winners<T>(const tenferro::TensorRead&, const tenferro::TensorRead&,         \
                             const tenferro::DotGeneralConfig&, const tenferro::TensorRead&,   \
                             const tenferro::TensorWrite&, tenferro::CpuContext&);
MAX_PLUS_INSTANTIATE(float)
MAX_PLUS_INSTANTIATE(double)
MAX_PLUS_INSTANTIATE(std::int64_t)

}  // namespace max_plus
#endif
