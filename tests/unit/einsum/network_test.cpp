// Binding shapes to subscripts: numbering, ellipses, broadcasting and every refusal with its message.
#include "tenferro/einsum/network.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "tenferro/base/error.hpp"

namespace tenferro::tensor_network { namespace {

using Shapes = std::vector<Dims>;

Network network_of(std::string_view text, const Shapes& shapes, Dialect dialect = Dialect::Strict) {
    return resolve(Subscripts::parse(text, dialect), shapes);
}

/// What binding complains about, after checking the kind; empty when it is legal.
std::string refusal(ErrorKind kind, std::string_view text, const Shapes& shapes,
                    Dialect dialect = Dialect::Strict) {
    try {
        (void)network_of(text, shapes, dialect);
        return "";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), kind) << error.what();
        return error.what();
    }
}

TEST(Network, NumbersLabelsByFirstAppearance) {
    const auto n = network_of("ij,(jk,k\u03B2)->\u03B2ii", {{2, 3}, {3, 4}, {4, 5}});
    EXPECT_EQ(n.inputs, (std::vector<LabelIds>{{0, 1}, {1, 2}, {2, 3}}));
    EXPECT_EQ(n.output, (LabelIds{3, 0, 0}));
    EXPECT_EQ(n.extents, (std::vector<Index>{2, 3, 4, 5}));
    EXPECT_EQ(n.names, (std::vector<std::string>{"i", "j", "k", "\u03B2"}));
    EXPECT_EQ(n.dropped_axes, (Shapes{{}, {}, {}}));
    EXPECT_EQ(n.groups, (std::vector<std::vector<int>>{{1, 2}}));
    EXPECT_EQ(output_shape(n), (Dims{5, 2, 2}));
}

TEST(Network, ScalarsAndZeroExtents) {
    EXPECT_EQ(output_shape(network_of("->", {{}})), Dims{});
    const auto n = network_of(",ii,i->i", {{}, {0, 0}, {0}});
    EXPECT_EQ(n.inputs, (std::vector<LabelIds>{{}, {0, 0}, {0}}));
    EXPECT_EQ(output_shape(n), Dims{0});
}

TEST(Network, HugeExtentsAreNotMultiplied) {
    const Index huge = Index{1} << 62;
    EXPECT_EQ(output_shape(network_of("i,j->ij", {{huge}, {huge}})), (Dims{huge, huge}));
}

TEST(Network, EllipsesAlignOnTheRight) {
    const auto n = network_of("i...j,...j,...->j...i", {{2, 7, 5, 6, 3}, {5, 6, 3}, {6}});
    EXPECT_EQ(n.names, (std::vector<std::string>{"...[0]", "...[1]", "...[2]", "i", "j"}));
    EXPECT_EQ(n.inputs, (std::vector<LabelIds>{{3, 0, 1, 2, 4}, {1, 2, 4}, {2}}));
    EXPECT_EQ(output_shape(n), (Dims{3, 7, 5, 6, 2}));
}

TEST(Network, EllipsisAxesOfExtentOneBroadcastInBothDialects) {
    for (const Dialect dialect : {Dialect::Strict, Dialect::NumPy}) {
        const auto n = network_of("i...,...->...i", {{4, 1, 3, 1}, {2, 1, 1}}, dialect);
        EXPECT_EQ(n.inputs, (std::vector<LabelIds>{{3, 1, 2}, {0, 2}}));
        EXPECT_EQ(n.dropped_axes, (Shapes{{1}, {1}}));
        EXPECT_EQ(n.extents, (std::vector<Index>{2, 3, 1, 4}));
        EXPECT_EQ(output_shape(n), (Dims{2, 3, 1, 4}));
        EXPECT_EQ(output_shape(network_of("...,...->...", {{1}, {0}}, dialect)), Dims{0});
    }
}

TEST(Network, AnEllipsisMayCoverNothing) {
    EXPECT_EQ(output_shape(network_of("i...->i...", {{2}})), Dims{2});
    EXPECT_EQ(output_shape(network_of("i...->i", {{2}})), Dims{2});
    EXPECT_EQ(output_shape(network_of("ij->j...i", {{2, 3}})), (Dims{3, 2}));
    EXPECT_EQ(output_shape(network_of("ij->...", {{2, 3}})), Dims{});
    EXPECT_EQ(refusal(ErrorKind::InvalidArgument, "i,i...->i", {{2}, {2, 3}}),
              "einsum: '...' covers 1 axis of operand 1 but the output has no '...'");
}

TEST(Network, LabelsBroadcastInNumPyOnly) {
    const auto n = network_of("ij,ij->ij", {{1, 3}, {2, 1}}, Dialect::NumPy);
    EXPECT_EQ(n.inputs, (std::vector<LabelIds>{{1}, {0}}));
    EXPECT_EQ(n.dropped_axes, (Shapes{{0}, {1}}));
    EXPECT_EQ(output_shape(n), (Dims{2, 3}));
    EXPECT_EQ(refusal(ErrorKind::ShapeMismatch, "ij,ij->ij", {{1, 3}, {2, 1}}),
              "einsum: label i has extent 1 in operand 0 axis 0 but extent 2 in operand 1 axis 0");
}

