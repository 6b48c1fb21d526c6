// The kernels in lanes, compiled once per instruction set.
#include "linalg/small/lanes.hpp"

#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/small/lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "linalg/small/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg { namespace HWY_NAMESPACE {

template <class R>
LaneKernels<R> kernels_here() {
    using In = InLanes<R>;
    return {In::lanes(), In::pack, In::eigh, In::svd, In::cholesky, In::lu, In::substitute, In::qr};
}
LaneKernels<float> choose_f32() { return kernels_here<float>(); }
LaneKernels<double> choose_f64() { return kernels_here<double>(); }

}}}}  // namespace tenferro::TENFERRO_ABI::linalg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

HWY_EXPORT(choose_f32);
HWY_EXPORT(choose_f64);

template <>
LaneKernels<float> lane_kernels<float>() {
    return HWY_DYNAMIC_DISPATCH(choose_f32)();
}
template <>
LaneKernels<double> lane_kernels<double>() {
    return HWY_DYNAMIC_DISPATCH(choose_f64)();
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
#endif
