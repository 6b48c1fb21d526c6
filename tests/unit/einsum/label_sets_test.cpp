// Sets of labels beside products of extents that are taken one by one.
#include "einsum/path_search/label_sets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace tenferro::tensor_network { namespace {

/// Of as many labels, whose extents are 1 … `kinds` in any order.
void expect_products(int labels, int kinds) {
    SCOPED_TRACE(::testing::Message() << labels << " labels of " << kinds << " extents");
    std::mt19937 random(7);
    std::vector<double> extents;
    for (int label = 0; label < labels; ++label)
        extents.push_back(1 + static_cast<double>(random() % static_cast<unsigned>(kinds)));
    std::vector<double> bits(extents.size());
    std::transform(extents.begin(), extents.end(), bits.begin(),
                   [](double extent) { return std::log2(extent); });
    const LabelSets sets(bits);
    for (const unsigned share : {1U, 8U, 60U, 64U}) {  // of 64
        std::vector<std::uint64_t> set(sets.words(), 0);
        double product = 1;
        for (int label = 0; label < labels; ++label) {
            if (random() % 64 >= share) continue;
            sets.insert(label, set.data());
            product = std::min(product * extents[index(label)], kLargestSize);
        }
        EXPECT_NEAR(sets.size(set.data()) / product, 1, 1e-10);
    }
}

TEST(LabelSets, SizesAreProductsOfExtents) {
    for (const int labels : {1, 63, 64, 65, 200, 700})
        for (const int kinds : {1, 2, 8, 9, 100}) expect_products(labels, kinds);
}

/// More words than the bytes of one can count, every bit of them.
TEST(LabelSets, CountManyWords) {
    constexpr std::size_t kLabels = 64 * 70;
    const LabelSets sets(std::vector<double>(kLabels, 0.125));
    std::vector<std::uint64_t> set(sets.words(), 0);
    for (std::size_t label = 0; label < kLabels; ++label)
        sets.insert(static_cast<LabelId>(label), set.data());
    EXPECT_NEAR(std::log2(sets.size(set.data())), 0.125 * kLabels, 1e-6);
}

TEST(LabelSets, TheEmptySetIsAScalar) {
    const LabelSets sets({});
    const std::vector<std::uint64_t> set(sets.words(), 0);
    EXPECT_EQ(sets.size(set.data()), 1);
}

}}  // namespace tenferro::tensor_network
