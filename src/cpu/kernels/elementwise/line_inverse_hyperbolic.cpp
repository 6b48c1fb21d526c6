// Lines of inverse hyperbolic functions.
#include "cpu/kernels/elementwise/line_table.hpp"
#include "cpu/kernels/vector_math/numbers.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/elementwise/line_inverse_hyperbolic.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/elementwise/vector_lines-inl.hpp"
#include "cpu/kernels/vector_math/inverse-hyperbolic-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

void add_inverse_hyperbolic(LineTable& table) {
#ifdef TENFERRO_FLOAT_INTERVALS
    set_vector_line<float, FloatAsinh>(table, OpId::Asinh);
    set_vector_line<float, FloatAcosh>(table, OpId::Acosh);
#else
    set_widened_line<WideAsinh>(table, OpId::Asinh);
    set_widened_line<WideAcosh>(table, OpId::Acosh);
#endif
    set_vector_line<double, VectorAsinh>(table, OpId::Asinh);
    set_vector_line<double, VectorAcosh>(table, OpId::Acosh);
    set_vector_line<float, VectorAtanh>(table, OpId::Atanh);
    set_vector_line<double, VectorAtanh>(table, OpId::Atanh);
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(add_inverse_hyperbolic);
void add_inverse_hyperbolic_lines(LineTable& table) { HWY_DYNAMIC_DISPATCH(add_inverse_hyperbolic)(table); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
