// The time for a hundred thousand labels or operands grows in proportion: ten times as many take about ten
// times as long, a quadratic place a hundred times. What has a share of the budget of a search keeps to it.
#include <gtest/gtest.h>

#include <time.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "einsum/path_search/descent.hpp"
#include "einsum/path_search/elimination.hpp"
#include "einsum/path_search/greedy.hpp"
#include "einsum/path_search/partition.hpp"
#include "support/path_problem.hpp"
#include "support/sanitized.hpp"
#include "tenferro/einsum/plan.hpp"

namespace tenferro::tensor_network { namespace {

/// Of this thread: other work of the machine does not count.
double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Axes of extent 1 in reverse order, twice over: parsed, bound, lowered and differentiated.
double seconds_for(int labels, bool pair) {
    std::vector<int> axes(static_cast<std::size_t>(labels));
    std::iota(axes.begin(), axes.end(), 0);
    const std::vector<int> reversed(axes.rbegin(), axes.rend());
    const std::vector<std::vector<int>> inputs(pair ? 2 : 1, axes);
    const std::vector<Dims> shapes(inputs.size(), Dims(axes.size(), 1));
    const std::string text = Subscripts::interleaved(inputs, reversed).to_string();
    double best = 1e9;
    for (int repeat = 0; repeat < 3; ++repeat) {
        const double start = processor_seconds();
        const EinsumPlan plan(Subscripts::parse(text), shapes);
        EXPECT_EQ(plan.output_shape().size(), axes.size());
        best = std::min(best, processor_seconds() - start);
    }
    return best;
}

TEST(Scale, LabelsCostTimeInProportion) {
    for (const bool pair : {false, true}) {
        const double few = seconds_for(5000, pair), many = seconds_for(50000, pair);
        EXPECT_LT(many, 40 * few + 0.01) << "pair " << pair;
    }
}

/// Networks of n tensors whose labels have many owners, or whose orders have wide tensors; of extent 2.
Problem star(int n) {
    std::vector<LabelIds> tensors;
    for (int i = 0; i < n; ++i) tensors.push_back({0, i + 1});
    return test::path_problem(tensors);
}
Problem bundle(int n) {  // of one label
    return test::path_problem(std::vector<LabelIds>(static_cast<std::size_t>(n), LabelIds{0}));
}
/// In the order listed, half of all tensors' labels are open at once.
Problem binary_tree(int n) {
    std::vector<LabelIds> tensors;
    for (int i = 0; i < n; ++i) {
        LabelIds& labels = tensors.emplace_back();
        for (const int label : {i, 2 * i + 1, 2 * i + 2})
            if (label > 0 && label < n) labels.push_back(label);
    }
    return test::path_problem(tensors);
}
/// Each tensor has three labels out of the forty around its place.
Problem model(int n) {
    std::vector<LabelIds> tensors;
    Random random(7);
    for (int i = 0; i < n; ++i) {
        LabelIds& labels = tensors.emplace_back();
        while (labels.size() < 3)
            if (const int label = i / 3 + static_cast<int>(random.below(40));
                std::find(labels.begin(), labels.end(), label) == labels.end())
                labels.push_back(label);
    }
    return test::path_problem(tensors);
}

double seconds_for_orders(const Problem& problem) {
    const double start = processor_seconds();
    const ContractionState listed(problem, {});
    ContractionState simplified = listed;
    absorb_subsets(simplified);
    Random random(1);
    ContractionState greedy = simplified, eliminated = simplified, layered = simplified, in_order = listed;
    contract_greedily(greedy, {}, random);
    EXPECT_EQ(greedy.merges().size() + 1, problem.tensors.size());
    eliminate_labels(eliminated, 0, random);
    const Clock clock(0);
    static_cast<void>(contract_in_layers(layered, Budget(clock, problem.tensors.size()), random));
    static_cast<void>(contract_as_listed(in_order));
    return processor_seconds() - start;
}

TEST(Scale, OrdersOfManyTensorsCostTimeInProportion) {
    for (Problem (*const network)(int) : {star, bundle, binary_tree}) {
        const Problem small = network(test::draws(3000)), large = network(test::draws(30000));
        double few = 1e9, many = 1e9;
        for (int repeat = 0; repeat < 2; ++repeat) {
            few = std::min(few, seconds_for_orders(small));
            many = std::min(many, seconds_for_orders(large));
        }
        EXPECT_LT(many, 35 * few + 0.01);
    }
}

TEST(Scale, OneDescentKeepsToAShareOfTheBudget) {
    for (const int tensors : {test::draws(1000), test::draws(6000), test::draws(18000)}) {
        const Problem problem = model(tensors);
        ContractionState state(problem, {});
        Random random(1);
        contract_greedily(state, {}, random);
        const Clock clock(0);
        const Budget budget(clock, problem.tensors.size());
        Descent descent(problem, {}, budget, 1);
        EXPECT_EQ(descent.run(state.merges(), {}).size() + 1, problem.tensors.size());
        EXPECT_LE(descent.work(), 1.1) << tensors << " tensors, in estimated seconds";
    }
}

}}  // namespace tenferro::tensor_network
