// Lines of cheap arithmetic on what no near cache holds, stored in place or past the caches. Memory is what
// they wait for: vectors of half a cache line at most and an element of each operand after the other, so that
// all lines go forward together, keep it busiest.
#include <algorithm>
#include <complex>

#include "cpu/kernels/elementwise/line_table.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/elementwise/line_far.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/elementwise/strip_steps-inl.hpp"
#include "cpu/kernels/elementwise/vector_lines-inl.hpp"
#include "tenferro/cpu/contraction/unroll.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

/// Numbers as vectors of at most half a cache line, complex ones as pairs of lanes.
template <class Real, class Number = Real>
struct HalfLines {
    using Element = Number;
    using D = hn::CappedTag<Real, 32 / sizeof(Real)>;
    static constexpr bool kComplex = sizeof(Number) > sizeof(Real);
    static constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(D()) * sizeof(Real) / sizeof(Number));
    static HWY_INLINE hn::Vec<D> load(const Number* from) {
        return hn::LoadU(D(), reinterpret_cast<const Real*>(from));
    }
    static HWY_INLINE void store(hn::Vec<D> v, Number* to) {
        hn::StoreU(v, D(), reinterpret_cast<Real*>(to));
    }
    static HWY_INLINE void stream(hn::Vec<D> v, Number* to) {
        hn::Stream(v, D(), reinterpret_cast<Real*>(to));
    }
};

template <StripOp op, bool kComplex>
struct StepFunction {
    template <class V>
    static HWY_INLINE V apply(V x) {
        return step_result<op, kComplex>(x, x);
    }
    template <class V>
    static HWY_INLINE V apply(V x, V y) {
        return step_result<op, kComplex>(x, y);
    }
};

template <class Numbers, class Step, bool kStreams, class... From>
HWY_INLINE void far_line_of(typename Numbers::Element* to, Index count, const From*... from) {
    constexpr Index kLanes = Numbers::kLanes, kTogether = 2;  // up to a whole cache line
    constexpr std::size_t kElement = sizeof(typename Numbers::Element);
    Index i = 0;
    if constexpr (kStreams) {
        const std::size_t beside = bytes_to_vector<Numbers>(to);
        if (beside % kElement != 0) return far_line_of<Numbers, Step, false>(to, count, from...);
        i = std::min(count, static_cast<Index>(beside / kElement));
        if (i > 0) vector_rest<Numbers, Numbers, Step>(to, i, from...);
    }
    for (; i + kTogether * kLanes <= count; i += kTogether * kLanes) {
        TENFERRO_UNROLL
        for (Index at = i; at < i + kTogether * kLanes; at += kLanes) {
            const auto y = Step::apply(Numbers::load(from + at)...);
            if constexpr (kStreams)
                Numbers::stream(y, to + at);
            else
                Numbers::store(y, to + at);
        }
    }
    if (i < count) vector_line_of<Numbers, Numbers, Step>(to + i, count - i, (from + i)...);
}

template <class Numbers, class Step, std::size_t kOperands, bool kStreams>
void far_line(void* out, const void* const* in, Index count) {
    using Number = typename Numbers::Element;
    with_operands<Number, kOperands>(in, [&](const auto*... from) {
        far_line_of<Numbers, Step, kStreams>(static_cast<Number*>(out), count, from...);
    });
}

template <class Numbers, StripOp step, std::size_t kOperands>
void set_far(LineTable& table, OpId op) {
    using Step = StepFunction<step, Numbers::kComplex>;
    table.set_far(op, storage_dtype<typename Numbers::Element>, far_line<Numbers, Step, kOperands, false>,
                  far_line<Numbers, Step, kOperands, true>);
}

template <class Numbers>
void add_far_numbers(LineTable& table) {
    set_far<Numbers, StripOp::Add, 2>(table, OpId::Add);
    set_far<Numbers, StripOp::Sub, 2>(table, OpId::Sub);
    set_far<Numbers, StripOp::Mul, 2>(table, OpId::Mul);
    set_far<Numbers, StripOp::Neg, 1>(table, OpId::Neg);
}

template <class Real>
void add_far_reals(LineTable& table) {
    using Numbers = HalfLines<Real>;
    add_far_numbers<Numbers>(table);
    set_far<Numbers, StripOp::Div, 2>(table, OpId::Div);
    set_far<Numbers, StripOp::Maximum, 2>(table, OpId::Maximum);
    set_far<Numbers, StripOp::Minimum, 2>(table, OpId::Minimum);
    set_far<Numbers, StripOp::Abs, 1>(table, OpId::Abs);
    set_far<Numbers, StripOp::Sqrt, 1>(table, OpId::Sqrt);
}

void add_far(LineTable& table) {
    add_far_reals<float>(table);
    add_far_reals<double>(table);
#if HWY_TARGET != HWY_SCALAR
    add_far_numbers<HalfLines<float, std::complex<float>>>(table);
    add_far_numbers<HalfLines<double, std::complex<double>>>(table);
#endif
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(add_far);
void add_far_lines(LineTable& table) { HWY_DYNAMIC_DISPATCH(add_far)(table); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
