// The ordinary algebra as an instance of the contraction templates, for every instruction set; complex
// numbers have a micro-kernel of their own.
#include "cpu/kernels/contraction/gemm_kernels.hpp"

#include <complex>
#include <cstdint>

#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/contraction/gemm_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "tenferro/cpu/contraction/kernels-inl.hpp"
// After the templates that it uses.
#include "cpu/kernels/contraction/ordinary-inl.hpp"
// After the algebra.
#include "cpu/kernels/contraction/complex_tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

template <class T, Index kWidth, bool kPlanar>
bool pack_complex(const PanelSource& source, void* panel) {
    pack_panel<T, kWidth, kPlanar>(source, static_cast<T*>(panel));
    return true;
}

template <class Real>
inline constexpr KernelTable kComplexKernels = [] {
    using T = std::complex<Real>;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(hn::ScalableTag<Real>()));
    return KernelTable{storage_dtype<T>,
                       sizeof(T),
                       kComplexVectors * kLanes,
                       kComplexColumns,
                       kComplexWideVectors * kLanes / 2,
                       kComplexWideVectors * kLanes / 2,
                       0,
                       kMasks ? 1 : kLanes,
                       multiply_complex<Real>,
                       pack_complex<T, kComplexVectors * kLanes, true>,
                       pack_complex<T, kComplexColumns, false>,
                       nullptr,
                       nullptr,
                       nullptr};
}();

const KernelTable& kernels_f32() { return semiring_kernels<Ordinary<float>>(); }
const KernelTable& kernels_f64() { return semiring_kernels<Ordinary<double>>(); }
const KernelTable& kernels_i32() { return semiring_kernels<Ordinary<std::int32_t>>(); }
const KernelTable& kernels_i64() { return semiring_kernels<Ordinary<std::int64_t>>(); }
const KernelTable& kernels_c32() { return kComplexKernels<float>; }
const KernelTable& kernels_c64() { return kComplexKernels<double>; }

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(kernels_f32);
HWY_EXPORT(kernels_f64);
HWY_EXPORT(kernels_i32);
HWY_EXPORT(kernels_i64);
HWY_EXPORT(kernels_c32);
HWY_EXPORT(kernels_c64);

const KernelTable& gemm_kernels(DType dtype) {
    switch (dtype) {
        case DType::F32: return HWY_DYNAMIC_DISPATCH(kernels_f32)();
        case DType::F64: return HWY_DYNAMIC_DISPATCH(kernels_f64)();
        case DType::I32: return HWY_DYNAMIC_DISPATCH(kernels_i32)();
        case DType::I64: return HWY_DYNAMIC_DISPATCH(kernels_i64)();
        case DType::C32: return HWY_DYNAMIC_DISPATCH(kernels_c32)();
        default: return HWY_DYNAMIC_DISPATCH(kernels_c64)();
    }
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
