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

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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

/// One vector of complex numbers, or one number in all lanes.
template <class Real>
struct ComplexVector {
    hn::Vec<hn::ScalableTag<Real>> re, im;

    explicit HWY_INLINE ComplexVector(std::complex<Real> z)
        : re(hn::Set(hn::ScalableTag<Real>(), z.real())), im(hn::Set(hn::ScalableTag<Real>(), z.imag())) {}
    explicit HWY_INLINE ComplexVector(const std::complex<Real>* z) {
        hn::LoadInterleaved2(hn::ScalableTag<Real>(), reinterpret_cast<const Real*>(z), re, im);
    }
};

/// The same of complex numbers without a table. Products are written out: where gcc 12 has fused ones it uses
/// them for complex numbers in vectors, whatever it is told, and streamed results would differ from others.
template <class Real, Walk kWalkA, Walk kWalkB, bool kAdds>
void complex_loop(const void* a_data, const Index*, const void* b_data, const Index*, void* out, Index size) {
    using T = std::complex<Real>;
    const hn::ScalableTag<Real> d;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
    const auto step = [d](const T* a, const T* b, T* totals) HWY_ATTR {
        const ComplexVector<Real> x = kWalkA == Walk::Unit ? ComplexVector<Real>(a) : ComplexVector<Real>(*a),
                                  y = kWalkB == Walk::Unit ? ComplexVector<Real>(b) : ComplexVector<Real>(*b);
        auto re = hn::Sub(hn::Mul(x.re, y.re), hn::Mul(x.im, y.im));
        auto im = hn::Add(hn::Mul(x.re, y.im), hn::Mul(x.im, y.re));
        if constexpr (kAdds) {
            const ComplexVector<Real> before(static_cast<const T*>(totals));
            re = hn::Add(before.re, re);
            im = hn::Add(before.im, im);
        }
        hn::StoreInterleaved2(re, im, d, reinterpret_cast<Real*>(totals));
    };
    const T *a = static_cast<const T*>(a_data), *b = static_cast<const T*>(b_data);
    T* const totals = static_cast<T*>(out);
    Index i = 0;
    for (; i + kLanes <= size; i += kLanes)
        step(a + at<kWalkA>(nullptr, i), b + at<kWalkB>(nullptr, i), totals + i);
    if (i == size) return;
    T last_a[kLanes], last_b[kLanes], last[kLanes];
    for (Index j = i; j < size; ++j) {
        last_a[j - i] = a[at<kWalkA>(nullptr, j)];
        last_b[j - i] = b[at<kWalkB>(nullptr, j)];
        last[j - i] = totals[j];
    }
    step(last_a, last_b, last);
    std::copy_n(last, size - i, totals + i);
}

/// The loop for two walks without a table.
template <class T, Walk kWalkA, Walk kWalkB, bool kAdds>
constexpr StridedLoop kDense = loop<T, kWalkA, kWalkB, kAdds>;
template <class Real, Walk kWalkA, Walk kWalkB, bool kAdds>
constexpr StridedLoop kDense<std::complex<Real>, kWalkA, kWalkB, kAdds> =
    complex_loop<Real, kWalkA, kWalkB, kAdds>;

template <class T, bool kAdds>
StridedLoop choose_dense(Walk a, Walk b) {
    if (a == Walk::Unit)
        return b == Walk::Unit ? kDense<T, Walk::Unit, Walk::Unit, kAdds>
                               : kDense<T, Walk::Unit, Walk::Fixed, kAdds>;
    return b == Walk::Unit ? kDense<T, Walk::Fixed, Walk::Unit, kAdds>
                           : kDense<T, Walk::Fixed, Walk::Fixed, kAdds>;
}

template <class T, bool kAdds>
StridedLoop choose(Walk a, Walk b) {
    using enum Walk;
    if (a != Table && b != Table) return choose_dense<T, kAdds>(a, b);
    switch (a) {
        case Unit: return loop<T, Unit, Table, kAdds>;
        case Fixed: return loop<T, Fixed, Table, kAdds>;
        default: break;
    }
    switch (b) {
        case Unit: return loop<T, Table, Unit, kAdds>;
        case Fixed: return loop<T, Table, Fixed, kAdds>;
        default: return loop<T, Table, Table, kAdds>;
    }
}

StridedLoop choose_loop(DType dtype, Walk a, Walk b, bool adds) {
    StridedLoop chosen = nullptr;
    visit_numeric(dtype, [&]<class T>() { chosen = adds ? choose<T, true>(a, b) : choose<T, false>(a, b); });
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
