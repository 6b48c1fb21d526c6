// The algebras of the tests for every instruction set: tropical ones with vector forms, with and without
// regular elements, others in scalar form.
#include "unit/cpu/algebras.hpp"

#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "unit/cpu/algebras.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "tenferro/cpu/contraction/kernels-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::testing::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace kernels = cpu::HWY_NAMESPACE;

template <class Scalars>
struct FloatMax : Scalars {
    using Lane = typename Scalars::Element;
    using Scalars::mac;
    using Scalars::plus;
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V plus(D, V x, V y) {
        return hn::IfThenElse(hn::Or(hn::IsNaN(x), hn::Ge(x, y)), x, y);
    }
};

struct VectorMaxPlus : FloatMax<Tropical<double, 1>> {
    using FloatMax::mac;
    using FloatMax::times;
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V times(D, V a, V b) {
        return hn::Add(a, b);
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V mac(D d, V c, V a, V b) {
        return plus(d, c, hn::Add(a, b));
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V mac_regular(D, V c, V a, V b) {
        return hn::Max(c, hn::Add(a, b));
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V mac_regular(D d, V c, V a, const double* b) {
        return mac_regular(d, c, a, hn::Set(d, *b));
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE hn::Mask<D> regular(D d, V x) {
        return hn::Lt(x, hn::Inf(d));
    }
};

struct VectorMaxMul : FloatMax<MaxMul> {
    using FloatMax::mac;
    using FloatMax::times;
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V times(D, V a, V b) {
        return hn::Mul(a, b);
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V mac(D d, V c, V a, V b) {
        return plus(d, c, hn::Mul(a, b));
    }
};

struct VectorMinPlusInt : Tropical<std::int32_t, -1> {
    using Lane = std::int32_t;
    using Tropical::mac;
    using Tropical::plus;
    using Tropical::times;
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V times(D d, V a, V b) {
        const V zero = hn::Set(d, kZero);
        return hn::IfThenElse(hn::Or(hn::Eq(a, zero), hn::Eq(b, zero)), zero, hn::Add(a, b));
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V plus(D, V x, V y) {
        return hn::Min(x, y);
    }
    template <class D, class V = hn::Vec<D>>
    static HWY_INLINE V mac(D d, V c, V a, V b) {
        return hn::Min(c, times(d, a, b));
    }
};

const cpu::KernelTable& max_plus() { return kernels::semiring_kernels<VectorMaxPlus>(); }
const cpu::KernelTable& max_mul() { return kernels::semiring_kernels<VectorMaxMul>(); }
const cpu::KernelTable& min_plus_int() { return kernels::semiring_kernels<VectorMinPlusInt>(); }
const cpu::KernelTable& min_plus() { return kernels::semiring_kernels<Tropical<float, -1>>(); }
const cpu::KernelTable& or_and() { return kernels::semiring_kernels<OrAnd>(); }
const cpu::KernelTable& modular() { return kernels::semiring_kernels<Modular>(); }

}  // namespace tenferro::testing::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::testing {

HWY_EXPORT(max_plus);
HWY_EXPORT(max_mul);
HWY_EXPORT(min_plus_int);
HWY_EXPORT(min_plus);
HWY_EXPORT(or_and);
HWY_EXPORT(modular);

template <>
const cpu::KernelTable& kernels_of<Tropical<double, 1>>() {
    return HWY_DYNAMIC_DISPATCH(max_plus)();
}
template <>
const cpu::KernelTable& kernels_of<MaxMul>() {
    return HWY_DYNAMIC_DISPATCH(max_mul)();
}
template <>
const cpu::KernelTable& kernels_of<Tropical<std::int32_t, -1>>() {
    return HWY_DYNAMIC_DISPATCH(min_plus_int)();
}
template <>
const cpu::KernelTable& kernels_of<Tropical<float, -1>>() {
    return HWY_DYNAMIC_DISPATCH(min_plus)();
}
template <>
const cpu::KernelTable& kernels_of<OrAnd>() {
    return HWY_DYNAMIC_DISPATCH(or_and)();
}
template <>
const cpu::KernelTable& kernels_of<Modular>() {
    return HWY_DYNAMIC_DISPATCH(modular)();
}

}  // namespace tenferro::testing
#endif
