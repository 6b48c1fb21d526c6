// The algebra of 060_semiring.cpp and 110_network_algebra.cpp: min-plus, whose kernels are made for every
// instruction set by including this file once for each.
#include <limits>
#include <tenferro/cpu/contraction/contract.hpp>
#include <tenferro/cpu/contraction/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "min_plus.hpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <tenferro/cpu/contraction/kernels-inl.hpp>

HWY_BEFORE_NAMESPACE();
namespace min_plus::HWY_NAMESPACE {

struct MinPlus {
    using Element = double;
    static double zero() { return std::numeric_limits<double>::infinity(); }
    static double accumulator_identity() { return zero(); }
    static double times(double a, double b) { return a + b; }
    static double plus(double x, double y) { return y < x ? y : x; }
    static double mac(double c, double a, double b) { return plus(c, times(a, b)); }
};
const tenferro::cpu::KernelTable& make_kernels() {
    return tenferro::cpu::HWY_NAMESPACE::semiring_kernels<MinPlus>();
}

}  // namespace min_plus::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace min_plus {
HWY_EXPORT(make_kernels);
inline const tenferro::cpu::KernelTable& kernels() { return HWY_DYNAMIC_DISPATCH(make_kernels)(); }
}  // namespace min_plus
#endif