TEST(Network, BroadcastInsideOneOperand) {
    const auto n = network_of("iji->i", {{1, 5, 4}}, Dialect::NumPy);
    EXPECT_EQ(n.inputs, (std::vector<LabelIds>{{1, 0}}));
    EXPECT_EQ(n.dropped_axes, Shapes{{0}});
    EXPECT_EQ(output_shape(n), Dims{4});
    const auto carried_elsewhere = network_of("ii,i->i", {{1, 1}, {3}}, Dialect::NumPy);
    EXPECT_EQ(carried_elsewhere.inputs, (std::vector<LabelIds>{{}, {0}}));
    EXPECT_EQ(carried_elsewhere.dropped_axes, (Shapes{{0, 1}, {}}));
}

TEST(Network, NothingIsDroppedWhenEveryExtentIsOne) {
    const auto n = network_of("ii,i->i", {{1, 1}, {1}}, Dialect::NumPy);
    EXPECT_EQ(n.inputs, (std::vector<LabelIds>{{0, 0}, {0}}));
    EXPECT_EQ(n.dropped_axes, (Shapes{{}, {}}));
}

TEST(Network, RefusesTwoExtents) {
    const auto mismatch = [](std::string_view text, const Shapes& shapes, Dialect dialect = Dialect::Strict) {
        return refusal(ErrorKind::ShapeMismatch, text, shapes, dialect);
    };
    EXPECT_EQ(mismatch("ij,jk->ik", {{2, 3}, {4, 5}}),
              "einsum: label j has extent 3 in operand 0 axis 1 but extent 4 in operand 1 axis 0");
    EXPECT_EQ(mismatch("ii->", {{2, 0}}),
              "einsum: label i has extent 2 in operand 0 axis 0 but extent 0 in operand 0 axis 1");
    EXPECT_EQ(mismatch("i,i,i->", {{1}, {2}, {3}}, Dialect::NumPy),
              "einsum: label i has extent 2 in operand 1 axis 0 but extent 3 in operand 2 axis 0");
    EXPECT_EQ(mismatch("...,i...->...", {{4, 2}, {7, 3}}),
              "einsum: label ...[1] has extent 2 in operand 0 axis 1 but extent 3 in operand 1 axis 1");
}

TEST(Network, RefusesOperandsThatDoNotFit) {
    const auto invalid = [](std::string_view text, const Shapes& shapes) {
        return refusal(ErrorKind::InvalidArgument, text, shapes);
    };
    EXPECT_EQ(invalid("->", {}), "einsum: at least one operand is needed");
    EXPECT_EQ(invalid("i,j->", {{2}}), "einsum: subscripts name 2 operands but 1 are given");
    EXPECT_EQ(invalid("i->", {{2}, {2}}), "einsum: subscripts name 1 operands but 2 are given");
    EXPECT_EQ(invalid("i,ij->", {{2}, {2}}), "einsum: operand 1 has rank 1 but its subscripts name 2 axes");
    EXPECT_EQ(invalid("i->", {{2, 3}}), "einsum: operand 0 has rank 2 but its subscripts name 1 axis");
    EXPECT_EQ(invalid("i...j->...", {{2}}),
              "einsum: operand 0 has rank 1 but its subscripts name at least 2 axes");
    EXPECT_EQ(invalid("ij->", {{2, -3}}), "einsum: operand 0 axis 1 has negative extent -3");
}

/// Random operands over five labels and an ellipsis, some axes shrunk to 1: every axis must be accounted for,
/// and the result must have the extents the labels were given.
TEST(Network, RandomBroadcasts) {
    const auto seed = std::random_device{}();
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
    for (int round = 0; round < 200; ++round) {
        const std::vector<Index> extents{2, 3, 4, 5, 6}, covered{7, 8, 9};
        std::string terms = "abcde...";  // operand 0 has every label at full extent
        Shapes shapes{{2, 3, 4, 5, 6, 7, 8, 9}};
        for (int k = 1 + below(4); k > 0; --k) {
            Dims shape;
            terms += ",...";
            for (auto i = static_cast<std::size_t>(below(4)); i < covered.size(); ++i)
                shape.push_back(below(3) == 0 ? 1 : covered[i]);
            for (int rank = below(6); rank > 0; --rank) {
                const auto label = static_cast<std::size_t>(below(5));
                terms += static_cast<char>('a' + label);
                shape.push_back(below(3) == 0 ? 1 : extents[label]);
            }
            shapes.push_back(shape);
        }
        const auto n = network_of(terms + "->e...a", shapes, Dialect::NumPy);
        EXPECT_EQ(output_shape(n), (Dims{6, 7, 8, 9, 2})) << terms;
        for (std::size_t k = 0; k < shapes.size(); ++k) {
            Dims kept = shapes[k];
            for (std::size_t i = n.dropped_axes[k].size(); i-- > 0;) {
                EXPECT_EQ(kept[static_cast<std::size_t>(n.dropped_axes[k][i])], 1);
                kept.erase(static_cast<std::size_t>(n.dropped_axes[k][i]));
            }
            Dims labelled;
            for (const LabelId id : n.inputs[k]) labelled.push_back(n.extents[static_cast<std::size_t>(id)]);
            EXPECT_EQ(labelled, kept) << terms << " operand " << k;
        }
    }
}

}}  // namespace tenferro::tensor_network
