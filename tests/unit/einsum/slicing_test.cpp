// Slicing: the same numbers as without, derivatives included, and a peak that is counted and not only
// predicted.
#include "einsum/slicing/slicing.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <random>

#include "einsum/session_executor.hpp"
#include "einsum/tree_cost.hpp"
#include "support/expect_error.hpp"
#include "support/random_layout.hpp"
#include "support/sanitized.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/einsum/plan.hpp"

namespace tenferro::tensor_network { namespace {

using test::Draw;
using test::element;
using test::for_each_index;
using test::StridedSample;

/// A drawn network over labels a to g with diagonals, hyperedges, lone labels, repeated outputs and
/// disconnected parts.
struct Drawn {
    std::string text;
    std::vector<Dims> shapes;

    explicit Drawn(Draw& draw) {
        const Index labels = draw.integer(2, 7), operands = draw.integer(2, 7);
        const Dims extents =
            draw.shape(static_cast<std::size_t>(labels), draw.integer(0, 15) == 0 ? 0 : 1, 3);
        std::string used;
        for (Index k = 0; k < operands; ++k) {
            Dims shape;
            text += k > 0 ? "," : "";
            for (Index i = draw.integer(0, 4); i > 0; --i) {
                const Index label = draw.integer(0, labels - 1);
                text += static_cast<char>('a' + label);
                used += text.back();
                shape.push_back(extents[label]);
            }
            shapes.push_back(shape);
        }
        text += "->";
        for (Index i = used.empty() ? 0 : draw.integer(0, 3); i > 0; --i)
            text += used[static_cast<std::size_t>(draw.integer(0, static_cast<Index>(used.size()) - 1))];
    }
};

template <class T>
void expect_equal(const Tensor& a, const Tensor& b) {
    ASSERT_EQ(a.shape(), b.shape());
    for_each_index(a.shape(), [&](const Dims& i) { ASSERT_EQ(element<T>(a, i), element<T>(b, i)); });
}

/// All labels that some node keeps, a random choice of them.
LabelIds draw_labels(const Network& net, const ContractionTree& tree, Draw& draw) {
    LabelIds chosen;
    for (const LabelIds& labels : node_labels(net, tree))
        for (const LabelId label : labels)
            if (net.extents[static_cast<std::size_t>(label)] > 1 && draw.integer(0, 5) == 0 &&
                std::find(chosen.begin(), chosen.end(), label) == chosen.end())
                chosen.push_back(label);
    return chosen;
}

template <class T>
class Slices : public ::testing::Test {};
using Scalars = ::testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(Slices, Scalars);

/// Integers as values: every order of summation gives the same numbers.
TYPED_TEST(Slices, GiveTheValuesAndDerivativesOfTheWhole) {
    using T = TypeParam;
    const auto backend = CpuBackend::with_threads(3);
    int sliced_networks = 0;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        Draw draw(seed);
        const Drawn drawn(draw);
        const EinsumPlan plan(Subscripts::parse(drawn.text), drawn.shapes);
        const LabelIds labels = draw_labels(plan.network(), plan.tree(), draw);
        if (labels.empty()) continue;
        ++sliced_networks;
        SCOPED_TRACE(text("seed ", seed, ": ", drawn.text, ", sliced ", list_text(labels)));
        // One after the other, or three at once.
        const SlicedPrograms programs(plan.network(),
                                      {plan.tree(), labels, {}, draw.integer(1, 2) == 1 ? 1 : 5});
        const Program whole = lower(plan.network(), plan.tree());
        std::vector<StridedSample<T>> samples;
        for (const Dims& shape : drawn.shapes) samples.emplace_back(draw, shape);
        for (const Dims& shape : drawn.shapes) samples.emplace_back(draw, shape);
        std::vector<TensorRead> operands;
        std::vector<std::optional<TensorRead>> inputs, both;
        std::vector<std::optional<TensorRead>> tangents;
        for (std::size_t i = 0; i < samples.size(); ++i) {
            if (i < drawn.shapes.size())
                operands.push_back(samples[i].view());
            else
                tangents.push_back(draw.integer(0, 2) == 0 ? std::nullopt
                                                           : std::optional<TensorRead>(samples[i].view()));
        }
        inputs.assign(operands.begin(), operands.end());
        both = inputs;
        both.insert(both.end(), tangents.begin(), tangents.end());
        const StridedSample<T> cotangent(draw, plan.output_shape());
        backend->with_backend_session([&](BackendSession& session) {
            expect_equal<T>(programs.run(session, inputs, {}), plan.run(session, operands));
            SessionExecutor executor(session);
            expect_equal<T>(programs.run(executor, inputs, {}), plan.run(session, operands));
            expect_equal<T>(plan.run(executor, operands), plan.run(session, operands));
            std::optional<Tensor> tangent = programs.jvp(session, both, {});
            const Tensor expected = plan.jvp(session, operands, tangents);
            if (!tangent) tangent = session.zeros(expected.dtype(), expected.shape());
            expect_equal<T>(*tangent, expected);
            // The flow without the conjugations of the plan: conjugate operands give the plan's gradients
            // conjugated.
            inputs.emplace_back(cotangent.view());
            const auto flows = programs.vjp(session, inputs, {});
            Tensor conjugated = session.conj_read(cotangent.view());
            const std::vector<Tensor> gradients = plan.vjp(session, operands, conjugated);
            ASSERT_EQ(flows.size(), gradients.size());
            for (std::size_t k = 0; k < flows.size(); ++k) {
                ASSERT_TRUE(flows[k].has_value());
                expect_equal<T>(session.conj_read(*flows[k]), gradients[k]);
            }
        });
    }
    EXPECT_GT(sliced_networks, 150);
}

/// Peak of the programs by running their steps on sizes alone: slots that a step made, until they are
/// released.
double counted_peak(const Program& program, double held, double& result) {
    std::map<int, double> live;
    double peak = held;
    for (const Step& step : program.steps) {
        double size = 8;
        for (const LabelId label : step.out_labels)
            size *= static_cast<double>(program.extents[static_cast<std::size_t>(label)]);
        LabelIds in = step.lhs_labels, out = step.out_labels;
        for (LabelIds* labels : {&in, &out}) {
            std::sort(labels->begin(), labels->end());
            labels->erase(std::unique(labels->begin(), labels->end()), labels->end());
        }
        // A diagonal or a permutation is a view.
        const bool view =
            step.kind == StepKind::Rearrange && in == out && step.out_labels.size() == out.size();
        live[step.out] = view ? 0 : size;
        double now = held;
        for (const auto& [slot, bytes] : live) now += bytes;
        peak = std::max(peak, now);
        for (const int slot : step.released) live.erase(slot);
    }
    result = live.count(program.outputs[0]) != 0 ? live[program.outputs[0]] : 0;
    return peak;
}

TEST(SlicedCost, PredictsThePeakOfTheSteps) {
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        Draw draw(seed);
        const Drawn drawn(draw);
        SCOPED_TRACE(text("seed ", seed, ": ", drawn.text));
        const Network net = resolve(Subscripts::parse(drawn.text), drawn.shapes);
        const ContractionTree tree = find_tree(net);
        double result = 0;
        EXPECT_EQ(cost(net, tree).peak_bytes, counted_peak(lower(net, tree), 0, result));
        const LabelIds labels = draw_labels(net, tree, draw);
        if (labels.empty()) continue;
        const SlicedNetwork sliced = slice(net, tree, labels);
        double held = 0, peak = 0, part_result = 0;
        for (const SlicedNetwork::Part& part : sliced.parts) {
            peak = std::max(peak, counted_peak(lower(part.network, part.tree), held, part_result));
            held += part_result;
        }
        const auto bytes = [&](const LabelIds& axes) {
            double size = 8;
            for (const LabelId label : axes)
                size *= static_cast<double>(net.extents[static_cast<std::size_t>(label)]);
            return size;
        };
        if (!sliced.kept.empty()) held += bytes(net.output);
        if (!sliced.summed.empty()) held += bytes(sliced.inner.output);
        peak = std::max(peak, counted_peak(lower(sliced.inner, sliced.tree), held, result));
        EXPECT_GE(TreeCost(net, tree, DType::F64).of(labels).peak_bytes, peak);
        EXPECT_LE(TreeCost(net, tree, DType::F64).of(labels).peak_bytes, peak + bytes(sliced.inner.output));
    }
}

