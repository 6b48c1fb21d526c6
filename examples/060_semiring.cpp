// An algebra of one's own: min-plus, in which powers of a matrix of distances are shortest paths, and the
// winner of an element is the stop in between. Expected: distance 5 by way of 1
#include <cstdio>
#include <limits>
#include <tenferro/cpu/contraction/contract.hpp>
#include <tenferro/cpu/contraction/highway_targets.hpp>
#include <tenferro/tensor/tensor.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "060_semiring.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <tenferro/cpu/contraction/kernels-inl.hpp>

HWY_BEFORE_NAMESPACE();
namespace paths::HWY_NAMESPACE {

struct MinPlus {
    using Element = double;
    static double zero() { return std::numeric_limits<double>::infinity(); }
    static double accumulator_identity() { return zero(); }
    static double times(double a, double b) { return a + b; }
    static double plus(double x, double y) { return y < x ? y : x; }
    static double mac(double c, double a, double b) { return plus(c, times(a, b)); }
};
const tenferro::cpu::KernelTable& min_plus() {
    return tenferro::cpu::HWY_NAMESPACE::semiring_kernels<MinPlus>();
}

}  // namespace paths::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace paths {
HWY_EXPORT(min_plus);
const tenferro::cpu::KernelTable& kernels() { return HWY_DYNAMIC_DISPATCH(min_plus)(); }
}  // namespace paths

int main() {
    const double far = std::numeric_limits<double>::infinity();
    const double roads[] = {0, 2, far, 2, 0, 3, far, 3, 0};  // 0 - 1: 2, 1 - 2: 3
    const tenferro::Tensor step = tenferro::Tensor::from_data<double>(roads, tenferro::Dims{3, 3});
    tenferro::Tensor two = tenferro::Tensor::zeros(tenferro::DType::F64, tenferro::Dims{3, 3});
    tenferro::Tensor stop = tenferro::Tensor::zeros(tenferro::DType::I64, tenferro::Dims{3, 3});
    tenferro::CpuContext context(1);
    const tenferro::DotGeneralConfig matrix_product{{1}, {0}, {}, {}};
    tenferro::cpu::contract(paths::kernels(), step, step, matrix_product, two.write(), context);
    tenferro::cpu::contract_winners(paths::kernels(), step, step, matrix_product, two, stop.write(), context);
    std::printf("distance %g by way of %ld\n", two.data_as<double>()[6],
                static_cast<long>(stop.data_as<std::int64_t>()[6]));
}
#endif
