// Plain loops that compilers vectorise, and those of complex numbers, which they do badly; compiled once per
// instruction set.
#include "cpu/kernels/contraction/strided_loops.hpp"

#include <algorithm>
#include <complex>

#include "cpu/kernels/contraction/scalar_ops.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/contraction/strided_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/elementwise/vector_lines-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

template <Walk kWalk>
HWY_INLINE Index at(const Index* offsets, Index i) {
    return kWalk == Walk::Unit ? i : kWalk == Walk::Fixed ? 0 : offsets[i];
}

template <class T, Walk kWalkA, Walk kWalkB, bool kAdds>
void loop(const void* a_data, const Index* a_offsets, const void* b_data, const Index* b_offsets, void* out,
          Index size) {
    const T *a = static_cast<const T*>(a_data), *b = static_cast<const T*>(b_data);
    T* __restrict totals = static_cast<T*>(out);
    for (Index i = 0; i < size; ++i) {
        const T value = product(a[at<kWalkA>(a_offsets, i)], b[at<kWalkB>(b_offsets, i)]);
        totals[i] = kAdds ? sum(totals[i], value) : value;
    }
}

/// The same of complex numbers without a table.
template <class Real, Walk kWalkA, Walk kWalkB, bool kAdds>
void complex_loop(const void* a_data, const Index*, const void* b_data, const Index*, void* out, Index size) {
    using Number = InParts<Real>;
    using T = typename Number::Element;
    using V = hn::Vec<typename Number::D>;
    constexpr Index kLanes = Number::kLanes;
    const auto load = []<Walk kWalk>(const T* from) HWY_ATTR -> Parts<V> {
        if constexpr (kWalk == Walk::Unit) return Number::load(from);
        return {hn::Set(typename Number::D(), from->real()), hn::Set(typename Number::D(), from->imag())};
    };
    const auto step = [load](const T* a, const T* b, T* totals) HWY_ATTR {
        Parts<V> value = times(load.template operator()<kWalkA>(a), load.template operator()<kWalkB>(b));
        if constexpr (kAdds) {
            const Parts<V> before = Number::load(totals);
            value = {hn::Add(before.re, value.re), hn::Add(before.im, value.im)};
        }
        Number::store(value, totals);
    };
    const T *a = static_cast<const T*>(a_data), *b = static_cast<const T*>(b_data);
    T* const totals = static_cast<T*>(out);
    Index i = 0;
    for (; i + kLanes <= size; i += kLanes)
        step(a + at<kWalkA>(nullptr, i), b + at<kWalkB>(nullptr, i), totals + i);
    if (i == size) return;
    T last_a[kLanes] = {}, last_b[kLanes] = {}, last[kLanes] = {};
    std::copy_n(a + at<kWalkA>(nullptr, i), kWalkA == Walk::Unit ? size - i : 1, last_a);
    std::copy_n(b + at<kWalkB>(nullptr, i), kWalkB == Walk::Unit ? size - i : 1, last_b);
    if constexpr (kAdds) std::copy_n(totals + i, size - i, last);
    step(last_a, last_b, last);
    std::copy_n(last, size - i, totals + i);
}

template <class T, Walk kWalkA, Walk kWalkB, bool kAdds>
constexpr StridedLoop kLoop = loop<T, kWalkA, kWalkB, kAdds>;
template <class Real, Walk kWalkA, Walk kWalkB, bool kAdds>
requires(kWalkA != Walk::Table &&
         kWalkB != Walk::Table) constexpr StridedLoop kLoop<std::complex<Real>, kWalkA, kWalkB, kAdds> =
    complex_loop<Real, kWalkA, kWalkB, kAdds>;

template <class T, Walk kWalkA, bool kAdds>
StridedLoop choose_b(Walk b) {
    switch (b) {
        case Walk::Unit: return kLoop<T, kWalkA, Walk::Unit, kAdds>;
        case Walk::Fixed: return kLoop<T, kWalkA, Walk::Fixed, kAdds>;
        default: return kLoop<T, kWalkA, Walk::Table, kAdds>;
    }
}

template <class T, bool kAdds>
StridedLoop choose_a(Walk a, Walk b) {
    switch (a) {
        case Walk::Unit: return choose_b<T, Walk::Unit, kAdds>(b);
        case Walk::Fixed: return choose_b<T, Walk::Fixed, kAdds>(b);
        default: return choose_b<T, Walk::Table, kAdds>(b);
    }
}

StridedLoop choose_loop(DType dtype, Walk a, Walk b, bool adds) {
    StridedLoop chosen = nullptr;
    visit_numeric(dtype,
                  [&]<class T>() { chosen = adds ? choose_a<T, true>(a, b) : choose_a<T, false>(a, b); });
    return chosen;
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(choose_loop);
StridedLoop strided_loop(DType dtype, Walk a, Walk b, bool adds) {
    return HWY_DYNAMIC_DISPATCH(choose_loop)(dtype, a, b, adds);
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
