// semiring_kernels<S>(): the table of kernels of an algebra for the instruction set that is being compiled.
// Include it after hwy/foreach_target.h and hwy/highway.h, as docs/semirings.md shows.
#include <algorithm>
#include <bit>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "tenferro/cpu/contraction/kernel_table.hpp"
#include "tenferro/cpu/contraction/semiring.hpp"
#include "tenferro/cpu/contraction/unroll.hpp"

// Each of these has an include guard of its own that lets it in once per instruction set.
#include "tenferro/cpu/contraction/lane_parts-inl.hpp"
#include "tenferro/cpu/contraction/pack-inl.hpp"
#include "tenferro/cpu/contraction/tile-inl.hpp"
// These build on the former.
#include "tenferro/cpu/contraction/line-inl.hpp"
#include "tenferro/cpu/contraction/scalar_tile-inl.hpp"
// These build on all.
#include "tenferro/cpu/contraction/tracked_tile-inl.hpp"
#include "tenferro/cpu/contraction/winners-inl.hpp"

#if defined(TENFERRO_CONTRACTION_KERNELS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_CONTRACTION_KERNELS_INL
#undef TENFERRO_CONTRACTION_KERNELS_INL
#else
#define TENFERRO_CONTRACTION_KERNELS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Whether all of `count` adjacent elements are regular.
template <class S, class T>
bool all_regular(const T* HWY_RESTRICT elements, Index count) {
    using D = hn::ScalableTag<T>;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(D()));
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes)
        if (!hn::AllTrue(D(), S::regular(D(), hn::LoadU(D(), elements + i)))) return false;
    if (i == count) return true;
    HWY_ALIGN T rest[kLanes] = {};
    std::copy(elements + i, elements + count, rest);
    return hn::AllTrue(D(), S::regular(D(), hn::Load(D(), rest)));
}

template <class S, class T>
bool regular_runs(const void* data, Index length, Index runs, Index step) {
    const T* run = static_cast<const T*>(data);
    for (; runs > 0; --runs, run += step)
        if (!all_regular<S>(run, length)) return false;
    return true;
}

/// Packs a panel of reals whose reader takes kPad lines at a time and, where the algebra asks, tells whether
/// all its elements are regular.
template <class S, class T, Index kWidth, Index kPad>
bool pack(const PanelSource& source, void* panel) {
    T* to = static_cast<T*>(panel);
    // Winners and regularity are looked for in whole panels.
    constexpr bool kWhole = SelectingSemiring<S> || RegularSemiring<S, hn::ScalableTag<T>>;
    pack_panel<T, kWidth, false, kWhole ? kWidth : kPad>(source, to);
    if constexpr (VectorSemiring<S>) {
        using D = hn::ScalableTag<T>;
        if constexpr (RegularSemiring<S, D>) {
            Index count = 0;
            for (Index s = 0; s < source.segment_count; ++s) count += source.segments[s].length * kWidth;
            return all_regular<S>(to, count);
        }
    }
    return true;
}

template <VectorSemiring S>
constexpr KernelTable vector_kernels() {
    using Lane = typename S::Lane;
    using D = hn::ScalableTag<Lane>;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(D()));
    KernelTable table{storage_dtype<typename S::Element>,
                      sizeof(Lane),
                      kTileVectors * kLanes,
                      kTileColumns,
                      kWideVectors * kLanes,
                      kWidestVectors * kLanes,
                      kFewVectors * kLanes,
                      kMasks && !RegularSemiring<S, D> ? 1 : kLanes,
                      multiply_vectors<S>,
                      pack<S, Lane, kTileVectors * kLanes, kLanes>,
                      pack<S, Lane, kTileColumns, kTileColumns>,
                      multiply_line<S>,
                      nullptr,
                      nullptr,
                      nullptr};
    if constexpr (RegularSemiring<S, D>) table.regular = regular_runs<S, Lane>;
    if constexpr (SelectingSemiring<S>) {
        table.find_winners = find_vector_winners<S>;
        table.find_line_winners = find_line_winners<S>;
        table.multiply_tracked = multiply_tracked<S>;
    }
    return table;
}

template <Semiring S>
constexpr KernelTable scalar_kernels() {
    using Element = typename S::Element;
    constexpr Index kRows = kScalarRows<Element>;
    KernelTable table{storage_dtype<Element>,
                      sizeof(Element),
                      kRows,
                      kScalarColumns,
                      kRows,
                      kRows,
                      0,
                      0,
                      multiply_scalars<S>,
                      pack<S, Element, kRows, kRows>,
                      pack<S, Element, kScalarColumns, kScalarColumns>,
                      multiply_line<S>,
                      nullptr,
                      nullptr,
                      nullptr};
    if constexpr (SelectingSemiring<S>) {
        table.find_winners = find_scalar_winners<S>;
        table.find_line_winners = find_line_winners<S>;
    }
    return table;
}

template <Semiring S>
inline constexpr KernelTable kKernels = [] {
    if constexpr (VectorSemiring<S>)
        return vector_kernels<S>();
    else
        return scalar_kernels<S>();
}();

/// The kernels of algebra S for this instruction set.
template <Semiring S>
const KernelTable& semiring_kernels() {
    return kKernels<S>;
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
