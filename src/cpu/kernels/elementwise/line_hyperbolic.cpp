// Lines of hyperbolic functions.
#include "cpu/kernels/elementwise/line_table.hpp"
#include "cpu/kernels/vector_math/numbers.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/elementwise/line_hyperbolic.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/elementwise/vector_lines-inl.hpp"
#include "cpu/kernels/vector_math/exp-inl.hpp"
#include "cpu/kernels/vector_math/float-inl.hpp"
#include "cpu/kernels/vector_math/tanh-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

void add_hyperbolic(LineTable& table) {
    set_vector_line<float, FloatSinh>(table, OpId::Sinh);
    set_vector_line<double, VectorSinh>(table, OpId::Sinh);
    set_vector_line<float, FloatCosh>(table, OpId::Cosh);
    set_vector_line<double, VectorCosh>(table, OpId::Cosh);
    set_vector_line<float, FloatTanh>(table, OpId::Tanh);
    set_vector_line<double, VectorTanh>(table, OpId::Tanh);
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(add_hyperbolic);
void add_hyperbolic_lines(LineTable& table) { HWY_DYNAMIC_DISPATCH(add_hyperbolic)(table); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
