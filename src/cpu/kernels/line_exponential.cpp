// Lines of exponentials.
#include "cpu/kernels/highway_targets.hpp"
#include "cpu/kernels/line_table.hpp"
#include "cpu/kernels/vector_math_common.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/line_exponential.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/vector_math_exp-inl.hpp"
#include "cpu/kernels/vector_math_lines-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::inline TENFERRO_ABI::cpu::HWY_NAMESPACE {

template <class T>
void add_exponential_of(LineTable& table) {
    constexpr DType dtype = storage_dtype<T>;
    table.set(OpId::Exp, dtype, vector_line<T, VectorExp>);
    table.set(OpId::Expm1, dtype, vector_line<T, VectorExpm1>);
    table.set(OpId::Sigmoid, dtype, vector_line<T, VectorSigmoid>);
}

void add_exponential(LineTable& table) {
    add_exponential_of<float>(table);
    add_exponential_of<double>(table);
}

}  // namespace tenferro::inline TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::inline TENFERRO_ABI::cpu {

HWY_EXPORT(add_exponential);
void add_exponential_lines(LineTable& table) { HWY_DYNAMIC_DISPATCH(add_exponential)(table); }

}  // namespace tenferro::inline TENFERRO_ABI::cpu
#endif
