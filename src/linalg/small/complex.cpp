// The kernels of small complex matrices, compiled once per instruction set.
#include "linalg/small/complex.hpp"

#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/small/complex.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "linalg/small/complex-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg { namespace HWY_NAMESPACE {

template <class R>
struct ComplexTable {
#if HWY_TARGET == HWY_SCALAR
    static constexpr ComplexKernels<R> kKernels{};
#else
    using Matrices = ComplexMatrices<R>;
    static constexpr ComplexKernels<R> kKernels{ComplexColumns<R, 2>::kLargest, Matrices::multiply,
                                                Matrices::solve};
#endif
};
const ComplexKernels<float>& complex_f32() { return ComplexTable<float>::kKernels; }
const ComplexKernels<double>& complex_f64() { return ComplexTable<double>::kKernels; }

}}}}  // namespace tenferro::TENFERRO_ABI::linalg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

HWY_EXPORT(complex_f32);
HWY_EXPORT(complex_f64);
template <>
const ComplexKernels<float>& complex_kernels<float>() {
    return HWY_DYNAMIC_DISPATCH(complex_f32)();
}
template <>
const ComplexKernels<double>& complex_kernels<double>() {
    return HWY_DYNAMIC_DISPATCH(complex_f64)();
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
#endif
