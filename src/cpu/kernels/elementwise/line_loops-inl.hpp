// Loops of a scalar functor over a line, plain enough for compilers to vectorise; `out` may be exactly an
// operand. Compiled once per instruction set.
#if defined(TENFERRO_LINE_LOOPS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_LINE_LOOPS_INL
#undef TENFERRO_LINE_LOOPS_INL
#else
#define TENFERRO_LINE_LOOPS_INL
#endif

// Before a loop whose iterations touch no element of each other.
#undef TENFERRO_INDEPENDENT
#ifdef __clang__
#define TENFERRO_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define TENFERRO_INDEPENDENT _Pragma("GCC ivdep")
#endif

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

template <class T, class F>
void unary_line(void* out, const void* const* in, Index count) {
    auto* to = static_cast<std::invoke_result_t<F, T>*>(out);
    const T* a = static_cast<const T*>(in[0]);
    TENFERRO_INDEPENDENT
    for (Index i = 0; i < count; ++i) to[i] = F{}(a[i]);
}

template <class T, class F>
void binary_line(void* out, const void* const* in, Index count) {
    auto* to = static_cast<std::invoke_result_t<F, T, T>*>(out);
    const T *a = static_cast<const T*>(in[0]), *b = static_cast<const T*>(in[1]);
    TENFERRO_INDEPENDENT
    for (Index i = 0; i < count; ++i) to[i] = F{}(a[i], b[i]);
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
