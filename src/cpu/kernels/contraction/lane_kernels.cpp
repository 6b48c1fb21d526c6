// Tiles of C whose elements are vectors, a slice in each lane, compiled once per instruction set.
#include "cpu/kernels/contraction/lane_kernels.hpp"

#include <array>
#include <complex>
#include <cstdint>
#include <utility>

#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/contraction/lane_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/contraction/ordinary-inl.hpp"
#include "tenferro/cpu/contraction/lane_parts-inl.hpp"
#include "tenferro/cpu/contraction/unroll.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR
constexpr bool kFewRegisters = HWY_TARGET == HWY_AVX2;

/// Vectors of numbers, and their sums of products with factors, which lie in kParts vectors.
template <class T>
struct LaneNumbers {
    using Lane = typename Ordinary<T>::Lane;
    using D = hn::ScalableTag<Lane>;
    using V = hn::Vec<D>;
    using Factor = V;
    using Sum = V;
    static constexpr int kParts = 1;
    static constexpr int kRows = kFewRegisters ? 3 : 4, kColumns = kFewRegisters ? 4 : 6;
    static HWY_INLINE Sum zero() { return hn::Zero(D()); }
    static HWY_INLINE Factor load(const Lane* factor) { return hn::Load(D(), factor); }
    static HWY_INLINE void store(V b, Lane* factor) { hn::Store(b, D(), factor); }
    static HWY_INLINE Sum mac(V a, Factor b, Sum sum) { return Ordinary<T>::mac(D(), sum, a, b); }
    static HWY_INLINE V join(Sum sum) { return sum; }
};

/// Complex ones lie as pairs of parts: sums of products with real parts and with imaginary ones are joined in
/// the end.
template <class Real>
struct LaneNumbers<std::complex<Real>> {
    using Lane = Real;
    using D = hn::ScalableTag<Lane>;
    using V = hn::Vec<D>;
    using Factor = Parts<V>;
    using Sum = Parts<V>;
    static constexpr int kParts = 2;
    static constexpr int kRows = kFewRegisters ? 3 : 4, kColumns = kFewRegisters ? 2 : 3;
    static HWY_INLINE Sum zero() { return {hn::Zero(D()), hn::Zero(D())}; }
    static HWY_INLINE Factor load(const Lane* factor) {
        return {hn::Load(D(), factor), hn::Load(D(), factor + hn::Lanes(D()))};
    }
    static HWY_INLINE void store(V b, Lane* factor) {
        hn::Store(hn::DupEven(b), D(), factor);
        hn::Store(hn::DupOdd(b), D(), factor + hn::Lanes(D()));
    }
    static HWY_INLINE Sum mac(V a, const Factor& b, const Sum& sum) { return add_product(a, b, sum); }
    static HWY_INLINE V join(const Sum& sum) { return join_numbers(D(), sum.real, sum.imaginary); }
};

template <class T, int kRows, int kColumns>
void lane_tile(const LaneTile& tile) {
    using Numbers = LaneNumbers<T>;
    using Lane = typename Numbers::Lane;
    using V = typename Numbers::V;
    const typename Numbers::D d;
    constexpr auto kLanes = static_cast<Index>(hn::MaxLanes(d));
    constexpr Index kFactor = kLanes * Numbers::kParts;
    typename Numbers::Sum sum[kRows * kColumns];
    TENFERRO_UNROLL
    for (int i = 0; i < kRows * kColumns; ++i) sum[i] = Numbers::zero();
    const Lane* rows[kRows];
    TENFERRO_UNROLL
    for (int i = 0; i < kRows; ++i)
        rows[i] = static_cast<const Lane*>(tile.a) + tile.a_rows[i] * Numbers::kParts;
    const Lane* HWY_RESTRICT b = static_cast<const Lane*>(tile.b);
    const Index *a_step = tile.a_steps, *const end = a_step + tile.depth;
    for (; a_step != end; ++a_step, b += kColumns * kFactor) {
        const Index a = *a_step * Numbers::kParts;
        V row[kRows];
        TENFERRO_UNROLL
        for (int i = 0; i < kRows; ++i) row[i] = hn::LoadU(d, rows[i] + a);
        TENFERRO_UNROLL
        for (int j = 0; j < kColumns; ++j) {
            const auto factor = Numbers::load(b + j * kFactor);
            TENFERRO_UNROLL
            for (int i = 0; i < kRows; ++i)
                sum[j * kRows + i] = Numbers::mac(row[i], factor, sum[j * kRows + i]);
        }
    }
    const Index lanes = tile.slices * Numbers::kParts;
    const bool accumulate = tile.accumulate;
    const Index *const c_rows = tile.c_rows, *const c_columns = tile.c_columns;
    Lane* const c = static_cast<Lane*>(tile.c);
    TENFERRO_UNROLL
    for (int j = 0; j < kColumns; ++j) {
        TENFERRO_UNROLL
        for (int i = 0; i < kRows; ++i) {
            Lane* const to = c + (c_columns[j] + c_rows[i]) * Numbers::kParts;
            V value = Numbers::join(sum[j * kRows + i]);
            if (lanes == kLanes) {
                if (accumulate) value = hn::Add(hn::LoadU(d, to), value);
                hn::StoreU(value, d, to);
            } else {
                if (accumulate) value = hn::Add(load_part(d, to, lanes), value);
                store_part(d, value, to, lanes);
            }
        }
    }
}