TEST(MemoryLimit, IsMetByDrawnNetworks) {
    int sliced = 0;
    constexpr int kDraws = test::draws(60);
    for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
        Draw draw(seed);
        // A ring with chords: labels of extent 4, intermediates much larger than the operands.
        const Index n = draw.integer(6, 14);
        Network net;
        net.inputs.resize(static_cast<std::size_t>(n));
        for (Index i = 0; i < n; ++i) {
            for (const Index other : {(i + 1) % n, draw.integer(0, n - 1)}) {
                const auto label = static_cast<LabelId>(net.extents.size());
                net.extents.push_back(4);
                net.inputs[static_cast<std::size_t>(i)].push_back(label);
                net.inputs[static_cast<std::size_t>(other)].push_back(label);
            }
        }
        net.dropped_axes.resize(net.inputs.size());
        const double free_peak = cost(net, find_tree(net)).peak_bytes;
        // Below a few dozen elements there is nothing left to slice.
        const double limit = std::max(free_peak / 8, 1000.0);
        const PathOptions options{.memory_limit_bytes = static_cast<std::int64_t>(limit)};
        const SlicedTree found = find_tree_within_limits(net, options);
        EXPECT_LE(found.cost.peak_bytes, limit);
        EXPECT_EQ(found.cost.peak_bytes, TreeCost(net, found.tree, DType::F64).of(found.labels).peak_bytes);
        sliced += found.labels.empty() ? 0 : 1;
    }
    EXPECT_GT(sliced, kDraws / 3);
}

