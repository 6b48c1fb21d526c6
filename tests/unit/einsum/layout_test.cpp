// Orders of axes: each node keeps its labels, what a later merge sums goes last, values stay those of the
// definition.
#include "einsum/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "support/made_network.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/einsum/plan.hpp"

namespace tenferro::tensor_network { namespace {

using test::made_network;

LabelIds sorted(LabelIds labels) {
    std::sort(labels.begin(), labels.end());
    return labels;
}

/// Seven operands of four of eight labels, hyperedges and labels of one operand among them.
struct DrawnNetwork {
    static constexpr int kLabels = 8, kOperands = 7;
    std::vector<LabelIds> inputs;
    LabelIds output;
    std::vector<Index> extents;

    explicit DrawnNetwork(std::mt19937& random) {
        std::array<LabelId, kLabels> labels{0, 1, 2, 3, 4, 5, 6, 7};
        for (int i = 0; i < kLabels; ++i) extents.push_back(static_cast<Index>(2 + random() % 4));
        for (int k = 0; k < kOperands; ++k) {
            std::shuffle(labels.begin(), labels.end(), random);
            inputs.emplace_back(labels.begin(), labels.begin() + 4);
        }
        std::shuffle(labels.begin(), labels.end(), random);
        for (const LabelId label : labels)
            if (output.size() < 3 && is_used(label)) output.push_back(label);
    }
    [[nodiscard]] bool is_used(LabelId label) const {
        return std::any_of(inputs.begin(), inputs.end(), [label](const LabelIds& input) {
            return std::find(input.begin(), input.end(), label) != input.end();
        });
    }
    [[nodiscard]] Dims shape_of(const LabelIds& labels) const {
        Dims shape;
        for (const LabelId label : labels) shape.push_back(extents[label]);
        return shape;
    }
    [[nodiscard]] std::string subscripts() const {
        std::string text;
        const auto append = [&](const LabelIds& labels) {
            for (const LabelId label : labels) text += static_cast<char>('a' + label);
        };
        for (const LabelIds& input : inputs) {
            if (!text.empty()) text += ',';
            append(input);
        }
        text += "->";
        append(output);
        return text;
    }
    /// The sum over all values of all labels. Elements are small integers, so that every order is exact.
    [[nodiscard]] std::vector<double> evaluate(const std::vector<Tensor>& operands) const {
        const auto place = [&](const LabelIds& labels, const std::vector<Index>& values) {
            Index at = 0, step = 1;
            for (const LabelId label : labels) {
                at += step * values[label];
                step *= extents[label];
            }
            return at;
        };
        Index size = 1;
        for (const LabelId label : output) size *= extents[label];
        std::vector<double> result(static_cast<std::size_t>(size));
        std::vector<Index> values(kLabels);
        for (int label = 0; label < kLabels;) {
            double product = 1;
            for (int k = 0; k < kOperands; ++k)
                product *= operands[k].read().data_as<double>()[place(inputs[k], values)];
            result[static_cast<std::size_t>(place(output, values))] += product;
            for (label = 0; label < kLabels; ++label) {
                if (++values[label] < (is_used(label) ? extents[label] : 1)) break;
                values[label] = 0;
            }
        }
        return result;
    }
};

TEST(Layout, EveryNodeKeepsItsLabels) {
    std::mt19937 random(1);
    for (int round = 0; round < 200; ++round) {
        const DrawnNetwork drawn(random);
        const Network net = made_network(drawn.inputs, drawn.output, drawn.extents);
        ContractionTree tree;
        for (int k = 1; k < DrawnNetwork::kOperands; ++k)
            tree.merges.emplace_back(k == 1 ? 0 : DrawnNetwork::kOperands + k - 2, k);
        const auto kept = node_labels(net, tree), order = choose_layouts(net, tree);
        ASSERT_EQ(order.size(), kept.size());
        for (std::size_t node = 0; node < order.size(); ++node) {
            EXPECT_EQ(sorted(order[node]), sorted(kept[node])) << "node " << node;
        }
        for (std::size_t input = 0; input < net.inputs.size(); ++input)
            EXPECT_EQ(order[input], kept[input]) << "inputs lie as they are given";
        EXPECT_EQ(order.back(), net.output);
    }
}

TEST(Layout, WhatTheReaderSumsGoesLast) {
    // ka,bc,kd->abcd: the product of the first two is read along a, b and c in runs if k is its last label.
    constexpr LabelId a = 0, b = 1, c = 2, d = 3, k = 4;
    const Network net = made_network({{k, a}, {b, c}, {k, d}}, {a, b, c, d}, {8, 8, 8, 8, 8});
    const auto order = choose_layouts(net, {{{0, 1}, {3, 2}}});
    EXPECT_EQ(order[3], (LabelIds{a, b, c, k}));
}

TEST(Layout, SmallTensorsAreLeftAlone) {
    constexpr LabelId a = 0, b = 1, c = 2, d = 3, k = 4;
    const Network net = made_network({{k, a}, {b, c}, {k, d}}, {a, b, c, d}, {2, 2, 2, 2, 2});
    const auto order = choose_layouts(net, {{{0, 1}, {3, 2}}});
    EXPECT_EQ(order[3], (LabelIds{k, a, b, c}));
}

TEST(Layout, ValuesAreThoseOfTheDefinition) {
    std::mt19937 random(2);
    const auto backend = CpuBackend::with_threads(1);
    for (int round = 0; round < 60; ++round) {
        const DrawnNetwork drawn(random);
        SCOPED_TRACE(text("round ", round, ": ", drawn.subscripts()));
        std::vector<Tensor> operands;
        std::vector<Dims> shapes;
        for (const LabelIds& input : drawn.inputs) {
            shapes.push_back(drawn.shape_of(input));
            std::size_t size = 1;
            for (const Index extent : shapes.back()) size *= static_cast<std::size_t>(extent);
            std::vector<double> data(size);
            for (double& value : data) value = static_cast<double>(random() % 5) - 2;
            operands.push_back(Tensor::from_data<double>(data, shapes.back()));
        }
        std::vector<TensorRead> views;
        for (const Tensor& operand : operands) views.push_back(operand.read());
        const EinsumPlan plan(Subscripts::parse(drawn.subscripts()), shapes);
        backend->with_backend_session([&](BackendSession& session) {
            const Tensor result = plan.run(session, views);
            const std::vector<double> expected = drawn.evaluate(operands);
            ASSERT_EQ(result.size(), static_cast<Index>(expected.size()));
            for (std::size_t i = 0; i < expected.size(); ++i)
                ASSERT_EQ(result.read().data_as<double>()[i], expected[i]) << "element " << i;
        });
    }
}

}}  // namespace tenferro::tensor_network
