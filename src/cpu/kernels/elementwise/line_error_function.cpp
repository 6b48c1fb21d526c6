// Lines of the error functions and of the logarithm of gamma.
#include "cpu/kernels/elementwise/line_table.hpp"
#include "cpu/kernels/vector_math/numbers.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/elementwise/line_error_function.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/elementwise/vector_lines-inl.hpp"
#include "cpu/kernels/vector_math/erf-inl.hpp"
#include "cpu/kernels/vector_math/lgamma-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

void add_error_function(LineTable& table) {
    set_vector_line<float, FloatErf>(table, OpId::Erf);
    set_vector_line<double, DoubleErf>(table, OpId::Erf);
#ifdef TENFERRO_FLOAT_INTERVALS
    set_vector_line<float, FloatErfc>(table, OpId::Erfc);
#else
    set_widened_line<WideErfc>(table, OpId::Erfc);
#endif
    set_vector_line<double, VectorErfc>(table, OpId::Erfc);
    set_wide_lines<VectorLgamma>(table, OpId::Lgamma);
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(add_error_function);
void add_error_function_lines(LineTable& table) { HWY_DYNAMIC_DISPATCH(add_error_function)(table); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
