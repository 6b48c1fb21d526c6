// Lines of arithmetic, whose functors the compiler vectorises for every instruction set.
#include <algorithm>

#include "cpu/kernels/elementwise/line_table.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"
#include "tenferro/tensor/elementwise.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/elementwise/line_arithmetic.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/elementwise/line_loops-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// One vector of complex products. Written out: gcc 12 fuses the parts of the functor's product into
/// multiply-adds when it vectorises them, whatever -ffp-contract says.
template <class Real>
HWY_INLINE void multiply_complex_vector(const Real* a, const Real* b, Real* to) {
    const hn::ScalableTag<Real> d;
    hn::Vec<decltype(d)> a_re, a_im, b_re, b_im;
    hn::LoadInterleaved2(d, a, a_re, a_im);
    hn::LoadInterleaved2(d, b, b_re, b_im);
    const auto re = hn::Sub(hn::Mul(a_re, b_re), hn::Mul(a_im, b_im));
    const auto im = hn::Add(hn::Mul(a_re, b_im), hn::Mul(a_im, b_re));
    hn::StoreInterleaved2(re, im, d, to);
}

template <class Real>
void complex_product_line(void* out, const void* const* in, Index count) {
    constexpr Index kParts = 2 * static_cast<Index>(hn::MaxLanes(hn::ScalableTag<Real>()));
    Real* const to = static_cast<Real*>(out);
    const Real *const a = static_cast<const Real*>(in[0]), *const b = static_cast<const Real*>(in[1]);
    Index i = 0;
    for (; i + kParts <= 2 * count; i += kParts) multiply_complex_vector(a + i, b + i, to + i);
    if (i == 2 * count) return;
    Real rest_a[kParts] = {}, rest_b[kParts] = {};
    std::copy(a + i, a + 2 * count, rest_a);
    std::copy(b + i, b + 2 * count, rest_b);
    multiply_complex_vector(rest_a, rest_b, rest_a);
    std::copy_n(rest_a, 2 * count - i, to + i);
}

template <class T>
void add_lines_of(LineTable& table) {
    using namespace elementwise;
    constexpr DType dtype = storage_dtype<T>;
    table.set(OpId::Add, dtype, binary_line<T, Add>);
    table.set(OpId::Sub, dtype, binary_line<T, Sub>);
    if constexpr (kOrdered.contains(dtype))
        table.set(OpId::Mul, dtype, binary_line<T, Mul>);
    else
        table.set(OpId::Mul, dtype, complex_product_line<typename T::value_type>);
    table.set(OpId::Neg, dtype, unary_line<T, Neg>);
    table.set(OpId::Conj, dtype, unary_line<T, Conj>);
    if constexpr (kOrdered.contains(dtype)) {
        table.set(OpId::Abs, dtype, unary_line<T, Abs>);
        table.set(OpId::Sign, dtype, unary_line<T, Sign>);
    }
    if constexpr (kReal.contains(dtype)) {
        table.set(OpId::Div, dtype, binary_line<T, Div>);
        table.set(OpId::Sqrt, dtype, unary_line<T, Sqrt>);
        table.set(OpId::Rsqrt, dtype, unary_line<T, Rsqrt>);
    }
}

void add_arithmetic(LineTable& table) {
    add_lines_of<float>(table);
    add_lines_of<double>(table);
    add_lines_of<std::complex<float>>(table);
    add_lines_of<std::complex<double>>(table);
    add_lines_of<std::int32_t>(table);
    add_lines_of<std::int64_t>(table);
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(add_arithmetic);
void add_arithmetic_lines(LineTable& table) { HWY_DYNAMIC_DISPATCH(add_arithmetic)(table); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
