// The workspace of programs: tensors that are needed together lie apart, and the whole is what is alive at
// once.
#include "einsum/memory_plan.hpp"

#include <gtest/gtest.h>

#include <map>

#include "support/random_layout.hpp"
#include "support/sanitized.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/einsum/path_search.hpp"
#include "tenferro/einsum/plan.hpp"

namespace tenferro::tensor_network { namespace {

using test::Draw;

/// A ring of tensors with chords and extents 2 to 7.
Network drawn_ring(Draw& draw) {
    const Index n = draw.integer(3, 20);
    Network net;
    net.inputs.resize(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i)
        for (const Index other : {(i + 1) % n, (i + draw.integer(1, n - 1)) % n}) {
            const auto label = static_cast<LabelId>(net.extents.size());
            net.extents.push_back(draw.integer(2, 7));
            net.inputs[static_cast<std::size_t>(i)].push_back(label);
            net.inputs[static_cast<std::size_t>(other)].push_back(label);
            if (draw.integer(0, 9) == 0) net.output.push_back(label);
        }
    net.dropped_axes.resize(net.inputs.size());
    return net;
}

Index elements(const LabelIds& labels, const std::vector<Index>& extents) {
    Index count = 1;
    for (const LabelId label : labels) count *= extents[static_cast<std::size_t>(label)];
    return count;
}

/// Fails where a tensor is made over one that is still needed. Returns how many are in the workspace.
int check_apart(const Program& program) {
    std::map<Index, Index> live;  // where they begin and end; they lie apart, so neighbours are enough
    std::map<int, Index> begins;
    int inside = 0;
    for (const Step& step : program.steps) {
        EXPECT_EQ(step.places.size(), 1u);
        if (const Index begin = step.places[0]; begin >= 0) {
            const Index end = begin + elements(step.out_labels, program.extents);
            EXPECT_LE(end, program.workspace);
            const auto next = live.lower_bound(begin);
            EXPECT_TRUE(next == live.end() || end <= next->first) << step.out;
            EXPECT_TRUE(next == live.begin() || std::prev(next)->second <= begin) << step.out;
            live.insert_or_assign(begin, end);
            begins[step.out] = begin;
            ++inside;
        }
        for (const int slot : step.released)
            if (const auto gone = begins.extract(slot)) live.erase(gone.mapped());
    }
    return inside;
}

TEST(MemoryPlan, TensorsNeededTogetherLieApart) {
    int inside = 0;
    constexpr int kDraws = test::draws(200);
    for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
        Draw draw(seed);
        SCOPED_TRACE(text("seed ", seed));
        const Network net = drawn_ring(draw);
        const ContractionTree tree = find_tree(net);
        const Program program = lower(net, tree);
        inside += check_apart(program);
        // Granules of 32 elements, and a result of its own.
        const double bound = cost(net, tree).peak_bytes / 8,
                     rounding = 32.0 * static_cast<double>(program.steps.size());
        EXPECT_LE(static_cast<double>(program.workspace), 1.1 * bound + rounding);
    }
    EXPECT_GT(inside, 5 * kDraws);
}

TEST(MemoryPlan, HugeNetworksArePlannedAsFarAsTheyCanBe) {
    Network net;
    for (LabelId i = 0; i < 3000; ++i) {
        net.inputs.push_back({i, i + 1});
        net.extents.push_back(8);
    }
    net.extents.push_back(8);
    net.output = {0, 3000};
    net.dropped_axes.resize(net.inputs.size());
    const Program program = lower(net, find_tree(net));
    EXPECT_EQ(check_apart(program), 2048);
    // More elements than there are numbers for: planned without a workspace, so that a cost can be shown.
    Network vast;
    for (LabelId i = 0; i < 40; ++i) {
        vast.inputs.push_back({i});
        vast.extents.push_back(1000);
        vast.output.push_back(i);
    }
    vast.dropped_axes.resize(vast.inputs.size());
    EXPECT_LE(lower(vast, find_tree(vast)).workspace, Index{1} << 61);
}

/// (a b) (b c) and then times (a c): the product and the result are as large.
TEST(MemoryPlan, ALargeResultIsTheStartOfTheWorkspace) {
    constexpr std::size_t kMiB = std::size_t{1} << 20;
    const auto backend = CpuBackend::with_threads(1);
    const std::vector<Dims> shapes{{2048, 2}, {2, 2048}, {2048, 2048}};
    const std::vector<std::vector<int>> path{{0, 1}, {0, 1}};
    const EinsumPlan plan(Subscripts::parse("ab,bc,ac->ac"), shapes, path);
    std::vector<Tensor> operands;
    for (const Dims& shape : shapes) operands.push_back(Tensor::zeros(DType::F64, shape));
    const std::vector<TensorRead> views(operands.begin(), operands.end());
    constexpr std::size_t result_bytes = 32 * kMiB, live = 2 * result_bytes;
    for (int round = 0; round < 3; ++round) {
        const Tensor result =
            backend->with_backend_session([&](BackendSession& session) { return plan.run(session, views); });
        EXPECT_EQ(result.buffer().bytes(), result_bytes);
        EXPECT_EQ(backend->pool_stats().bytes_in_use, result_bytes)
            << "the rest of the workspace is free again";
        EXPECT_LE(static_cast<double>(backend->pool_stats().peak_bytes), 1.02 * static_cast<double>(live));
    }
    EXPECT_EQ(backend->pool_stats().bytes_in_use, 0u);
}

/// A sum whose result keeps the start of the workspace, but of which one part is absent: the result is the
/// other part, which lies elsewhere.
TEST(MemoryPlan, ALargeResultThatIsOnePartOfASum) {
    constexpr Index kSide = 1500;
    const std::vector<Dims> shapes{{kSide, 2}, {2, kSide}};
    const EinsumPlan plan(Subscripts::parse("ij,jk->ik"), shapes);
    const Program program = jvp_program(lower(plan.network(), plan.tree()));
    ASSERT_TRUE(program.result_in_workspace);
    const auto backend = CpuBackend::with_threads(1);
    std::vector<double> values(2 * kSide);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 17) - 8;
    const Tensor a = Tensor::from_data<double>(values, shapes[0]),
                 b = Tensor::from_data<double>(values, shapes[1]);
    backend->with_backend_session([&](BackendSession& session) {
        for (const int present : {0, 1}) {
            std::vector<std::optional<TensorRead>> tangents(2);
            tangents[static_cast<std::size_t>(present)] = present == 0 ? a.read() : b.read();
            const Tensor found = plan.jvp(session, std::vector{a.read(), b.read()}, tangents);
            const Tensor expected = plan.run(session, std::vector{a.read(), b.read()});
            ASSERT_EQ(found.shape(), expected.shape());
            EXPECT_TRUE(std::equal(found.data_as<double>(), found.data_as<double>() + found.size(),
                                   expected.data_as<double>()))
                << "only tangent " << present;
        }
    });
}

}}  // namespace tenferro::tensor_network
