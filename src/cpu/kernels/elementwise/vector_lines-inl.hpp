// Lines of the functions of vector_math, of one or several operands, stored in place or past the caches.
#if defined(TENFERRO_VECTOR_LINES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_VECTOR_LINES_INL
#undef TENFERRO_VECTOR_LINES_INL
#else
#define TENFERRO_VECTOR_LINES_INL
#endif

#include <hwy/cache_control.h>

#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <utility>

#include "cpu/kernels/elementwise/line_table.hpp"
#include "cpu/kernels/vector_math/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

/// Lines of at least this many bytes fetch what they will read, or write without streaming, this far ahead: a
/// vector takes so many instructions that the processor alone looks only a few cache lines ahead.
inline constexpr Index kFetchedBytes = 8192, kFetchAhead = 2048;

/// How a function takes its elements: as vectors of their type,
template <class T>
struct AsTheyAre {
    using Element = T;
    using D = hn::ScalableTag<T>;
    static constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(D()));
    static HWY_INLINE hn::Vec<D> load(const T* from) { return hn::LoadU(D(), from); }
    static HWY_INLINE void store(hn::Vec<D> v, T* to) { hn::StoreU(v, D(), to); }
    static HWY_INLINE void stream(hn::Vec<D> v, T* to) { hn::Stream(v, D(), to); }
};

/// floats as doubles, which store half a vector, so that nothing is written past the caches,
struct Widened {
    using Element = float;
    static constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(Reals()));
    static HWY_INLINE Vec load(const float* from) { return load_reals(from); }
    static HWY_INLINE void store(Vec v, float* to) { store_reals(v, to); }
};

/// and complex numbers as vectors of their parts.
template <class T>
struct InParts {
    using Element = std::complex<T>;
    using D = hn::ScalableTag<T>;
    static constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(D()));
    static HWY_INLINE Parts<hn::Vec<D>> load(const Element* from) {
        hn::Vec<D> re, im;  // not of one struct: on Arm, g++ cannot inline what its constructor calls
        hn::LoadInterleaved2(D(), reinterpret_cast<const T*>(from), re, im);
        return {re, im};
    }
    static HWY_INLINE void store(const Parts<hn::Vec<D>>& z, Element* to) {
        hn::StoreInterleaved2(z.re, z.im, D(), reinterpret_cast<T*>(to));
    }
};

template <class Out, class In, class Function, class... From>
HWY_INLINE void vector_rest(typename Out::Element* to, Index count, const From*... from) {
    constexpr std::size_t kLanes = static_cast<std::size_t>(In::kLanes);
    const auto padded = [count](const typename In::Element* operand) {
        std::array<typename In::Element, kLanes> elements;
        elements.fill(operand[0]);
        std::copy_n(operand, count, elements.begin());
        return In::load(elements.data());
    };
    std::array<typename Out::Element, kLanes> rest;
    Out::store(Function::apply(padded(from)...), rest.data());
    std::copy_n(rest.begin(), count, to);
}

/// kStreams: whole vectors past the caches.
template <class Out, class In, class Function, bool kStreams, bool kFetches, class... From>
HWY_INLINE Index vector_loop(typename Out::Element* to, Index count, const From*... from) {
    constexpr Index kLanes = In::kLanes;
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        if constexpr (kFetches) {
            (hwy::Prefetch(reinterpret_cast<const char*>(from + i) + kFetchAhead), ...);
            if constexpr (!kStreams) hwy::Prefetch(reinterpret_cast<char*>(to + i) + kFetchAhead);
        }
        const auto y = Function::apply(In::load(from + i)...);
        if constexpr (kStreams)
            Out::stream(y, to + i);
        else
            Out::store(y, to + i);
    }
    return i;
}

template <class Out, class In, class Function, class... From>
HWY_INLINE void vector_line_of(typename Out::Element* to, Index count, const From*... from) {
    const bool is_long = count * static_cast<Index>(sizeof(typename In::Element)) >= kFetchedBytes;
    const Index done = is_long ? vector_loop<Out, In, Function, false, true>(to, count, from...)
                               : vector_loop<Out, In, Function, false, false>(to, count, from...);
    if (done < count) vector_rest<Out, In, Function>(to + done, count - done, (from + done)...);
}

/// Bytes from `to` to where a vector may be written past the caches.
template <class Out>
HWY_INLINE std::size_t bytes_to_vector(const typename Out::Element* to) {
    constexpr std::size_t kVector = Out::kLanes * sizeof(typename Out::Element);
    return (kVector - reinterpret_cast<std::uintptr_t>(to) % kVector) % kVector;
}

template <class Out, class In, class Function, class... From>
HWY_INLINE void streaming_line_of(typename Out::Element* to, Index count, const From*... from) {
    const auto beside = static_cast<Index>(bytes_to_vector<Out>(to) / sizeof(typename Out::Element));
    const Index head = std::min(count, beside);
    if (head > 0) vector_rest<Out, In, Function>(to, head, from...);
    const Index done =
        head + vector_loop<Out, In, Function, true, true>(to + head, count - head, (from + head)...);
    if (done < count) vector_rest<Out, In, Function>(to + done, count - done, (from + done)...);
}

/// f(operands...). Kept apart from the loops, whose operands are names.
template <class From, std::size_t kOperands, class F>
HWY_INLINE void with_operands(const void* const* in, const F& f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) { f(static_cast<const From*>(in[I])...); }
    (std::make_index_sequence<kOperands>());
}

/// The lines of a function of kOperands operands.
template <class Out, class In, class Function, std::size_t kOperands, bool kStreams>
void vector_line(void* out, const void* const* in, Index count) {
    with_operands<typename In::Element, kOperands>(in, [&](const auto*... from) {
        auto* const to = static_cast<typename Out::Element*>(out);
        if constexpr (kStreams)
            streaming_line_of<Out, In, Function>(to, count, from...);
        else
            vector_line_of<Out, In, Function>(to, count, from...);
    });
}

template <class Out, class In, class Function, std::size_t kOperands>
void set_lines(LineTable& table, OpId op) {
    LineFunction streaming = nullptr;
    if constexpr (requires { &Out::stream; }) streaming = vector_line<Out, In, Function, kOperands, true>;
    table.set(op, storage_dtype<typename In::Element>, vector_line<Out, In, Function, kOperands, false>,
              streaming);
}

/// Both lines of an operation.
template <class T, class Function, std::size_t kOperands = 1>
void set_vector_line(LineTable& table, OpId op) {
    set_lines<AsTheyAre<T>, AsTheyAre<T>, Function, kOperands>(table, op);
}

/// The line of floats of a function of doubles.
template <class Function, std::size_t kOperands = 1>
void set_widened_line(LineTable& table, OpId op) {
    set_lines<Widened, Widened, Function, kOperands>(table, op);
}

/// Both of a function that has T = float and T = double, in double.
template <template <class> class Function, std::size_t kOperands = 1>
void set_wide_lines(LineTable& table, OpId op) {
    set_widened_line<Function<float>, kOperands>(table, op);
    set_vector_line<double, Function<double>, kOperands>(table, op);
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
