// Lines of sine and cosine.
#include "cpu/kernels/highway_targets.hpp"
#include "cpu/kernels/line_table.hpp"
#include "cpu/kernels/vector_math_common.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/line_sine.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/vector_math_lines-inl.hpp"
#include "cpu/kernels/vector_math_sin-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::inline TENFERRO_ABI::cpu::HWY_NAMESPACE {

template <class T>
void add_sine_of(LineTable& table) {
    constexpr DType dtype = storage_dtype<T>;
    table.set(OpId::Sin, dtype, vector_line<T, VectorSin>);
    table.set(OpId::Cos, dtype, vector_line<T, VectorCos>);
}

void add_sine(LineTable& table) {
    add_sine_of<float>(table);
    add_sine_of<double>(table);
}

}  // namespace tenferro::inline TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::inline TENFERRO_ABI::cpu {

HWY_EXPORT(add_sine);
void add_sine_lines(LineTable& table) { HWY_DYNAMIC_DISPATCH(add_sine)(table); }

}  // namespace tenferro::inline TENFERRO_ABI::cpu
#endif
