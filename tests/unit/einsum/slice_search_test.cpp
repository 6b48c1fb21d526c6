// The search for slices: rounds gain, and what they find fits; threads change nothing; the clock ends it.
#include "einsum/slicing/slice_search.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "einsum/path_search/find_tree.hpp"
#include "einsum/tree_cost.hpp"
#include "support/expect_error.hpp"
#include "support/random_layout.hpp"

namespace tenferro::tensor_network { namespace {

using test::Draw;

/// Tensors joined to four others each, but for few, by labels of extent 2.
Network random_graph(std::uint64_t seed, Index tensors) {
    Draw draw(seed);
    Network net;
    net.inputs.resize(static_cast<std::size_t>(tensors));
    net.dropped_axes.resize(net.inputs.size());
    std::vector<int> ends;
    for (int tensor = 0; tensor < tensors; ++tensor) ends.insert(ends.end(), 4, tensor);
    while (ends.size() > 1) {
        const int a = ends.back();
        ends.pop_back();
        const auto other = static_cast<std::size_t>(draw.integer(0, static_cast<Index>(ends.size()) - 1));
        const int b = std::exchange(ends[other], ends.back());
        ends.pop_back();
        if (a == b) continue;
        const auto label = static_cast<LabelId>(net.extents.size());
        net.extents.push_back(2);
        for (const int tensor : {a, b}) net.inputs[static_cast<std::size_t>(tensor)].push_back(label);
    }
    return net;
}

/// A limit of a sixteenth of what a whole tree takes.
PathOptions narrow(const Network& net, PathObjective objective) {
    PathOptions options{.objective = objective};
    options.memory_limit_bytes = static_cast<std::int64_t>(cost(net, find_tree(net)).peak_bytes / 16);
    return options;
}

TEST(SliceSearch, RoundsGainAndKeepToTheLimit) {
    double gained = 0;
    for (const PathObjective objective : {PathObjective::Time, PathObjective::Flops}) {
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
            const Network net = random_graph(seed, 30);
            const PathOptions options = narrow(net, objective);
            SliceSearch search(net, options);
            std::optional<SlicedTree> sliced = search.slice_only(find_tree(net));
            ASSERT_TRUE(sliced);
            const double before = work(sliced->cost, options);
            search.improve_in_rounds(*sliced, Clock(0));
            EXPECT_LE(work(sliced->cost, options), before);
            EXPECT_TRUE(fits(sliced->cost, options));
            const ContractionCost counted = TreeCost(net, sliced->tree, DType::F64).of(sliced->labels);
            EXPECT_EQ(counted.flops, sliced->cost.flops);
            EXPECT_EQ(counted.peak_bytes, sliced->cost.peak_bytes);
            gained += std::log2(before / work(sliced->cost, options)) / 8;
        }
    }
    EXPECT_GT(gained, 0.5) << "in the mean, as a power of two";
}

TEST(SliceSearch, ThreadsDoNotChangeWhatIsFoundByWork) {
    const Network net = random_graph(9, 24);
    PathOptions options = narrow(net, PathObjective::Time);
    const SlicedTree one = find_tree_within_limits(net, options);
    options.threads = 3;
    const SlicedTree three = find_tree_within_limits(net, options);
    EXPECT_EQ(one.labels, three.labels);
    EXPECT_EQ(one.tree.merges, three.tree.merges);
}

TEST(SliceSearch, KeepsToTheLimitOnAnyNumberOfThreads) {
    const Network net = random_graph(9, 40);
    PathOptions options = narrow(net, PathObjective::Flops);
    options.deadline = 0.3;
    for (const int threads : {1, 2, 5}) {
        options.threads = threads;
        const SlicedTree found = find_tree_within_limits(net, options);
        EXPECT_TRUE(fits(found.cost, options));
        EXPECT_FALSE(found.labels.empty());
    }
}

TEST(SliceSearch, OfFewTensorsDoesNotWaitForTheDeadline) {
    const Network net = random_graph(3, 10);
    PathOptions options{.deadline = 60};
    options.memory_limit_bytes = static_cast<std::int64_t>(cost(net, find_tree(net)).peak_bytes / 2);
    const auto start = std::chrono::steady_clock::now();
    const SlicedTree found = find_tree_within_limits(net, options);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    EXPECT_FALSE(found.labels.empty());
    EXPECT_LT(taken.count(), 20);
}

TEST(SliceSearch, TellsOfOrdersThatFitAndGetNoWorse) {
    const Network net = random_graph(9, 40);
    PathOptions options = narrow(net, PathObjective::Flops);
    options.deadline = 0.5;
    double least = std::numeric_limits<double>::infinity();
    const auto watch = [&](const SearchProgress& progress) {
        if (progress.best_flops == 0) return;
        EXPECT_LE(progress.best_flops, least);
        EXPECT_LE(progress.best_peak_bytes, static_cast<double>(options.memory_limit_bytes));
        least = progress.best_flops;
    };
    const SearchWatcher watcher(watch);
    options.progress = &watcher;
    EXPECT_EQ(find_tree_within_limits(net, options).cost.flops, least);
}

/// A label for each pair of tensors.
TEST(SliceSearch, OfMoreSlicesThanCanBeCountedIsAnError) {
    constexpr int kTensors = 14;
    Network net;
    net.inputs.resize(kTensors);
    net.dropped_axes.resize(kTensors);
    for (std::size_t a = 0; a < kTensors; ++a)
        for (std::size_t b = 0; b < a; ++b) {
            for (const std::size_t tensor : {a, b})
                net.inputs[tensor].push_back(static_cast<LabelId>(net.extents.size()));
            net.extents.push_back(2);
        }
    EXPECT_ERROR((void)sliced_tree(net, find_tree(net), {.memory_limit_bytes = 64}), Unsupported,
                 " slices but there may be at most 2^62");
}

/// The trace of a(i,j) b(j,k) c(k,l) d(l,i): `(a b) (c d)` makes tensors of 8192 elements, `(b c) (d a)` of
/// 64 with twice as many operations.
TEST(WithinLimit, OrdersThatNeedLessRoomAreTaken) {
    Network net;
    net.inputs = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
    net.extents = {4096, 8, 2, 8};
    net.dropped_axes.resize(4);
    PathOptions options{.objective = PathObjective::Flops};
    EXPECT_EQ(cost(net, find_tree(net, options, Clock(0))).largest_intermediate, 8192);
    options.memory_limit_bytes = 8 * 128;
    EXPECT_EQ(cost(net, find_tree(net, options, Clock(0))).largest_intermediate, 64);
    EXPECT_EQ(cost(net, find_tree(net, options)).largest_intermediate, 8192)
        << "the public search takes no notice of limits";
}

TEST(Descend, KeepsAnOptimalTreeAndGroups) {
    Network net = random_graph(3, 8);
    const ContractionTree best = find_tree(net, {.objective = PathObjective::Flops});
    const PathOptions options{.objective = PathObjective::Flops};
    const DescendedTree made = descend(net, best, options, Clock(0), {});
    EXPECT_EQ(cost(net, made.tree).flops, cost(net, best).flops);
    EXPECT_EQ(made.work, 0);
    net = random_graph(3, 30);
    net.groups = {{0, 1, 2}};
    const ContractionTree grouped = find_tree(net);
    EXPECT_EQ(descend(net, grouped, options, Clock(0), {}).tree.merges, grouped.merges);
}

TEST(Descend, LeavesABetterTreeAndCountsItsWork) {
    const Network net = random_graph(3, 40);
    const PathOptions options{.objective = PathObjective::Flops};
    ContractionTree tree;  // from left to right
    for (int m = 0; m < 39; ++m) tree.merges.emplace_back(m == 0 ? 0 : 39 + m, m + 1);
    const DescendedTree hot = descend(net, tree, options, Clock(0), {.hottest = 3, .subtrees = false});
    const DescendedTree again = descend(net, tree, options, Clock(0), {.hottest = 3, .subtrees = true});
    EXPECT_GT(hot.work, 0);
    EXPECT_GT(again.work, hot.work);
    EXPECT_LT(cost(net, hot.tree).flops, cost(net, tree).flops);
}

}}  // namespace tenferro::tensor_network
