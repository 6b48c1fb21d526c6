// Lines of the functions of the vector math, float and double.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "cpu/kernels/highway_targets.hpp"
#include "cpu/kernels/line_table.hpp"
#include "cpu/kernels/unroll.hpp"
#include "cpu/kernels/vector_math_constants.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/line_vector_math.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/vector_math_exp-inl.hpp"
#include "cpu/kernels/vector_math_log-inl.hpp"
#include "cpu/kernels/vector_math_sin-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro::inline TENFERRO_ABI::cpu::HWY_NAMESPACE {

HWY_INLINE Vec load_reals(const double* from) { return hn::LoadU(Reals(), from); }
HWY_INLINE Vec load_reals(const float* from) { return hn::PromoteTo(Reals(), hn::LoadU(hn::Rebind<float, Reals>(), from)); }
HWY_INLINE void store_reals(Vec v, double* to) { hn::StoreU(v, Reals(), to); }
HWY_INLINE void store_reals(Vec v, float* to) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
    HWY_ALIGN double values[hn::MaxLanes(Reals())];  // the emulated DemoteTo saturates at the largest number
    hn::Store(v, Reals(), values);
    for (const double value : values) *to++ = static_cast<float>(value);
#else
    const hn::Rebind<float, Reals> d;
    hn::StoreU(hn::DemoteTo(d, v), d, to);
#endif
}

template <class T, class Function>
void vector_line(void* out, const void* const* in, Index count) {
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(Reals()));
    T* const to = static_cast<T*>(out);
    const T* const from = static_cast<const T*>(in[0]);
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes) store_reals(Function::template apply<T>(load_reals(from + i)), to + i);
    if (i == count) return;
    T rest[kLanes] = {};
    const std::size_t bytes = static_cast<std::size_t>(count - i) * sizeof(T);
    std::fill_n(rest, kLanes, from[i]);
    std::memcpy(rest, from + i, bytes);
    store_reals(Function::template apply<T>(load_reals(rest)), rest);
    std::memcpy(to + i, rest, bytes);
}

template <class T>
void add_vector_math_of(LineTable& table) {
    constexpr DType dtype = storage_dtype<T>;
    table.set(OpId::Exp, dtype, vector_line<T, VectorExp>);
    table.set(OpId::Expm1, dtype, vector_line<T, VectorExpm1>);
    table.set(OpId::Sinh, dtype, vector_line<T, VectorSinh>);
    table.set(OpId::Cosh, dtype, vector_line<T, VectorCosh>);
    table.set(OpId::Tanh, dtype, vector_line<T, VectorTanh>);
    table.set(OpId::Sigmoid, dtype, vector_line<T, VectorSigmoid>);
    table.set(OpId::Log, dtype, vector_line<T, VectorLog>);
    table.set(OpId::Log1p, dtype, vector_line<T, VectorLog1p>);
    table.set(OpId::Sin, dtype, vector_line<T, VectorSin>);
    table.set(OpId::Cos, dtype, vector_line<T, VectorCos>);
}

void add_vector_math(LineTable& table) {
    add_vector_math_of<float>(table);
    add_vector_math_of<double>(table);
}

}  // namespace tenferro::inline TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro::inline TENFERRO_ABI::cpu {

HWY_EXPORT(add_vector_math);
void add_vector_math_lines(LineTable& table) { HWY_DYNAMIC_DISPATCH(add_vector_math)(table); }

}  // namespace tenferro::inline TENFERRO_ABI::cpu
#endif
