// The first lanes of vectors in memory, compiled once per instruction set: nothing behind them is touched.
#include <algorithm>

#include "tenferro/base/checked.hpp"

#if defined(TENFERRO_CONTRACTION_LANE_PARTS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_CONTRACTION_LANE_PARTS_INL
#undef TENFERRO_CONTRACTION_LANE_PARTS_INL
#else
#define TENFERRO_CONTRACTION_LANE_PARTS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Whether hardware masks keep the other lanes of a load untouched.
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
inline constexpr bool kMasks = true;
#else
inline constexpr bool kMasks = false;
#endif

/// The first `count` lanes, and zeros behind them.
template <class D, class Lane = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> load_part(D d, const Lane* from, Index count) {
    if constexpr (kMasks) {
        return hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(count)), d, from);
    } else {
        HWY_ALIGN Lane lanes[hn::MaxLanes(d)] = {};
        std::copy_n(from, count, lanes);
        return hn::Load(d, lanes);
    }
}

#if HWY_TARGET != HWY_SCALAR
/// The parts of the first `count` complex numbers, of at most as many as there are lanes, and zeros.
template <class D, class Real = hn::TFromD<D>, class V = hn::Vec<D>>
HWY_INLINE void load_number_part(D d, const Real* from, Index count, V& re, V& im) {
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
    const Index in_low = std::min(2 * count, kLanes);
    const V low = load_part(d, from, in_low), high = load_part(d, from + kLanes, 2 * count - in_low);
    re = hn::ConcatEven(d, high, low);
    im = hn::ConcatOdd(d, high, low);
}
#endif

#if HWY_TARGET == HWY_AVX2
/// Half by half: AMD's processors take a dozen cycles for a store under a mask.
template <class D, class Lane = hn::TFromD<D>>
HWY_INLINE void store_part(D d, hn::Vec<D> value, Lane* to, Index count) {
    if constexpr (hn::MaxLanes(d) == 1) {
        if (count > 0) hn::StoreU(value, d, to);
    } else {
        const hn::Half<D> half;
        constexpr Index kHalf = static_cast<Index>(hn::MaxLanes(half));
        if (count < kHalf) return store_part(half, hn::LowerHalf(half, value), to, count);
        hn::StoreU(hn::LowerHalf(half, value), half, to);
        store_part(half, hn::UpperHalf(half, value), to + kHalf, count - kHalf);
    }
}
#else
template <class D, class Lane = hn::TFromD<D>>
HWY_INLINE void store_part(D d, hn::Vec<D> value, Lane* to, Index count) {
    if constexpr (kMasks) {
        hn::BlendedStore(value, hn::FirstN(d, static_cast<std::size_t>(count)), d, to);
    } else {
        HWY_ALIGN Lane lanes[hn::MaxLanes(d)];
        hn::Store(value, d, lanes);
        std::copy_n(lanes, count, to);
    }
}
#endif

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
