// The kernels on vectors, compiled once per instruction set.
#include "linalg/builtin/vectors.hpp"

#include "linalg/builtin/plain_vectors.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/builtin/vectors.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "linalg/builtin/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg { namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR
template <class T>
using ComplexVectors = PlainVectors<T>;
#else
template <class T>
using ComplexVectors = Vectors<T>;
#endif

const VectorKernels<float>& vectors_f32() { return Vectors<float>::kKernels; }
const VectorKernels<double>& vectors_f64() { return Vectors<double>::kKernels; }
const VectorKernels<std::complex<float>>& vectors_c32() {
    return ComplexVectors<std::complex<float>>::kKernels;
}
const VectorKernels<std::complex<double>>& vectors_c64() {
    return ComplexVectors<std::complex<double>>::kKernels;
}
const SecularKernels<float>& secular_f32() { return Secular<float>::kKernels; }
const SecularKernels<double>& secular_f64() { return Secular<double>::kKernels; }

}}}}  // namespace tenferro::TENFERRO_ABI::linalg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

#define TENFERRO_CHOICE(Kernels, function, T, name) \
    HWY_EXPORT(name);                               \
    template <>                                     \
    const Kernels<T>& function<T>() {               \
        return HWY_DYNAMIC_DISPATCH(name)();        \
    }
TENFERRO_CHOICE(VectorKernels, vector_kernels, float, vectors_f32)
TENFERRO_CHOICE(VectorKernels, vector_kernels, double, vectors_f64)
TENFERRO_CHOICE(VectorKernels, vector_kernels, std::complex<float>, vectors_c32)
TENFERRO_CHOICE(VectorKernels, vector_kernels, std::complex<double>, vectors_c64)
TENFERRO_CHOICE(SecularKernels, secular_kernels, float, secular_f32)
TENFERRO_CHOICE(SecularKernels, secular_kernels, double, secular_f64)
#undef TENFERRO_CHOICE

}}}  // namespace tenferro::TENFERRO_ABI::linalg
#endif
