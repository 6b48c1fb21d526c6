// The steps of a MatrixPlan, compiled once per instruction set.
#include "cpu/kernels/matrices/matrix_steps.hpp"

#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/matrices/matrix_steps.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/matrices/alone-inl.hpp"
#include "cpu/kernels/matrices/in_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
MatrixSteps<T> steps_for(const MatrixPlan& plan) {
    using Short = InLanes<hn::CappedTag<T, 16 / sizeof(T)>>;
    using Whole = InLanes<hn::CappedTag<T, kMostMatrixLanes>>;
    using One = Alone<hn::CappedTag<T, kMostMatrixLanes>>;
    static_assert(Whole::kLanes == MatrixLanes<T>::kLanes);
    if (plan.count() >= 4)
        return {Whole::kLanes, false, Whole::run, MatrixLanes<T>::gather, MatrixLanes<T>::scatter};
    if (plan.largest() <= One::kLanes) return {One::kLanes, true, One::run, nullptr, nullptr};
    return {Short::kLanes, false, Short::run, nullptr, nullptr};
}
MatrixSteps<float> steps_f32(const MatrixPlan& plan) { return steps_for<float>(plan); }
MatrixSteps<double> steps_f64(const MatrixPlan& plan) { return steps_for<double>(plan); }

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(steps_f32);
HWY_EXPORT(steps_f64);
template <>
MatrixSteps<float> matrix_steps<float>(const MatrixPlan& plan) {
    return HWY_DYNAMIC_DISPATCH(steps_f32)(plan);
}
template <>
MatrixSteps<double> matrix_steps<double>(const MatrixPlan& plan) {
    return HWY_DYNAMIC_DISPATCH(steps_f64)(plan);
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
