// Lines of sine and cosine.
#include "cpu/kernels/elementwise/line_table.hpp"
#include "cpu/kernels/vector_math/numbers.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/elementwise/line_sine.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/elementwise/vector_lines-inl.hpp"
#include "cpu/kernels/vector_math/sin-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

void add_sine(LineTable& table) {
    set_vector_line<float, FloatSin>(table, OpId::Sin);
    set_vector_line<double, VectorSin>(table, OpId::Sin);
    set_vector_line<float, FloatCos>(table, OpId::Cos);
    set_vector_line<double, VectorCos>(table, OpId::Cos);
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(add_sine);
void add_sine_lines(LineTable& table) { HWY_DYNAMIC_DISPATCH(add_sine)(table); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
