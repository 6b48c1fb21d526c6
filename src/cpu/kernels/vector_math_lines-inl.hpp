// Lines of functions on vectors of doubles, for elements of type double or float.
#if defined(TENFERRO_VECTOR_MATH_LINES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_VECTOR_MATH_LINES_INL
#undef TENFERRO_VECTOR_MATH_LINES_INL
#else
#define TENFERRO_VECTOR_MATH_LINES_INL
#endif

#include "cpu/kernels/vector_math-inl.hpp"

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

}  // namespace tenferro::inline TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
