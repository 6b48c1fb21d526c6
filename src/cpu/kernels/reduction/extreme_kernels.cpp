// Compiled once per instruction set.
#include "cpu/kernels/reduction/extreme_kernels.hpp"

#include <functional>

#include "cpu/kernels/reduction/integer_as.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"
#include "tenferro/tensor/reduction.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/reduction/extreme_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "tenferro/cpu/contraction/unroll.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <bool kMax, class D, class V = hn::Vec<D>>
HWY_INLINE hn::Mask<D> replaces_lanes(D, V x, V best) {
    if constexpr (hwy::IsFloat<hn::TFromD<D>>()) {
        const auto no_better = kMax ? hn::Le(x, best) : hn::Ge(x, best);
        return hn::Not(hn::Or(no_better, hn::IsNaN(best)));
    } else {
        return kMax ? hn::Gt(x, best) : hn::Lt(x, best);
    }
}

/// kVectors vectors of neighbouring lines.
template <class T, bool kMax, int kVectors>
HWY_INLINE void find_in_vectors(T* best, IntegerAs<T>* places, const T* from, Index step, Index rows) {
    const hn::ScalableTag<T> d;
    const hn::ScalableTag<IntegerAs<T>> places_tag;
    constexpr auto kLanes = static_cast<Index>(hn::MaxLanes(d));
    hn::Vec<decltype(d)> found[kVectors];
    hn::Vec<decltype(places_tag)> at[kVectors];
    TENFERRO_UNROLL
    for (int v = 0; v < kVectors; ++v) {
        found[v] = hn::LoadU(d, best + v * kLanes);
        at[v] = hn::LoadU(places_tag, places + v * kLanes);
    }
    for (Index k = 0; k < rows; ++k) {
        const auto here = hn::Set(places_tag, static_cast<IntegerAs<T>>(k));
        TENFERRO_UNROLL
        for (int v = 0; v < kVectors; ++v) {
            const auto x = hn::LoadU(d, from + k * step + v * kLanes);
            const auto is_better = replaces_lanes<kMax>(d, x, found[v]);
            found[v] = hn::IfThenElse(is_better, x, found[v]);
            at[v] = hn::IfThenElse(hn::RebindMask(places_tag, is_better), here, at[v]);
        }
    }
    TENFERRO_UNROLL
    for (int v = 0; v < kVectors; ++v) {
        hn::StoreU(found[v], d, best + v * kLanes);
        hn::StoreU(at[v], places_tag, places + v * kLanes);
    }
}

template <class T, bool kMax>
void find_in_rows(void* best_so_far, void* places_so_far, const void* first, Index width, Index step,
                  Index rows) {
    using Better = std::conditional_t<kMax, std::greater<>, std::less<>>;
    constexpr int kVectors = 4;
    constexpr auto kLanes = static_cast<Index>(hn::MaxLanes(hn::ScalableTag<T>()));
    T* const best = static_cast<T*>(best_so_far);
    auto* const places = static_cast<IntegerAs<T>*>(places_so_far);
    const T* const from = static_cast<const T*>(first);
    Index i = 0;
    for (; i + kVectors * kLanes <= width; i += kVectors * kLanes)
        find_in_vectors<T, kMax, kVectors>(best + i, places + i, from + i, step, rows);
    for (; i + kLanes <= width; i += kLanes)
        find_in_vectors<T, kMax, 1>(best + i, places + i, from + i, step, rows);
    for (; i < width; ++i)
        for (Index k = 0; k < rows; ++k) {
            const T x = from[k * step + i];
            if (!replaces(x, best[i], Better())) continue;
            best[i] = x;
            places[i] = static_cast<IntegerAs<T>>(k);
        }
}

FindInRows find_finder(OpId reduction, DType dtype) {
    FindInRows found = nullptr;
    reduction::visit(reduction, dtype, [&]<class T>(auto functor) {
        if constexpr (!std::is_same_v<T, bool> && kOrdered.contains(storage_dtype<T>))
            found = find_in_rows<T, std::is_same_v<decltype(functor), reduction::ReduceMax>>;
    });
    return found;
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(find_finder);
FindInRows row_finder(OpId reduction, DType dtype) {
    return HWY_DYNAMIC_DISPATCH(find_finder)(reduction, dtype);
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
