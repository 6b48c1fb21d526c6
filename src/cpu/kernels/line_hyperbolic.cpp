// Lines of hyperbolic functions.
#include "cpu/kernels/highway_targets.hpp"
#include "cpu/kernels/line_table.hpp"
#include "cpu/kernels/vector_math_common.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/line_hyperbolic.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/vector_math_exp-inl.hpp"
#include "cpu/kernels/vector_math_lines-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::inline TENFERRO_ABI::cpu::HWY_NAMESPACE {

template <class T>
void add_hyperbolic_of(LineTable& table) {
    constexpr DType dtype = storage_dtype<T>;
    table.set(OpId::Sinh, dtype, vector_line<T, VectorSinh>);
    table.set(OpId::Cosh, dtype, vector_line<T, VectorCosh>);
    table.set(OpId::Tanh, dtype, vector_line<T, VectorTanh>);
}

void add_hyperbolic(LineTable& table) {
    add_hyperbolic_of<float>(table);
    add_hyperbolic_of<double>(table);
}

}  // namespace tenferro::inline TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::inline TENFERRO_ABI::cpu {

HWY_EXPORT(add_hyperbolic);
void add_hyperbolic_lines(LineTable& table) { HWY_DYNAMIC_DISPATCH(add_hyperbolic)(table); }

}  // namespace tenferro::inline TENFERRO_ABI::cpu
#endif