/// Calls store(vector, to) for what is packed, each in its place of `size` lanes.
template <class T, class Store>
HWY_INLINE void pack_lanes(const LanePanel& panel, void* packed, Index size, const Store& store) {
    using Numbers = LaneNumbers<T>;
    using Lane = typename Numbers::Lane;
    const typename Numbers::D d;
    constexpr auto kLanes = static_cast<Index>(hn::MaxLanes(d));
    const Lane* const first = static_cast<const Lane*>(panel.first);
    const Index *const lines = panel.lines, *const steps = panel.steps;
    const Index lanes = panel.slices * Numbers::kParts, count = panel.count, depth = panel.depth;
    const Index pitch = panel.pitch * size;
    const auto for_each = [=](const auto& pack) HWY_ATTR {
        Lane* to = static_cast<Lane*>(packed);
        for (Index k = 0; k < depth; ++k, to += pitch) {
            const Lane* const step = first + steps[k] * Numbers::kParts;
            for (Index i = 0; i < count; ++i) pack(step + lines[i] * Numbers::kParts, to + i * size);
        }
    };
    if (lanes == kLanes)
        return for_each([&](const Lane* from, Lane* to) HWY_ATTR { store(hn::LoadU(d, from), to); });
    for_each([&](const Lane* from, Lane* to) HWY_ATTR { store(load_part(d, from, lanes), to); });
}

template <class T>
void pack_rows(const LanePanel& panel, void* packed) {
    using Numbers = LaneNumbers<T>;
    const typename Numbers::D d;
    pack_lanes<T>(panel, packed, static_cast<Index>(hn::MaxLanes(d)),
                  [d](typename Numbers::V a, typename Numbers::Lane* to) HWY_ATTR { hn::Store(a, d, to); });
}

template <class T>
void pack_columns(const LanePanel& panel, void* packed) {
    using Numbers = LaneNumbers<T>;
    pack_lanes<T>(panel, packed, static_cast<Index>(hn::MaxLanes(typename Numbers::D())) * Numbers::kParts,
                  Numbers::store);
}

template <class T, int... kTiles>
constexpr auto lane_tiles(std::integer_sequence<int, kTiles...>) {
    constexpr int kColumns = LaneNumbers<T>::kColumns;
    return std::array<LaneKernel, sizeof...(kTiles)>{
        lane_tile<T, kTiles / kColumns + 1, kTiles % kColumns + 1>...};
}

template <class T>
LaneKernel lane_tile_of(Index rows, Index columns) {
    constexpr int kRows = LaneNumbers<T>::kRows, kColumns = LaneNumbers<T>::kColumns;
    static constexpr auto kTiles = lane_tiles<T>(std::make_integer_sequence<int, kRows * kColumns>());
    return kTiles[static_cast<std::size_t>((rows - 1) * kColumns + columns - 1)];
}

template <class T>
inline constexpr LaneKernels kLaneKernels{
    lane_tile_of<T>,
    pack_rows<T>,
    pack_columns<T>,
    LaneNumbers<T>::kRows,
    LaneNumbers<T>::kColumns,
    static_cast<Index>(hn::MaxLanes(typename LaneNumbers<T>::D())) / LaneNumbers<T>::kParts};

#endif

const LaneKernels* lanes_of(DType dtype) {
    static constexpr LaneKernels none{};
    switch (dtype) {
#if HWY_TARGET != HWY_SCALAR
        case DType::I32: return &kLaneKernels<std::int32_t>;
        case DType::I64: return &kLaneKernels<std::int64_t>;
        case DType::F32: return &kLaneKernels<float>;
        case DType::F64: return &kLaneKernels<double>;
        case DType::C32: return &kLaneKernels<std::complex<float>>;
        case DType::C64: return &kLaneKernels<std::complex<double>>;
#endif
        default: return &none;
    }
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(lanes_of);

const LaneKernels& lane_kernels(DType dtype) { return *HWY_DYNAMIC_DISPATCH(lanes_of)(dtype); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
