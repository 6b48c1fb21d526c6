// The kernels across lanes, compiled once per instruction set.
#include "linalg/small/across.hpp"

#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/small/across.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "linalg/small/across-inl.hpp"
#include "linalg/small/elimination-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg { namespace HWY_NAMESPACE {

template <class R>
struct AcrossTable {
#if HWY_TARGET == HWY_SCALAR
    static constexpr AcrossKernels<R> kKernels{};
#else
    using Jacobi = AcrossLanes<R>;
    using Factors = Elimination<R>;
    static constexpr AcrossKernels<R> kKernels{static_cast<Index>(Jacobi::kMost), Jacobi::eigh, Jacobi::svd,
                                               Factors::lu, Factors::qr};
#endif
};
const AcrossKernels<float>& across_f32() { return AcrossTable<float>::kKernels; }
const AcrossKernels<double>& across_f64() { return AcrossTable<double>::kKernels; }

}}}}  // namespace tenferro::TENFERRO_ABI::linalg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

HWY_EXPORT(across_f32);
HWY_EXPORT(across_f64);
template <>
const AcrossKernels<float>& across_kernels<float>() {
    return HWY_DYNAMIC_DISPATCH(across_f32)();
}
template <>
const AcrossKernels<double>& across_kernels<double>() {
    return HWY_DYNAMIC_DISPATCH(across_f64)();
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
#endif
