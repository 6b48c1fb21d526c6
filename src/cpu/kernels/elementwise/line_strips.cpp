// The machine behind strips, compiled once per instruction set. What is left of a line at its end is computed
// with fewer and shorter vectors.
#include <algorithm>

#include "base/immortal.hpp"
#include "cpu/kernels/elementwise/strips.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"
#include "tenferro/cpu/contraction/unroll.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/elementwise/line_strips.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/elementwise/strip_steps-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

/// kVectors vectors of elements.
template <class D, std::size_t kVectors, bool kComplex>
class Strip {
public:
    using T = hn::TFromD<D>;
    static constexpr std::size_t kLanes = hn::MaxLanes(D()), kBytes = kVectors * kLanes * sizeof(T);

    /// Runs the steps on the strip that begins `at` bytes into the lines.
    static HWY_INLINE void run(std::span<const StripStep> steps, std::byte* const* lines, std::size_t at,
                               bool streams) {
        const auto line_of = [&](const StripStep& step)
                                 HWY_ATTR { return reinterpret_cast<T*>(lines[step.line] + at); };
        Strip strip(line_of(steps.front()));
        for (const StripStep& step : steps.subspan(1, steps.size() - 2)) strip.take(step.op, line_of(step));
        if (streams)
            strip.stream(line_of(steps.back()));
        else
            strip.store(line_of(steps.back()));
    }

private:
    HWY_INLINE explicit Strip(const T* line) {
        TENFERRO_UNROLL
        for (std::size_t i = 0; i < kVectors; ++i) x_[i] = hn::LoadU(D(), line + i * kLanes);
    }

    HWY_INLINE void take(StripOp op, T* line) {
        switch (op) {
            case StripOp::Load: return combine<StripOp::Load>(line);
            case StripOp::Store:
            case StripOp::Stream: return store(line);
            case StripOp::Add: return combine<StripOp::Add>(line);
            case StripOp::Mul: return combine<StripOp::Mul>(line);
            case StripOp::Sub: return combine<StripOp::Sub>(line);
            case StripOp::Div: return combine<StripOp::Div>(line);
            case StripOp::Maximum: return combine<StripOp::Maximum>(line);
            case StripOp::Minimum: return combine<StripOp::Minimum>(line);
            case StripOp::ReverseSub: return combine<StripOp::ReverseSub>(line);
            case StripOp::ReverseDiv: return combine<StripOp::ReverseDiv>(line);
            case StripOp::ReverseMaximum: return combine<StripOp::ReverseMaximum>(line);
            case StripOp::ReverseMinimum: return combine<StripOp::ReverseMinimum>(line);
            case StripOp::Neg: return change<StripOp::Neg>();
            case StripOp::Abs: return change<StripOp::Abs>();
            case StripOp::Sqrt: return change<StripOp::Sqrt>();
        }
        __builtin_unreachable();  // no test whether there is a case: choosing it is what a step costs
    }

    template <StripOp op>
    HWY_INLINE void combine(const T* line) {
        TENFERRO_UNROLL
        for (std::size_t i = 0; i < kVectors; ++i)
            x_[i] = step_result<op, kComplex>(x_[i], hn::LoadU(D(), line + i * kLanes));
    }
    template <StripOp op>
    HWY_INLINE void change() {
        TENFERRO_UNROLL
        for (std::size_t i = 0; i < kVectors; ++i) x_[i] = step_result<op, kComplex>(x_[i], x_[i]);
    }
    HWY_INLINE void stream(T* line) const {
        TENFERRO_UNROLL
        for (std::size_t i = 0; i < kVectors; ++i) hn::Stream(x_[i], D(), line + i * kLanes);
    }
    HWY_INLINE void store(T* line) const {
        TENFERRO_UNROLL
        for (std::size_t i = 0; i < kVectors; ++i) hn::StoreU(x_[i], D(), line + i * kLanes);
    }

    hn::Vec<D> x_[kVectors];
};

