// Tables of kernels: the templates of the core on our algebras, once per instruction set.
#include "kernels.hpp"

#include <limits>

#include <tenferro/base/error.hpp>
#include <tenferro/base/text.hpp>
#include <tenferro/cpu/contraction/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <tenferro/cpu/contraction/kernels-inl.hpp>

#include "opaque_one.hpp"
#include "semirings-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tropical::HWY_NAMESPACE {

using tenferro::DType;
using tenferro::cpu::KernelTable;

template <class S>
const KernelTable* table() {
    return &tenferro::cpu::HWY_NAMESPACE::semiring_kernels<S>();
}

/// 1 * b + a costs a copy of b and the register of the 1, which is worth it where products have pipes of
/// their own: on AMD's processors.
template <class T, Algebra kAlgebra, class Order>
const KernelTable* float_sums() {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
    if (__builtin_cpu_is("amd")) return table<FloatSums<T, Order, kAlgebra, true>>();
#endif
    return table<FloatSums<T, Order, kAlgebra, false>>();
}

template <Algebra kAlgebra, class Order>
const KernelTable* sums(DType dtype) {
    switch (dtype) {
        case DType::F32: return float_sums<float, kAlgebra, Order>();
        case DType::F64: return float_sums<double, kAlgebra, Order>();
        case DType::I32: return table<IntegerSums<std::int32_t, Order, kAlgebra>>();
        case DType::I64: return table<IntegerSums<std::int64_t, Order, kAlgebra>>();
        default: return nullptr;
    }
}

/// Null where there are none.
const KernelTable* find_kernels(Algebra algebra, DType dtype) {
    switch (algebra) {
        case Algebra::MaxPlus: return sums<Algebra::MaxPlus, Greatest>(dtype);
        case Algebra::MinPlus: return sums<Algebra::MinPlus, Least>(dtype);
        case Algebra::MaxMul:
            return dtype == DType::F32   ? table<FloatProducts<float>>()
                   : dtype == DType::F64 ? table<FloatProducts<double>>()
                                         : nullptr;
    }
    return nullptr;
}

}  // namespace tropical::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tropical {

template float kOpaqueOne<float>;
template double kOpaqueOne<double>;

HWY_EXPORT(find_kernels);

const tenferro::cpu::KernelTable& kernels(Algebra algebra, tenferro::DType dtype, std::string_view op) {
    if (const auto* const table = HWY_DYNAMIC_DISPATCH(find_kernels)(algebra, dtype)) return *table;
    constexpr std::string_view kNames[] = {"max-plus", "min-plus", "max-mul"};
    throw tenferro::Error(
        tenferro::ErrorKind::Unsupported, op,
        tenferro::text(kNames[static_cast<std::size_t>(algebra)], " is not defined on ", info(dtype).name));
}

}  // namespace tropical
#endif
