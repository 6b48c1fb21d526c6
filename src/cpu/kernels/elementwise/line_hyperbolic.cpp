// Lines of hyperbolic functions.
#include "cpu/kernels/elementwise/line_table.hpp"
#include "cpu/kernels/vector_math/numbers.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/elementwise/line_hyperbolic.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/vector_math/exp-inl.hpp"
#include "cpu/kernels/vector_math/float-inl.hpp"
#include "cpu/kernels/vector_math/lines-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

void add_hyperbolic(LineTable& table) {
    table.set(OpId::Sinh, DType::F32, vector_line<float, FloatSinh>);
    table.set(OpId::Sinh, DType::F64, vector_line<double, VectorSinh>);
    table.set(OpId::Cosh, DType::F32, vector_line<float, FloatCosh>);
    table.set(OpId::Cosh, DType::F64, vector_line<double, VectorCosh>);
    table.set(OpId::Tanh, DType::F32, vector_line<float, FloatTanh>);
    table.set(OpId::Tanh, DType::F64, vector_line<double, VectorTanh>);
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(add_hyperbolic);
void add_hyperbolic_lines(LineTable& table) { HWY_DYNAMIC_DISPATCH(add_hyperbolic)(table); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
