// Lines of logarithms.
#include "cpu/kernels/elementwise/line_table.hpp"
#include "cpu/kernels/vector_math/numbers.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/elementwise/line_logarithm.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/elementwise/vector_lines-inl.hpp"
#include "cpu/kernels/vector_math/log-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

void add_logarithm(LineTable& table) {
    set_vector_line<float, FloatLog>(table, OpId::Log);
    set_vector_line<double, VectorLog>(table, OpId::Log);
    set_vector_line<float, FloatLog1p>(table, OpId::Log1p);
    set_vector_line<double, VectorLog1p>(table, OpId::Log1p);
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(add_logarithm);
void add_logarithm_lines(LineTable& table) { HWY_DYNAMIC_DISPATCH(add_logarithm)(table); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
