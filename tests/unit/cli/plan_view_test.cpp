// The shown costs are those of the plan, and the tree shows every node once.
#include "cli/plan_view.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cli/instance.hpp"

namespace tenferro::cli { namespace {

tensor_network::EinsumPlan chain(int length) {
    std::string subscripts;
    for (int i = 0; i < length; ++i) {
        if (i > 0) subscripts += ',';
        subscripts += tensor_network::label_text(U'\u0100' + i);
        subscripts += tensor_network::label_text(U'\u0100' + i + 1);
    }
    const std::vector<Dims> shapes(length, Dims{2, 2});
    const std::vector<std::vector<int>> path(length - 1,
                                             {0, 1});  // a comb: each result meets the next but one operand
    return {tensor_network::Subscripts::parse(subscripts + "->"), shapes, path};
}

TEST(PlanView, MergeCostsAddUpToThePlansCost) {
    const std::vector<Dims> shapes{{2, 3}, {3, 4}, {4, 5}, {5}};
    const tensor_network::EinsumPlan plan(tensor_network::Subscripts::parse("ij,jk,kl,l->i"), shapes);
    const PlanView view(plan);
    double flops = 0, largest = 0;
    for (const Merge& merge : view.merges()) {
        flops += merge.flops;
        largest = std::max(largest, merge.elements);
    }
    EXPECT_DOUBLE_EQ(flops, plan.cost().flops);
    EXPECT_DOUBLE_EQ(largest, plan.cost().largest_intermediate);
    Json report = Json::object();
    view.add_to(report);
    EXPECT_EQ(report.find("merges")->as<Json::List>()->size(), 3U);
    EXPECT_EQ(report.find("path")->as<Json::List>()->size(), 3U);
}

TEST(PlanView, OneMatrixProduct) {
    const std::vector<Dims> shapes{{2, 3}, {3, 4}};
    const tensor_network::EinsumPlan plan(tensor_network::Subscripts::parse("ij,jk->ik"), shapes);
    const PlanView view(plan);
    EXPECT_EQ(view.tree_text(10), "2: ik  8 elements, 48 flops\n├─ operand 0: ij\n└─ operand 1: jk\n");
    EXPECT_EQ(view.merge_text(view.merges()[0]), "ij,jk->ik");
}

TEST(PlanView, DeepTreesShowEveryNodeOnceInBoundedWidth) {
    const auto plan = chain(300);
    const std::string tree = PlanView(plan).tree_text(1000);
    EXPECT_EQ(std::count(tree.begin(), tree.end(), '\n'), 599);
    std::size_t longest = 0;
    for (std::size_t at = 0; at < tree.size();) {
        const std::size_t end = tree.find('\n', at);
        longest = std::max(longest, end - at);
        at = end + 1;
    }
    EXPECT_LT(longest, 200U);
}

TEST(PlanView, AbridgedTreesOpenTheDearestSubtrees) {
    const std::vector<Dims> shapes{{2, 90}, {90, 2}, {2, 3}, {3, 2}};
    const std::vector<std::vector<int>> path{{0, 1}, {0, 1}, {0, 1}};
    const tensor_network::EinsumPlan plan(tensor_network::Subscripts::parse("ij,jk,kl,lm->im"), shapes, path);
    const std::string tree = PlanView(plan).tree_text(5);
    EXPECT_EQ(std::count(tree.begin(), tree.end(), '\n'), 5) << tree;
    EXPECT_NE(tree.find("operand 0: ij"), std::string::npos) << tree;
    EXPECT_NE(tree.find("4 elements, 24 flops … from 2 operands, 24 flops in all"), std::string::npos)
        << tree;
    EXPECT_EQ(tree.find("operand 2"), std::string::npos) << tree;
    EXPECT_EQ(PlanView(plan).tree_text(1),
              "6: im  4 elements, 16 flops … from 4 operands, 760 flops in all\n");
}

TEST(PlanView, OneOperandHasNoMerges) {
    const std::vector<Dims> shapes{{3, 3}};
    const tensor_network::EinsumPlan plan(tensor_network::Subscripts::parse("ii->"), shapes);
    EXPECT_TRUE(PlanView(plan).merges().empty());
    EXPECT_TRUE(PlanView(plan).tree_text(10).starts_with("operand 0: "));
}

}}  // namespace tenferro::cli
