// Lines of functions on vectors.
#if defined(TENFERRO_VECTOR_MATH_LINES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_VECTOR_MATH_LINES_INL
#undef TENFERRO_VECTOR_MATH_LINES_INL
#else
#define TENFERRO_VECTOR_MATH_LINES_INL
#endif

#include "cpu/kernels/vector_math/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

template <class T, class Function>
void vector_line(void* out, const void* const* in, Index count) {
    const hn::ScalableTag<T> d;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
    T* const to = static_cast<T*>(out);
    const T* const from = static_cast<const T*>(in[0]);
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes) hn::StoreU(Function::apply(hn::LoadU(d, from + i)), d, to + i);
    if (i == count) return;
    T rest[kLanes] = {};
    const std::size_t bytes = static_cast<std::size_t>(count - i) * sizeof(T);
    std::fill_n(rest, kLanes, from[i]);
    std::memcpy(rest, from + i, bytes);
    hn::StoreU(Function::apply(hn::LoadU(d, rest)), d, rest);
    std::memcpy(to + i, rest, bytes);
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