/// A grid of tensors: every tree of it has large intermediates, so that slices are needed.
Network grid(Index side) {
    Network net;
    net.inputs.resize(static_cast<std::size_t>(side * side));
    const auto join = [&](Index a, Index b) {
        const auto label = static_cast<LabelId>(net.extents.size());
        net.extents.push_back(2);
        net.inputs[static_cast<std::size_t>(a)].push_back(label);
        net.inputs[static_cast<std::size_t>(b)].push_back(label);
    };
    for (Index y = 0; y < side; ++y) {
        for (Index x = 0; x < side; ++x) {
            if (x + 1 < side) join(y * side + x, y * side + x + 1);
            if (y + 1 < side) join(y * side + x, (y + 1) * side + x);
        }
    }
    net.dropped_axes.resize(net.inputs.size());
    return net;
}

TEST(MemoryLimit, SlicingEndsWithTheDeadlineOfTheWholePlanning) {
    // 2^29 slices where the deadline ends all after the first ones: more than 2^62 would be an error.
    constexpr std::int64_t kLimit = 8 << 12;
    const Network net = grid(14);
    const auto start = std::chrono::steady_clock::now();
    const SlicedTree found = find_tree_within_limits(net, {.deadline = 0.3, .memory_limit_bytes = kLimit});
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    EXPECT_LT(taken.count(), 20) << "a busy machine is allowed for";
    EXPECT_GE(found.labels.size(), 3U);
    EXPECT_LE(found.cost.peak_bytes, kLimit);
}

TEST(MemoryLimit, CountsTheElementsOfTheOperands) {
    const Network net = grid(6);
    const double real = cost(net, find_tree(net)).peak_bytes;
    const auto limit = static_cast<std::int64_t>(real);
    EXPECT_TRUE(find_tree_within_limits(net, {.memory_limit_bytes = limit}).labels.empty());
    const SlicedTree complex =
        find_tree_within_limits(net, {.dtype = DType::C64, .memory_limit_bytes = limit / 2});
    EXPECT_FALSE(complex.labels.empty());
    EXPECT_LE(complex.cost.peak_bytes, real / 2);
}

TEST(MemoryLimit, BelowTheResultIsAnErrorWithBothFigures) {
    const std::vector<Dims> shapes{{8, 8}, {8, 8}, {8, 8}};
    EXPECT_ERROR(
        EinsumPlan(Subscripts::parse("ij,jk,kl->il"), shapes, PathOptions{.memory_limit_bytes = 100}),
        Unsupported, "einsum: the memory limit is 100 bytes but the lowest peak found is ");
}

