// The kernels in lanes, compiled once per instruction set.
#include "linalg/small/lanes.hpp"

#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/small/lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "linalg/small/general-inl.hpp"
#include "linalg/small/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg { namespace HWY_NAMESPACE {

LaneKernels<float> choose_f32() { return InLanes<float, RealInLanes>::table(GeneralInLanes<float>::eig); }
LaneKernels<double> choose_f64() { return InLanes<double, RealInLanes>::table(GeneralInLanes<double>::eig); }
LaneKernels<float> choose_c32() { return InLanes<float, ComplexInLanes>::table(nullptr); }
LaneKernels<double> choose_c64() { return InLanes<double, ComplexInLanes>::table(nullptr); }

}}}}  // namespace tenferro::TENFERRO_ABI::linalg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

#define TENFERRO_CHOICE(T, choose)             \
    HWY_EXPORT(choose);                        \
    template <>                                \
    LaneKernels<RealOf<T>> lane_kernels<T>() { \
        return HWY_DYNAMIC_DISPATCH(choose)(); \
    }
TENFERRO_CHOICE(float, choose_f32)
TENFERRO_CHOICE(double, choose_f64)
TENFERRO_CHOICE(std::complex<float>, choose_c32)
TENFERRO_CHOICE(std::complex<double>, choose_c64)
#undef TENFERRO_CHOICE

}}}  // namespace tenferro::TENFERRO_ABI::linalg
#endif