/// Runs the steps on the bytes [at, end) of the lines that strips of this size cover, and then on the others.
template <class D, std::size_t kVectors, bool kComplex>
HWY_INLINE void run_strips_of(std::span<const StripStep> steps, std::byte* const* lines, std::size_t at,
                              std::size_t end) {
    using OneStrip = Strip<D, kVectors, kComplex>;
    constexpr std::size_t kShortest = kComplex ? 2 : 1;
    const auto first_byte = reinterpret_cast<std::uintptr_t>(lines[steps.back().line]) + at;
    const bool streams =
        kVectors > 1 && steps.back().op == StripOp::Stream && first_byte % (OneStrip::kBytes / kVectors) == 0;
    for (; at + OneStrip::kBytes <= end; at += OneStrip::kBytes) OneStrip::run(steps, lines, at, streams);
    if (at == end) return;
    if constexpr (kVectors > 1)
        run_strips_of<D, 1, kComplex>(steps, lines, at, end);
    else if constexpr (OneStrip::kLanes > kShortest)
        run_strips_of<hn::Half<D>, 1, kComplex>(steps, lines, at, end);
}

/// Strips past the caches are shorter: operands are read in turns, which are too long for memory else. Not
/// inlined, so that the other strips keep their registers.
template <class Real, bool kComplex>
HWY_NOINLINE void run_far_strips(std::span<const StripStep> steps, std::byte* const* lines,
                                 std::size_t bytes) {
    using D = hn::ScalableTag<Real>;
    constexpr std::size_t kVectors = std::min<std::size_t>(256 / (hn::MaxLanes(D()) * sizeof(Real)), 8);
    run_strips_of<D, kVectors, kComplex>(steps, lines, 0, bytes);
}

template <class Real, bool kComplex>
void run_strips(std::span<const StripStep> steps, std::byte* const* lines, Index count) {
    constexpr std::size_t kVectors = 8, kWidth = (kComplex ? 2 : 1) * sizeof(Real);
    const auto bytes = static_cast<std::size_t>(count) * kWidth;
    if (steps.back().op == StripOp::Stream) return run_far_strips<Real, kComplex>(steps, lines, bytes);
    run_strips_of<hn::ScalableTag<Real>, kVectors, kComplex>(steps, lines, 0, bytes);
}

void add_strips(StripTable& table) {
    const auto set = [&table](DType dtype, StripFunction strips) {
        table[static_cast<std::size_t>(dtype)] = strips;
    };
    set(DType::F32, run_strips<float, false>);
    set(DType::F64, run_strips<double, false>);
#if HWY_TARGET != HWY_SCALAR
    set(DType::C32, run_strips<float, true>);
    set(DType::C64, run_strips<double, true>);
#endif
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(add_strips);
StripTable make_strip_table() {
    StripTable table{};
    HWY_DYNAMIC_DISPATCH(add_strips)(table);
    return table;
}

StripFunction strip_function(DType dtype) {
    static constinit Immortal<StripTable> table;
    const auto make = [] { return std::make_unique<StripTable>(make_strip_table()); };
    return table.get(make)[static_cast<std::size_t>(dtype)];
}

std::optional<StripOp> strip_op(OpId op, DType dtype) {
    if (strip_function(dtype) == nullptr) return std::nullopt;
    switch (op) {
        case OpId::Add: return StripOp::Add;
        case OpId::Sub: return StripOp::Sub;
        case OpId::Mul: return StripOp::Mul;
        case OpId::Neg: return StripOp::Neg;
        default: break;
    }
    if (!kReal.contains(dtype)) return std::nullopt;
    switch (op) {
        case OpId::Div: return StripOp::Div;
        case OpId::Maximum: return StripOp::Maximum;
        case OpId::Minimum: return StripOp::Minimum;
        case OpId::Abs: return StripOp::Abs;
        case OpId::Sqrt: return StripOp::Sqrt;
        default: return std::nullopt;
    }
}

StripOp reversed(StripOp op) noexcept {
    switch (op) {
        case StripOp::Sub: return StripOp::ReverseSub;
        case StripOp::Div: return StripOp::ReverseDiv;
        case StripOp::Maximum: return StripOp::ReverseMaximum;
        case StripOp::Minimum: return StripOp::ReverseMinimum;
        default: return op;
    }
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
