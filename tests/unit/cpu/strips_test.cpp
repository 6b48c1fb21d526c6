// Strips on every instruction set of the host: drawn runs of steps over ordinary and special values give, for
// lines of every length, the bits that the operations' line functions give one after the other, and touch
// nothing beyond the lines. So do lines for far memory.
#include "cpu/kernels/elementwise/strips.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "cpu/kernels/elementwise/line_table.hpp"
#include "support/random_layout.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"
#include "tenferro/tensor/fusion_plan.hpp"

#include <hwy/targets.h>

namespace tenferro::cpu { namespace {

using test::Draw;

constexpr OpId kOpsOfStrips[] = {OpId::Add,     OpId::Sub, OpId::Mul, OpId::Div, OpId::Maximum,
                                 OpId::Minimum, OpId::Neg, OpId::Abs, OpId::Sqrt};
constexpr std::uint32_t kLines = 4;
constexpr std::size_t kMargin = 2;  // elements beyond a line's end

template <class T>
T drawn_value(Draw& draw) {
    using Limits = std::numeric_limits<T>;
    switch (draw.integer(0, 40)) {
        case 0: return Limits::quiet_NaN();
        case 1: return Limits::infinity();
        case 2: return -Limits::infinity();
        case 3: return 0;
        case 4: return T{-0.0};
        case 5: return Limits::denorm_min();
        case 6: return Limits::max();
        default: return static_cast<T>(draw.integer(-1000, 1000)) / 7;
    }
}

/// Lines of `count` elements each, with a margin.
template <class T>
class Lines {
public:
    Lines(Draw& draw, Index count)
        : length_(((static_cast<std::size_t>(count) + kMargin) * kParts + kApart - 1) / kApart * kApart),
          shift_(draw.integer(0, 1) == 0 ? 0 : static_cast<std::size_t>(draw.integer(1, 7))) {
        values_.resize(kLines * length_ + kApart + shift_);
        for (Real& value : values_) value = drawn_value<Real>(draw);
        place();
    }
    Lines(const Lines& other) : length_(other.length_), shift_(other.shift_), values_(other.values_.size()) {
        place();
        for (std::uint32_t k = 0; k < kLines; ++k) std::memcpy(at_[k], other.at_[k], length_ * sizeof(Real));
    }
    [[nodiscard]] std::byte* const* data() const { return at_.data(); }

    /// Whether all elements are the same bits, or both NaN.
    friend bool operator==(const Lines& a, const Lines& b) {
        for (std::uint32_t k = 0; k < kLines; ++k)
            for (std::size_t i = 0; i < a.length_; ++i) {
                const Real x = reinterpret_cast<const Real*>(a.at_[k])[i],
                           y = reinterpret_cast<const Real*>(b.at_[k])[i];
                if (std::memcmp(&x, &y, sizeof x) != 0 && !(x != x && y != y)) return false;
            }
        return true;
    }

private:
    static constexpr std::size_t kParts = kReal.contains(storage_dtype<T>) ? 1 : 2;
    using Real = std::conditional_t<sizeof(T) / kParts == sizeof(float), float, double>;

    static constexpr std::size_t kApart = 64 / sizeof(Real);

    /// All lines begin `shift_` elements after a multiple of 64 bytes.
    void place() {
        const auto beyond = reinterpret_cast<std::uintptr_t>(values_.data()) % 64 / sizeof(Real);
        Real* const first = values_.data() + (kApart - beyond) % kApart + shift_;
        for (std::uint32_t k = 0; k < kLines; ++k) at_[k] = reinterpret_cast<std::byte*>(first + k * length_);
    }

    std::size_t length_, shift_;
    std::vector<Real> values_;
    std::array<std::byte*, kLines> at_{};
};

/// A run of steps, and the same as calls of line functions with the accumulator as one more line.
template <class T>
class Run {
public:
    Run(Draw& draw, Index steps) : lines_(make_line_table()), strips_(make_strip_table()) {
        add(StripOp::Load, line(draw), nullptr, false);
        while (static_cast<Index>(steps_.size()) < steps) {
            const OpId op = kOpsOfStrips[draw.integer(0, std::size(kOpsOfStrips) - 1)];
            const auto strip = strip_op(op, storage_dtype<T>);
            if (!strip) continue;
            const bool is_binary = elementwise_operands(op) == 2,
                       is_reversed = is_binary && draw.integer(0, 1) == 1;
            add(is_reversed ? reversed(*strip) : *strip, is_binary ? line(draw) : 0,
                lines_.find(op, storage_dtype<T>), is_reversed);
            if (draw.integer(0, 3) == 0) add(StripOp::Store, line(draw), nullptr, false);
        }
        add(draw.integer(0, 1) == 0 ? StripOp::Store : StripOp::Stream, line(draw), nullptr, false);
    }

