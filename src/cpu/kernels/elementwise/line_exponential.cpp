// Lines of exponentials.
#include "cpu/kernels/elementwise/line_table.hpp"
#include "cpu/kernels/vector_math/numbers.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/elementwise/line_exponential.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/elementwise/vector_lines-inl.hpp"
#include "cpu/kernels/vector_math/exp-inl.hpp"
#include "cpu/kernels/vector_math/float-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

void add_exponential(LineTable& table) {
    set_vector_line<float, FloatExp>(table, OpId::Exp);
    set_vector_line<double, VectorExp>(table, OpId::Exp);
    set_vector_line<float, FloatExpm1>(table, OpId::Expm1);
    set_vector_line<double, VectorExpm1>(table, OpId::Expm1);
    set_vector_line<float, FloatSigmoid>(table, OpId::Sigmoid);
    set_vector_line<double, VectorSigmoid>(table, OpId::Sigmoid);
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(add_exponential);
void add_exponential_lines(LineTable& table) { HWY_DYNAMIC_DISPATCH(add_exponential)(table); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
