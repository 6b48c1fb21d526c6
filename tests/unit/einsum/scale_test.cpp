// The time for a hundred thousand labels grows in proportion: ten times as many take about ten times as long,
// a quadratic place a hundred times.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "tenferro/einsum/plan.hpp"

namespace tenferro::einsum { namespace {

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
        const auto start = std::chrono::steady_clock::now();
        const EinsumPlan plan(Subscripts::parse(text), shapes);
        EXPECT_EQ(plan.output_shape().size(), axes.size());
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        best = std::min(best, taken.count());
    }
    return best;
}

TEST(Scale, LabelsCostTimeInProportion) {
    for (const bool pair : {false, true}) {
        const double few = seconds_for(5000, pair), many = seconds_for(50000, pair);
        EXPECT_LT(many, 40 * few + 0.01) << "pair " << pair;
    }
}

}}  // namespace tenferro::einsum
