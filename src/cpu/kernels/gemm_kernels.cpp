// Chooses the micro-kernel variant for a tile and exports the kernel tables of every instruction set.
#include "cpu/kernels/gemm_kernels.hpp"

#include <complex>

#include "cpu/kernels/highway_targets.hpp"
#include "cpu/kernels/unroll.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/gemm_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/gemm_pack-inl.hpp"
#include "cpu/kernels/gemm_tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::inline TENFERRO_ABI::cpu::HWY_NAMESPACE {

template <class T, int kVectors, bool kPartial>
void real_columns(const MicroTile<T>& tile) {
    if (tile.columns > 4)
        real_tile<T, kVectors, kRealColumns, kPartial>(tile);
    else if (tile.columns > 2)
        real_tile<T, kVectors, 4, kPartial>(tile);
    else if (tile.columns > 1)
        real_tile<T, kVectors, 2, kPartial>(tile);
    else
        real_tile<T, kVectors, 1, kPartial>(tile);
}

template <class T, bool kPartial>
void real_vectors(const MicroTile<T>& tile, Index vectors) {
    switch (vectors) {
        case 1: return real_columns<T, 1, kPartial>(tile);
        case 2: return real_columns<T, 2, kPartial>(tile);
        default: return real_columns<T, 3, kPartial>(tile);
    }
}

template <class T>
void multiply_real(const MicroTile<T>& tile) {
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(hn::ScalableTag<T>()));
    const Index vectors = (tile.rows + kLanes - 1) / kLanes;
    if (vectors > kRealVectors) return real_tile<T, kWideVectors, 1, false>(tile);
    if constexpr (kMasks)
        if (!tile.a_packed && tile.rows % kLanes != 0) return real_vectors<T, true>(tile, vectors);
    real_vectors<T, false>(tile, vectors);
}

template <class Real, int kVectors, bool kPlanar>
void complex_columns(const MicroTile<std::complex<Real>>& tile) {
    if (tile.columns > 4)
        complex_tile<Real, kVectors, kComplexColumns, kPlanar>(tile);
    else if (tile.columns > 2)
        complex_tile<Real, kVectors, 4, kPlanar>(tile);
    else if (tile.columns > 1)
        complex_tile<Real, kVectors, 2, kPlanar>(tile);
    else
        complex_tile<Real, kVectors, 1, kPlanar>(tile);
}

template <class Real>
void multiply_complex(const MicroTile<std::complex<Real>>& tile) {
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(hn::ScalableTag<Real>()));
    if (tile.rows <= kLanes) return tile.a_packed ? complex_columns<Real, 1, true>(tile) : complex_columns<Real, 1, false>(tile);
    tile.a_packed ? complex_columns<Real, kComplexVectors, true>(tile) : complex_columns<Real, kComplexVectors, false>(tile);
}

template <class T>
GemmKernels<T> real_kernels() {
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(hn::ScalableTag<T>()));
    return {kRealVectors * kLanes,
            kRealColumns,
            kWideVectors * kLanes,
            kMasks ? 1 : kLanes,
            multiply_real<T>,
            pack_panel<T, kRealVectors * kLanes, false>,
            pack_panel<T, kRealColumns, false>};
}

template <class Real>
GemmKernels<std::complex<Real>> complex_kernels() {
    using T = std::complex<Real>;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(hn::ScalableTag<Real>()));
    return {kComplexVectors * kLanes,
            kComplexColumns,
            kComplexVectors * kLanes,
            kLanes,
            multiply_complex<Real>,
            pack_panel<T, kComplexVectors * kLanes, true>,
            pack_panel<T, kComplexColumns, false>};
}

GemmKernels<float> kernels_f32() { return real_kernels<float>(); }
GemmKernels<double> kernels_f64() { return real_kernels<double>(); }
GemmKernels<std::complex<float>> kernels_c32() { return complex_kernels<float>(); }
GemmKernels<std::complex<double>> kernels_c64() { return complex_kernels<double>(); }

}  // namespace tenferro::inline TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::inline TENFERRO_ABI::cpu {

HWY_EXPORT(kernels_f32);
HWY_EXPORT(kernels_f64);
HWY_EXPORT(kernels_c32);
HWY_EXPORT(kernels_c64);

template <>
GemmKernels<float> gemm_kernels() {
    return HWY_DYNAMIC_DISPATCH(kernels_f32)();
}
template <>
GemmKernels<double> gemm_kernels() {
    return HWY_DYNAMIC_DISPATCH(kernels_f64)();
}
template <>
GemmKernels<std::complex<float>> gemm_kernels() {
    return HWY_DYNAMIC_DISPATCH(kernels_c32)();
}
template <>
GemmKernels<std::complex<double>> gemm_kernels() {
    return HWY_DYNAMIC_DISPATCH(kernels_c64)();
}

}  // namespace tenferro::inline TENFERRO_ABI::cpu
#endif