TEST(MemoryLimit, PlansRunInSlicesAndReportThem) {
    const std::vector<Dims> shapes{{2, 64}, {64, 64}, {64, 2}};
    const EinsumPlan free_plan(Subscripts::parse("ij,jk,kl->il"), shapes);
    const EinsumPlan plan(Subscripts::parse("ij,jk,kl->il"), shapes, PathOptions{.memory_limit_bytes = 256});
    EXPECT_FALSE(plan.sliced_labels().empty());
    EXPECT_GT(plan.cost().slices, 1);
    EXPECT_LE(plan.cost().peak_bytes, 256);
    EXPECT_TRUE(free_plan.sliced_labels().empty());
    Draw draw(3);
    std::vector<StridedSample<double>> samples;
    std::vector<TensorRead> operands;
    for (const Dims& shape : shapes) samples.emplace_back(draw, shape);
    for (const auto& sample : samples) operands.push_back(sample.view());
    const auto backend = CpuBackend::with_threads(1);
    std::size_t first = 1, last = 0, all = 0;
    const auto count = [&](std::size_t done, std::size_t total) {
        first = std::min(first, done), last = done, all = total;
    };
    const Progress progress(count);
    backend->with_backend_session([&](BackendSession& session) {
        expect_equal<double>(plan.run(session, operands, {.progress = &progress}),
                             free_plan.run(session, operands));
    });
    EXPECT_GT(all, 0u);
    EXPECT_EQ(first, 0u);
    EXPECT_EQ(last, all);
}

TEST(MemoryLimit, AGivenPathIsSlicedAsItIs) {
    const Network net = grid(4);
    const ContractionTree tree = find_tree(net, {.seed = 5});
    const double peak = cost(net, tree).peak_bytes;
    const auto limit = static_cast<std::int64_t>(peak / 3);
    const SlicedTree sliced = sliced_tree(net, tree, {.memory_limit_bytes = limit});
    EXPECT_EQ(path_from_tree(sliced.tree), path_from_tree(tree));
    EXPECT_FALSE(sliced.labels.empty());
    EXPECT_LE(sliced.cost.peak_bytes, static_cast<double>(limit));
    for (const std::int64_t enough : {std::int64_t{0}, static_cast<std::int64_t>(peak)})
        EXPECT_TRUE(sliced_tree(net, tree, {.memory_limit_bytes = enough}).labels.empty());

    const std::vector<std::vector<int>> path{{1, 2}, {0, 1}};
    const std::vector<Dims> shapes{{2, 64}, {64, 64}, {64, 2}};
    const auto subscripts = Subscripts::parse("ij,jk,kl->il");
    const EinsumPlan plan(subscripts, shapes, path, DType::F64, 300);
    EXPECT_EQ(path_from_tree(plan.tree()), path_from_tree(EinsumPlan(subscripts, shapes, path).tree()));
    EXPECT_FALSE(plan.sliced_labels().empty());
    EXPECT_LE(plan.cost().peak_bytes, 300);
    EXPECT_ERROR(EinsumPlan(subscripts, shapes, path, DType::F64, 20), Unsupported,
                 "einsum: the memory limit is 20 bytes but the lowest peak found is ");
}

TEST(MemoryLimit, HoldsForSlicesThatRunAtOnceAndTheSumDoesNotDependOnThem) {
    const std::vector<Dims> shapes(3, Dims{96, 96, 16});
    constexpr std::int64_t limit = 800'000;  // the product of two operands takes 1.2 MB
    const EinsumPlan plan(Subscripts::parse("ijp,jkp,kip->ij"), shapes,
                          PathOptions{.memory_limit_bytes = limit});
    ASSERT_GE(plan.cost().slices, 16);
    Draw draw(11);
    std::vector<Tensor> operands;
    for (const Dims& shape : shapes) {
        std::vector<double> values(static_cast<std::size_t>(element_count(shape, "test")));
        for (double& value : values) value = 1.0 / static_cast<double>(draw.integer(1, 1000));
        operands.push_back(Tensor::from_data<double>(values, shape));
    }
    const std::vector<TensorRead> views(operands.begin(), operands.end());
    std::vector<std::byte> expected;
    for (const int threads : {1, 2, 3, 4}) {
        const auto backend = CpuBackend::with_threads(threads);
        const Tensor result =
            backend->with_backend_session([&](BackendSession& session) { return plan.run(session, views); });
        const auto* bytes = static_cast<const std::byte*>(result.data());
        const std::vector<std::byte> found(bytes, bytes + result.size() * static_cast<Index>(sizeof(double)));
        if (expected.empty()) expected = found;
        EXPECT_TRUE(found == expected) << threads << " threads";
        EXPECT_LE(backend->pool_stats().peak_bytes, static_cast<std::size_t>(limit)) << threads << " threads";
    }
}

}}  // namespace tenferro::tensor_network