    void expect_same(Draw& draw, Index count) const {
        const Lines<T> given(draw, count), one_by_one(given), together(given);
        std::vector<T> accumulator(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            std::byte* const at = one_by_one.data()[steps_[i].line];
            const void* in[] = {accumulator.data(), at, nullptr};
            if (swapped_[i]) std::swap(in[0], in[1]);
            const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
            if (count == 0) continue;
            if (functions_[i] != nullptr)
                functions_[i](accumulator.data(), in, count);
            else if (steps_[i].op == StripOp::Load)
                std::memcpy(accumulator.data(), at, bytes);
            else
                std::memcpy(at, accumulator.data(), bytes);
        }
        strips_[static_cast<std::size_t>(storage_dtype<T>)](steps_, together.data(), count);
        EXPECT_TRUE(together == one_by_one) << count << " elements, " << steps_.size() << " steps";
    }

private:
    static std::uint32_t line(Draw& draw) { return static_cast<std::uint32_t>(draw.integer(0, kLines - 1)); }
    void add(StripOp op, std::uint32_t line, LineFunction function, bool is_swapped) {
        steps_.push_back({op, line});
        functions_.push_back(function);
        swapped_.push_back(is_swapped);
    }

    const LineTable lines_;
    const StripTable strips_;
    std::vector<StripStep> steps_;
    std::vector<LineFunction> functions_;  // null for loads and stores
    std::vector<bool> swapped_;            // whether the line is the first operand
};

template <class T>
void expect_runs() {
    SCOPED_TRACE(info(storage_dtype<T>).name);
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        SCOPED_TRACE(text("seed ", seed));
        Draw draw(seed);
        const Run<T> run(draw, draw.integer(2, 12));
        run.expect_same(draw, static_cast<Index>(seed));
        run.expect_same(draw, draw.integer(150, 2000));
        if (::testing::Test::HasFailure()) return;
    }
}

/// Lines of operations for far memory, stored and streamed, over a third line or over an operand.
template <class T>
void expect_far_lines() {
    SCOPED_TRACE(info(storage_dtype<T>).name);
    const LineTable lines = make_line_table();
    constexpr DType dtype = storage_dtype<T>;
    for (const OpId op : kOpsOfStrips) {
        if (!strip_op(op, dtype)) continue;
        SCOPED_TRACE(info(op).name);
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            Draw draw(seed);
            const Index count = seed < 40 ? static_cast<Index>(seed) : draw.integer(100, 1000);
            const Lines<T> given(draw, count), expected(given), stored(given), streamed(given);
            const auto out = static_cast<std::size_t>(draw.integer(0, 2));
            const auto run = [&](LineFunction line, const Lines<T>& at) {
                ASSERT_NE(line, nullptr);
                const void* const in[] = {at.data()[1], at.data()[2]};
                if (count > 0) line(at.data()[out], in, count);
            };
            run(lines.find(op, dtype), expected);
            run(lines.find_far(op, dtype), stored);
            run(lines.find_streaming(op, dtype), streamed);
            ASSERT_TRUE(stored == expected) << count << " elements";
            ASSERT_TRUE(streamed == expected) << count << " elements, streamed";
        }
    }
}

TEST(Strips, RunsAndFarLinesGiveWhatLineFunctionsGive) {
    int complex_targets = 0;
    const std::int64_t supported = hwy::SupportedTargets() & HWY_TARGETS;
    for (std::int64_t rest = supported; rest != 0; rest &= rest - 1) {
        const std::int64_t target = rest & -rest;
        SCOPED_TRACE(hwy::TargetName(target));
        hwy::SetSupportedTargetsForTest(target);
        expect_runs<float>();
        expect_runs<double>();
        expect_far_lines<float>();
        expect_far_lines<double>();
        if (make_strip_table()[static_cast<std::size_t>(DType::C64)] == nullptr) continue;
        ++complex_targets;
        expect_runs<std::complex<float>>();
        expect_runs<std::complex<double>>();
        expect_far_lines<std::complex<float>>();
        expect_far_lines<std::complex<double>>();
    }
    hwy::SetSupportedTargetsForTest(0);
    EXPECT_GT(complex_targets, 0);
}

TEST(Strips, OnlyCheapArithmeticHasThem) {
    for (const OpInfo& op : kOps)
        for (const DTypeInfo& dtype : kDTypes) {
            const bool listed =
                std::find(std::begin(kOpsOfStrips), std::end(kOpsOfStrips), op.id) != std::end(kOpsOfStrips);
            const bool is_linear =
                op.id == OpId::Add || op.id == OpId::Sub || op.id == OpId::Mul || op.id == OpId::Neg;
            const bool expected =
                listed && (kReal.contains(dtype.dtype) || (kFloating.contains(dtype.dtype) && is_linear));
            EXPECT_EQ(strip_op(op.id, dtype.dtype).has_value(), expected) << op.name << " " << dtype.name;
        }
}

}}  // namespace tenferro::cpu
