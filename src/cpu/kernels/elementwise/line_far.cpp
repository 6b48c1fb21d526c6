// Lines of cheap arithmetic: with an operand that is one number, and on what no near cache holds, stored in
// place or past the caches. Memory is what the latter wait for: vectors of half a cache line at most and an
// element of each operand after the other, so that all lines go forward together, keep it busiest.
#include <algorithm>
#include <complex>

#include "cpu/kernels/elementwise/line_table.hpp"
#include "cpu/kernels/movement/streaming.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/elementwise/line_far.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/elementwise/strip_steps-inl.hpp"
#include "cpu/kernels/elementwise/vector_lines-inl.hpp"
#include "tenferro/cpu/contraction/lane_parts-inl.hpp"
#include "tenferro/cpu/contraction/unroll.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

/// Numbers as vectors of at most so many bytes, complex ones as pairs of lanes.
template <class Real, class Number, std::size_t kMostBytes>
struct NumberVectors {
    using Element = Number;
    using D = hn::CappedTag<Real, kMostBytes / sizeof(Real)>;
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
    /// The first `count` numbers, fewer than a vector has.
    static HWY_INLINE hn::Vec<D> load_some(const Number* from, Index count) {
        return load_part(D(), reinterpret_cast<const Real*>(from), count * kParts);
    }
    static HWY_INLINE void store_some(hn::Vec<D> v, Number* to, Index count) {
        store_part(D(), v, reinterpret_cast<Real*>(to), count * kParts);
    }

private:
    static constexpr Index kParts = sizeof(Number) / sizeof(Real);
};

template <class Real, class Number = Real>
using HalfLines = NumberVectors<Real, Number, 32>;
template <class Real, class Number = Real>
using WholeLines = NumberVectors<Real, Number, 64>;

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

/// What a line takes its operands from: numbers one after the other,
template <class Numbers>
struct Adjacent {
    const typename Numbers::Element* from;
    [[nodiscard]] HWY_INLINE auto at(Index i) const { return Numbers::load(from + i); }
    [[nodiscard]] HWY_INLINE auto some_at(Index i, Index count) const {
        return Numbers::load_some(from + i, count);
    }
};

/// and one number for all of the line.
template <class Numbers>
struct Fixed {
    hn::Vec<typename Numbers::D> all;
    HWY_INLINE explicit Fixed(typename Numbers::Element number) {
        typename Numbers::Element repeated[Numbers::kLanes];
        std::fill_n(repeated, Numbers::kLanes, number);
        all = Numbers::load(repeated);
    }
    [[nodiscard]] HWY_INLINE auto at(Index) const { return all; }
    [[nodiscard]] HWY_INLINE auto some_at(Index, Index) const { return all; }
};

template <class Numbers, class Step, bool kStreams, class... From>
HWY_INLINE void far_line_of(typename Numbers::Element* to, Index count, const From&... from) {
    constexpr auto kElement = static_cast<Index>(sizeof(typename Numbers::Element));
    constexpr Index kLanes = Numbers::kLanes;
    constexpr Index kTogether = kLanes * kElement < kCacheLine ? 2 : 1;  // up to a whole cache line
    Index i = 0;
    const auto store_until = [&](Index end) HWY_ATTR {
        for (; i + kLanes <= end; i += kLanes) Numbers::store(Step::apply(from.at(i)...), to + i);
        // Not by way of memory, where parts would be read while they wait behind all that goes past the
        // caches.
        if (i < end) Numbers::store_some(Step::apply(from.some_at(i, end - i)...), to + i, end - i);
        i = end;
    };
    if constexpr (kStreams) {
        const Index beside = bytes_to_line(to);
        if (beside % kElement != 0) return far_line_of<Numbers, Step, false>(to, count, from...);
        store_until(std::min(count, beside / kElement));
    }
    for (; i + kTogether * kLanes <= count; i += kTogether * kLanes) {
        TENFERRO_UNROLL
        for (Index at = i; at < i + kTogether * kLanes; at += kLanes) {
            const auto y = Step::apply(from.at(at)...);
            if constexpr (kStreams)
                Numbers::stream(y, to + at);
            else
                Numbers::store(y, to + at);
        }
    }
    store_until(count);
}

template <class Numbers, class Step, std::size_t kOperands, bool kStreams>
void far_line(void* out, const void* const* in, Index count) {
    using Number = typename Numbers::Element;
    with_operands<Number, kOperands>(in, [&](const auto*... from) {
        far_line_of<Numbers, Step, kStreams>(static_cast<Number*>(out), count, Adjacent<Numbers>{from}...);
    });
}

/// Operand kFixed is one number.
template <class Numbers, class Step, std::size_t kFixed, bool kStreams>
void fixed_line(void* out, const void* const* in, Index count) {
    using Number = typename Numbers::Element;
    auto* const to = static_cast<Number*>(out);
    const Adjacent<Numbers> line{static_cast<const Number*>(in[1 - kFixed])};
    const Fixed<Numbers> fixed(*static_cast<const Number*>(in[kFixed]));
    if constexpr (kFixed == 0)
        far_line_of<Numbers, Step, kStreams>(to, count, fixed, line);
    else
        far_line_of<Numbers, Step, kStreams>(to, count, line, fixed);
}

template <class Real, class Number, StripOp step, std::size_t kOperands>
void set_far(LineTable& table, OpId op) {
    using Half = HalfLines<Real, Number>;
    using Whole = WholeLines<Real, Number>;
    using Step = StepFunction<step, Half::kComplex>;
    constexpr DType dtype = storage_dtype<Number>;
    table.set_far(op, dtype, far_line<Half, Step, kOperands, false>, far_line<Half, Step, kOperands, true>);
    if constexpr (kOperands == 2)
        table.set_fixed(op, dtype,
                        {{{fixed_line<Whole, Step, 0, false>, fixed_line<Whole, Step, 0, true>},
                          {fixed_line<Whole, Step, 1, false>, fixed_line<Whole, Step, 1, true>}}});
}

template <class Real, class Number = Real>
void add_far_numbers(LineTable& table) {
    set_far<Real, Number, StripOp::Add, 2>(table, OpId::Add);
    set_far<Real, Number, StripOp::Sub, 2>(table, OpId::Sub);
    set_far<Real, Number, StripOp::Mul, 2>(table, OpId::Mul);
    set_far<Real, Number, StripOp::Neg, 1>(table, OpId::Neg);
}

template <class Real>
void add_far_reals(LineTable& table) {
    add_far_numbers<Real>(table);
    set_far<Real, Real, StripOp::Div, 2>(table, OpId::Div);
    set_far<Real, Real, StripOp::Maximum, 2>(table, OpId::Maximum);
    set_far<Real, Real, StripOp::Minimum, 2>(table, OpId::Minimum);
    set_far<Real, Real, StripOp::Abs, 1>(table, OpId::Abs);
    set_far<Real, Real, StripOp::Sqrt, 1>(table, OpId::Sqrt);
}

void add_far(LineTable& table) {
    add_far_reals<float>(table);
    add_far_reals<double>(table);
#if HWY_TARGET != HWY_SCALAR
    add_far_numbers<float, std::complex<float>>(table);
    add_far_numbers<double, std::complex<double>>(table);
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
