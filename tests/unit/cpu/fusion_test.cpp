// Fused programs on the CPU: drawn plans on drawn layouts give, bit by bit, what their steps give one after
// the other, and leave the memory around their outputs alone, which may be their inputs.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <optional>

#include "support/fusion_plans.hpp"
#include "support/machines.hpp"
#include "support/random_layout.hpp"
#include "support/sanitized.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/cpu/cpu_backend.hpp"

namespace tenferro::cpu { namespace {

using test::Draw;
using test::element;
using test::for_each_index;

/// Memory of some dtype, and a view into it.
struct Strided {
    std::vector<char> memory;
    TensorWrite view;
};

/// Strides, and the elements below and above the first one that they reach.
struct Layout {
    Dims strides;
    Index below = 0, above = 0;
};

Layout drawn_layout(Draw& draw, const Dims& shape, bool repeats) {
    Layout layout{Dims(shape.size(), 0)};
    const Index kind = draw.integer(0, repeats ? 4 : 2);
    if (kind == 4) return layout;
    Dims order = draw.permutation(shape.size());
    if (kind < 2)
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
    Index step = kind == 0 ? 1 : draw.integer(1, 2);
    for (const Index axis : order) {
        if (kind == 3 && draw.integer(0, 2) == 0) continue;
        const Index sign = kind > 1 && draw.integer(0, 3) == 0 ? -1 : 1,
                    extent = std::max<Index>(shape[axis], 1);
        layout.strides[axis] = sign * step;
        (sign < 0 ? layout.below : layout.above) += (extent - 1) * step;
        step = step * extent + (kind == 0 ? 0 : draw.integer(0, 1));
    }
    return layout;
}

Strided drawn_tensor(Draw& draw, DType dtype, const Dims& shape, const Layout& layout) {
    constexpr Index kMargin = 3;
    const Index count = layout.below + layout.above + 1 + 2 * kMargin,
                width = static_cast<Index>(info(dtype).bytes);
    std::vector<char> memory(static_cast<std::size_t>(count * width));
    visit_dtype(dtype, [&]<class T> {
        T* const values = reinterpret_cast<T*>(memory.data());
        for (Index i = 0; i < count; ++i) values[i] = static_cast<T>(draw.integer(-3, 3));
        if constexpr (std::is_floating_point_v<T>)
            for (Index i = 0; i < count; ++i) values[i] += static_cast<T>(draw.integer(0, 3)) / 8;
    });
    char* const origin = memory.data() + (kMargin + layout.below) * width;
    return {std::move(memory), TensorWrite(dtype, origin, shape, layout.strides)};
}

template <class T>
bool is_same_bits(T a, T b) {
    if constexpr (kFloating.contains(storage_dtype<T>) && !kReal.contains(storage_dtype<T>))
        return is_same_bits(a.real(), b.real()) && is_same_bits(a.imag(), b.imag());
    else
        return std::memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

/// A plan, its inputs, and memory for its outputs, which may be that of inputs.
class FusionCase {
public:
    FusionCase(Draw& draw, const Dims& shape, ElementwiseFusionPlan plan)
        : shape_(shape), plan_(std::move(plan)) {
        std::vector<Layout> layouts;
        for (const DType dtype : plan_.inputs()) {
            const bool again = !layouts.empty() && draw.integer(0, 2) == 0;
            layouts.push_back(again ? layouts.back() : drawn_layout(draw, shape, true));
            tensors_.push_back(drawn_tensor(draw, dtype, shape, layouts.back()));
            inputs_.push_back(tensors_.back().view);
        }
        for (const std::uint16_t value : plan_.outputs()) add_output(draw, plan_.dtype(value), layouts[0]);
    }

    void expect_same(BackendSession& session) {
        const std::vector<Tensor> values = test::values_of_steps(session, plan_, inputs_);
        const auto results = session.execute_elementwise_fusion(plan_, inputs_);
        ASSERT_TRUE(results.has_value());
        std::vector<std::vector<char>> untouched;
        for (const Strided& tensor : tensors_) untouched.push_back(tensor.memory);
        ASSERT_TRUE(session.execute_elementwise_fusion_into(plan_, inputs_, outs_));
        for (std::size_t k = 0; k < outs_.size(); ++k) {
            SCOPED_TRACE(text("output ", k));
            const Tensor& expected = values[plan_.outputs()[k]];
            expect_elements((*results)[k].read(), expected);
            expect_elements(outs_[k], expected);
            if (HasFailure()) return;
        }
        for (std::size_t k = 0; k < outs_.size(); ++k) write_over(untouched, outs_[k]);
        for (std::size_t i = 0; i < tensors_.size(); ++i)
            EXPECT_EQ(tensors_[i].memory, untouched[i]) << "memory " << i;
    }

private:
    static bool HasFailure() { return ::testing::Test::HasFailure(); }

    void add_output(Draw& draw, DType dtype, const Layout& usual) {
        for (const TensorRead& input : inputs_) {
            const bool fits =
                info(input.dtype()).bytes == info(dtype).bytes && is_injective(shape_, input.strides());
            const bool taken = std::any_of(outs_.begin(), outs_.end(),
                                           [&](const auto& out) { return out.data() == input.data(); });
            if (!fits || taken || draw.integer(0, 1) == 0) continue;
            outs_.emplace_back(dtype, const_cast<void*>(input.data()), shape_, input.strides());
            return;
        }
        const bool again = is_injective(shape_, usual.strides) && draw.integer(0, 1) == 0;
        tensors_.push_back(
            drawn_tensor(draw, dtype, shape_, again ? usual : drawn_layout(draw, shape_, false)));
        outs_.push_back(tensors_.back().view);
    }

    void expect_elements(const TensorRead& actual, const TensorRead& expected) {
        ASSERT_EQ(actual.dtype(), expected.dtype());
        visit_dtype(actual.dtype(), [&]<class T> {
            for_each_index(shape_, [&](const Dims& i) {
                const T a = element<T>(actual, i), b = element<T>(expected, i);
                ASSERT_TRUE(is_same_bits(a, b)) << a << ", not " << b << " at " << list_text(i);
            });
        });
    }

    /// Copies the elements of `out` to where they are in copies of all memories.
    void write_over(std::vector<std::vector<char>>& copies, const TensorRead& out) {
        for (std::size_t i = 0; i < tensors_.size(); ++i) {
            if (tensors_[i].view.data() != out.data()) continue;
            visit_dtype(out.dtype(), [&]<class T> {
                for_each_index(shape_, [&](const Dims& index) {
                    const T& value = element<T>(out, index);
                    const auto at = reinterpret_cast<const char*>(&value) - tensors_[i].memory.data();
                    std::memcpy(copies[i].data() + at, &value, sizeof value);
                });
            });
        }
    }

    const Dims shape_;
    const ElementwiseFusionPlan plan_;
    std::vector<Strided> tensors_;  // of the inputs, then of outputs of their own
    std::vector<TensorRead> inputs_;
    std::vector<TensorWrite> outs_;
};

void expect_same(std::uint64_t seed, const Dims& shape, Index most_steps, CpuBackend& backend) {
    SCOPED_TRACE(text("seed ", seed, ", shape ", list_text(shape), ", ", backend.threads(), " threads"));
    Draw draw(seed);
    FusionCase drawn(draw, shape, test::FusionPlanDraw(draw, most_steps).plan());
    backend.with_backend_session([&](BackendSession& session) { drawn.expect_same(session); });
}

const Dims kShapes[] = {{},
                        {1},
                        {4},
                        {1000},
                        {5, 300},
                        {300, 5},
                        {70, 65},
                        {3, 700},
                        {16, 200},
                        {200, 3},
                        {17, 2, 9, 3},
                        {0, 5},
                        {3, 0},
                        {2, 2, 2, 2, 2, 2, 2, 2, 2, 2},
                        {8, 8},
                        {64, 33},
                        {1, 40, 1, 3},
                        {2, 3, 4, 5},
                        {5, 1, 600, 1, 2}};

TEST(Fusion, DrawnPlansGiveWhatTheirStepsGive) {
    const auto backend = CpuBackend::with_threads(1);
    for (int seed = 0; seed < test::draws(150) && !::testing::Test::HasFailure(); ++seed)
        for (const Dims& shape : kShapes) expect_same(seed, shape, 14, *backend);
}

TEST(Fusion, DrawnShapesOfAllRanksGiveWhatTheirStepsGive) {
    const auto backend = CpuBackend::with_threads(2);
    for (int seed = 1000; seed < 1000 + test::draws(400) && !::testing::Test::HasFailure(); ++seed) {
        Draw draw(seed);
        Dims shape;
        Index size = 1;
        for (Index axis = draw.integer(0, 30); axis > 0; --axis) {
            shape.push_back(size > 300 ? draw.integer(1, 1)
                                       : draw.integer(draw.integer(0, 40) == 0 ? 0 : 1, 4));
            size *= std::max<Index>(shape.back(), 1);
        }
        expect_same(seed, shape, 8, *backend);
    }
}

TEST(Fusion, TwoThreadsGiveWhatTheirStepsGive) {
    const auto backend = CpuBackend::with_threads(2);
    for (std::uint64_t seed = 2000; seed < 2012 && !::testing::Test::HasFailure(); ++seed) {
        backend->set_stream_bytes(seed % 2 == 0 ? testing::kSmallCaches : testing::kHugeCaches);
        for (const Dims& shape :
             {Dims{40000}, Dims{260, 150}, Dims{3, 12000}, Dims{12000, 3}, Dims{20, 30, 70}})
            expect_same(seed, shape, 10, *backend);
    }
}

TEST(Fusion, LongPlansGiveWhatTheirStepsGive) {
    const auto backend = CpuBackend::with_threads(1);
    for (std::uint64_t seed = 3000; seed < 3020 && !::testing::Test::HasFailure(); ++seed)
        for (const Dims& shape : {Dims{4}, Dims{700}, Dims{30, 40}}) expect_same(seed, shape, 200, *backend);
}

/// Sums, differences and products of one dtype, most of them of the value before: what stays in registers.
ElementwiseFusionPlan drawn_arithmetic(Draw& draw) {
    constexpr DType kDrawn[] = {DType::F32, DType::F64, DType::C32, DType::C64};
    constexpr OpId kArithmetic[] = {OpId::Add, OpId::Sub, OpId::Mul, OpId::Neg};
    const DType dtype = kDrawn[draw.integer(0, 3)];
    const Index inputs = draw.integer(1, 3), steps = draw.integer(1, 9);
    std::vector<FusionStep> list;
    for (Index last = inputs - 1; last < inputs + steps - 1; ++last) {
        const auto operand = [&] {
            return static_cast<std::uint16_t>(draw.integer(0, 2) == 0 ? draw.integer(0, last) : last);
        };
        list.push_back({kArithmetic[draw.integer(0, 3)], {operand(), operand()}, dtype});
    }
    std::vector<std::uint16_t> outputs{static_cast<std::uint16_t>(inputs + steps - 1)};
    if (draw.integer(0, 2) == 0)
        outputs.push_back(static_cast<std::uint16_t>(draw.integer(0, inputs + steps - 1)));
    return {std::vector<DType>(static_cast<std::size_t>(inputs), dtype), std::move(list), std::move(outputs)};
}

TEST(Fusion, ArithmeticGivesWhatItsStepsGive) {
    const auto backend = CpuBackend::with_threads(1);
    for (int seed = 4000; seed < 4000 + test::draws(200) && !::testing::Test::HasFailure(); ++seed)
        for (const Dims& shape : kShapes) {
            SCOPED_TRACE(text("seed ", seed, ", shape ", list_text(shape)));
            Draw draw(seed);
            FusionCase drawn(draw, shape, drawn_arithmetic(draw));
            backend->with_backend_session([&](BackendSession& session) { drawn.expect_same(session); });
        }
}

/// f64 tensors of n elements.
Tensor f64(Index n, double first) {
    std::vector<double> values(static_cast<std::size_t>(n));
    for (double& value : values) value = first++;
    return Tensor::from_data<double>(values, Dims{n});
}

TEST(Fusion, OutputsExchangeInputs) {
    constexpr Index kSize = 3000;
    Tensor a = f64(kSize, 1), b = f64(kSize, -1);
    const ElementwiseFusionPlan plan({DType::F64, DType::F64}, {{OpId::Add, {0, 1}, DType::F64}}, {1, 0});
    const TensorRead inputs[] = {a, b};
    const TensorWrite outs[] = {a.write(), b.write()};
    const auto backend = CpuBackend::with_threads(1);
    backend->with_backend_session([&](BackendSession& session) {
        ASSERT_TRUE(session.execute_elementwise_fusion_into(plan, inputs, outs));
    });
    for (Index i = 0; i < kSize; ++i) {
        ASSERT_EQ(a.data_as<double>()[i], static_cast<double>(i - 1));
        ASSERT_EQ(b.data_as<double>()[i], static_cast<double>(i + 1));
    }
}

/// Programs are kept by the addresses of plans: another plan there, and other roles of the tensors, need
/// others.
TEST(Fusion, PlansAtOneAddressAndTensorsInOtherRolesAreToldApart) {
    constexpr std::size_t kSize = 4;
    const auto backend = CpuBackend::with_threads(1);
    std::optional<ElementwiseFusionPlan> plan;
    for (const OpId op : {OpId::Add, OpId::Mul, OpId::Sub}) {
        plan.emplace(std::vector<DType>{DType::F64, DType::F64},
                     std::vector<FusionStep>{{op, {0, 1}, DType::F64},
                                             {OpId::Exp, {0}, DType::F64},
                                             {op, {2, 3}, DType::F64},
                                             {op, {4, 0}, DType::F64}},
                     std::vector<std::uint16_t>{5});
        const auto value = [op](double a, double b) {
            return op == OpId::Add ? a + b : op == OpId::Mul ? a * b : a - b;
        };
        for (const int overwritten : {-1, 0, 1, -1})
            for (const Index y_stride : {1, 0, 1}) {  // each plan begins as the one before it ended
                if (overwritten == 1 && y_stride == 0) continue;
                std::array<double, kSize> x{1, 2, 3, 4}, y{5, 6, 7, 8}, z{}, expected{};
                for (std::size_t i = 0; i < kSize; ++i) {
                    const double sum = value(x[i], y[y_stride == 0 ? 0 : i]);
                    expected[i] = value(value(sum, std::exp(x[i])), x[i]);
                }
                auto& out = overwritten == 0 ? x : overwritten == 1 ? y : z;
                const TensorRead inputs[] = {{DType::F64, x.data(), Dims{kSize}, Dims{1}},
                                             {DType::F64, y.data(), Dims{kSize}, Dims{y_stride}}};
                const TensorWrite outs[] = {{DType::F64, out.data(), Dims{kSize}, Dims{1}}};
                backend->with_backend_session([&](BackendSession& session) {
                    ASSERT_TRUE(session.execute_elementwise_fusion_into(*plan, inputs, outs));
                });
                for (std::size_t i = 0; i < kSize; ++i)
                    EXPECT_NEAR(out[i], expected[i], 1e-12 * std::abs(expected[i]))
                        << info(op).name << ", overwritten " << overwritten << ", stride " << y_stride;
            }
    }
}

TEST(Fusion, LargeOutputsGoPastTheCaches) {
    constexpr Index kSize = 30000;
    const Tensor a = f64(kSize, 0), b = f64(kSize, 5);
    const ElementwiseFusionPlan plan(
        {DType::F64, DType::F64}, {{OpId::Sub, {0, 1}, DType::F64}, {OpId::Mul, {2, 0}, DType::F64}}, {3, 2});
    const TensorRead inputs[] = {a, b};
    const auto backend = CpuBackend::with_threads(2);
    backend->set_stream_bytes(testing::kSmallCaches);
    const auto results = backend->with_backend_session(
        [&](BackendSession& session) { return session.execute_elementwise_fusion(plan, inputs); });
    ASSERT_TRUE(results.has_value());
    for (Index i = 0; i < kSize; ++i) {
        ASSERT_EQ((*results)[0].data_as<double>()[i], static_cast<double>(-5 * i));
        ASSERT_EQ((*results)[1].data_as<double>()[i], -5.0);
    }
}

TEST(Fusion, LargeOutputsThatAreNotAlignedDoToo) {
    constexpr Index kSize = 30005;
    const Tensor a = f64(kSize, 0), b = f64(kSize, 5);
    Tensor room = Tensor::zeros(DType::F64, Dims{kSize + 2});
    const ElementwiseFusionPlan plan({DType::F64, DType::F64},
                                     {{OpId::Sub, {0, 1}, DType::F64}, {OpId::Mul, {2, 0}, DType::F64}}, {3});
    const TensorRead inputs[] = {a, b};
    for (const Index threads : {1, 2}) {
        const TensorWrite outs[] = {room.write().slice_view(Dims{1}, Dims{kSize + 1}, Dims{1})};
        const auto backend = CpuBackend::with_threads(static_cast<int>(threads));
        backend->set_stream_bytes(testing::kSmallCaches);
        backend->with_backend_session([&](BackendSession& session) {
            ASSERT_TRUE(session.execute_elementwise_fusion_into(plan, inputs, outs));
        });
        for (Index i = 0; i < kSize; ++i)
            ASSERT_EQ(outs[0].data_as<double>()[i], static_cast<double>(-5 * i));
        EXPECT_EQ(room.data_as<double>()[0], 0);
        EXPECT_EQ(room.data_as<double>()[kSize + 1], 0);
    }
}

TEST(Fusion, TooManyLayoutsAreLeftToTheCaller) {
    const Dims shape{2, 2, 2, 2};
    const std::vector<double> values(100, 1);
    std::vector<TensorRead> inputs;
    for (Index stride = 1; stride < 12; ++stride)
        inputs.emplace_back(DType::F64, values.data(), shape, Dims{1, 2, 4, 7 * stride % 13});
    ElementwiseFusionPlan plan(std::vector<DType>(inputs.size(), DType::F64),
                               {{OpId::Add, {0, 1}, DType::F64}}, {0});
    Tensor out = Tensor::zeros(DType::F64, shape);
    const TensorWrite outs[] = {out.write()};
    const auto backend = CpuBackend::with_threads(1);
    backend->with_backend_session([&](BackendSession& session) {
        EXPECT_FALSE(session.execute_elementwise_fusion_into(plan, inputs, outs));
        EXPECT_FALSE(session.execute_elementwise_fusion(plan, inputs).has_value());
    });
    for (Index i = 0; i < 16; ++i) EXPECT_EQ(out.data_as<double>()[i], 0);
}

}}  // namespace tenferro::cpu
