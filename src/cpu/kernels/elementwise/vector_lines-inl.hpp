// Lines of the functions of vector_math, stored in place or past the caches.
#if defined(TENFERRO_VECTOR_LINES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_VECTOR_LINES_INL
#undef TENFERRO_VECTOR_LINES_INL
#else
#define TENFERRO_VECTOR_LINES_INL
#endif

#include <hwy/cache_control.h>

#include "cpu/kernels/elementwise/line_table.hpp"
#include "cpu/kernels/vector_math/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

/// Lines of at least this many bytes fetch what they will read, or write without streaming, this far ahead: a
/// vector takes so many instructions that the processor alone looks only a few cache lines ahead.
inline constexpr Index kFetchedBytes = 8192, kFetchAhead = 2048;

template <class T, class Function>
HWY_INLINE void vector_rest(T* to, const T* from, Index count) {
    const hn::ScalableTag<T> d;
    T rest[hn::MaxLanes(d)];
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
    std::fill_n(rest, hn::MaxLanes(d), from[0]);
    std::memcpy(rest, from, bytes);
    hn::StoreU(Function::apply(hn::LoadU(d, rest)), d, rest);
    std::memcpy(to, rest, bytes);
}

/// kStreams: whole vectors past the caches.
template <class T, class Function, bool kStreams, bool kFetches>
HWY_INLINE Index vector_loop(T* to, const T* from, Index count) {
    const hn::ScalableTag<T> d;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        if constexpr (kFetches) {
            hwy::Prefetch(reinterpret_cast<const char*>(from + i) + kFetchAhead);
            if constexpr (!kStreams) hwy::Prefetch(reinterpret_cast<char*>(to + i) + kFetchAhead);
        }
        const auto y = Function::apply(hn::LoadU(d, from + i));
        if constexpr (kStreams)
            hn::Stream(y, d, to + i);
        else
            hn::StoreU(y, d, to + i);
    }
    return i;
}

template <class T, class Function>
void vector_line(void* out, const void* const* in, Index count) {
    T* const to = static_cast<T*>(out);
    const T* const from = static_cast<const T*>(in[0]);
    const bool is_long = count * static_cast<Index>(sizeof(T)) >= kFetchedBytes;
    const Index done = is_long ? vector_loop<T, Function, false, true>(to, from, count)
                               : vector_loop<T, Function, false, false>(to, from, count);
    if (done < count) vector_rest<T, Function>(to + done, from + done, count - done);
}

template <class T, class Function>
void streaming_vector_line(void* out, const void* const* in, Index count) {
    T* const to = static_cast<T*>(out);
    const T* const from = static_cast<const T*>(in[0]);
    const hn::ScalableTag<T> d;
    constexpr std::size_t kVector = hn::MaxLanes(d) * sizeof(T);
    const std::size_t beside = (kVector - reinterpret_cast<std::uintptr_t>(to) % kVector) % kVector;
    const Index head = std::min(count, static_cast<Index>(beside / sizeof(T)));
    if (head > 0) vector_rest<T, Function>(to, from, head);
    const Index done = head + vector_loop<T, Function, true, true>(to + head, from + head, count - head);
    if (done < count) vector_rest<T, Function>(to + done, from + done, count - done);
}

/// Both lines of an operation.
template <class T, class Function>
void set_vector_line(LineTable& table, OpId op) {
    table.set(op, storage_dtype<T>, vector_line<T, Function>, streaming_vector_line<T, Function>);
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
