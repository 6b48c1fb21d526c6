// Lines of powers.
#include "cpu/kernels/elementwise/line_table.hpp"
#include "cpu/kernels/vector_math/numbers.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/elementwise/line_power.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/elementwise/vector_lines-inl.hpp"
#include "cpu/kernels/vector_math/pow-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

void add_power(LineTable& table) { set_wide_lines<VectorPow, 2>(table, OpId::Pow); }

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(add_power);
void add_power_lines(LineTable& table) { HWY_DYNAMIC_DISPATCH(add_power)(table); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
