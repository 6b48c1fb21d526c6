// Random expressions: the normal form evaluates to what the expression tree does, and rearranged trees have
// equal normal forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "tenferro/tensor_core/sym_dim.hpp"

namespace tenferro { namespace {

constexpr int kSymbols = 3;
using Values = std::array<Index, kSymbols>;

enum class Op { Number, Symbol, Add, Subtract, Multiply, ExactDiv, Min, Max };

struct Tree {
    Op op;
    Index leaf;  // the number, or which symbol
    std::shared_ptr<const Tree> left, right;
};
using TreeRef = std::shared_ptr<const Tree>;

class Generator {
public:
    explicit Generator(std::uint64_t seed) : engine_(seed) {}

    Index draw(Index low, Index high) { return std::uniform_int_distribution<Index>(low, high)(engine_); }

    TreeRef tree(int depth) {
        if (depth == 0 || draw(0, 7) == 0) {
            const bool number = draw(0, 2) == 0;
            return node(number ? Op::Number : Op::Symbol, number ? draw(-3, 6) : draw(0, kSymbols - 1));
        }
        const Op op = static_cast<Op>(draw(static_cast<Index>(Op::Add), static_cast<Index>(Op::Max)));
        const TreeRef left = tree(depth - 1), right = tree(depth - 1);
        // Half of the quotients are exact by construction; few others are.
        if (op == Op::ExactDiv && draw(0, 1)) return node(op, 0, node(Op::Multiply, 0, left, right), right);
        return node(op, 0, left, right);
    }

    // The same polynomial, written differently.
    TreeRef rearranged(const TreeRef& tree) {
        if (!tree->left) return tree;
        TreeRef left = rearranged(tree->left), right = rearranged(tree->right);
        const bool swap = draw(0, 1), other = draw(0, 1);
        switch (tree->op) {
            case Op::Subtract:
                if (!other) return node(Op::Subtract, 0, left, right);
                return rearranged_sum(node(Op::Multiply, 0, right, node(Op::Number, -1)), left, swap);
            case Op::ExactDiv: return node(Op::ExactDiv, 0, left, right);
            case Op::Multiply:
                if (other && (left->op == Op::Add || left->op == Op::Subtract))
                    return node(left->op, 0, node(Op::Multiply, 0, right, left->left),
                                node(Op::Multiply, 0, left->right, right));
                break;
            default: break;
        }
        // (x o y) o z = x o (y o z) for the four that commute and associate.
        if (other && left->op == tree->op)
            return node(tree->op, 0, left->left, node(tree->op, 0, right, left->right));
        return swap ? node(tree->op, 0, right, left) : node(tree->op, 0, left, right);
    }

private:
    static TreeRef node(Op op, Index leaf, TreeRef left = nullptr, TreeRef right = nullptr) {
        return std::make_shared<const Tree>(Tree{op, leaf, std::move(left), std::move(right)});
    }
    static TreeRef rearranged_sum(TreeRef x, TreeRef y, bool swap) {
        return swap ? node(Op::Add, 0, std::move(y), std::move(x))
                    : node(Op::Add, 0, std::move(x), std::move(y));
    }

    std::mt19937_64 engine_;
};

SymDim built(const Tree& tree) {
    if (tree.op == Op::Number) return tree.leaf;
    if (tree.op == Op::Symbol) return SymDim::input(static_cast<std::uint64_t>(tree.leaf), 1);
    const SymDim left = built(*tree.left), right = built(*tree.right);
    switch (tree.op) {
        case Op::Add: return left + right;
        case Op::Subtract: return left - right;
        case Op::Multiply: return left * right;
        case Op::ExactDiv: return exact_div(left, right);
        case Op::Min: return min(left, right);
        default: return max(left, right);
    }
}

// The value in plain integers, or nothing where a quotient in the tree has none. Drawn values are too small
// to overflow.
std::optional<Index> plain_value(const Tree& tree, const Values& values) {
    if (tree.op == Op::Number) return tree.leaf;
    if (tree.op == Op::Symbol) return values[static_cast<std::size_t>(tree.leaf)];
    const auto left = plain_value(*tree.left, values), right = plain_value(*tree.right, values);
    if (!left || !right) return std::nullopt;
    switch (tree.op) {
        case Op::Add: return *left + *right;
        case Op::Subtract: return *left - *right;
        case Op::Multiply: return *left * *right;
        case Op::ExactDiv:
            return *right == 0 || *left % *right != 0 ? std::nullopt : std::optional<Index>(*left / *right);
        case Op::Min: return std::min(*left, *right);
        default: return std::max(*left, *right);
    }
}

TEST(SymDimRandom, NormalFormsAgreeWithPlainIntegersAndWithRearrangedTrees) {
    const std::uint64_t seed = std::random_device{}();
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Generator generator(seed);
    int compared = 0, symbolic = 0;
    for (int round = 0; round < 4000; ++round) {
        const TreeRef tree = generator.tree(3), other = generator.rearranged(tree);
        const SymDim dim = built(*tree), again = built(*other);
        ASSERT_EQ(dim, again) << dim.text() << " and " << again.text();
        ASSERT_EQ(dim.hash(), again.hash()) << dim.text();
        ASSERT_EQ(dim.text(), again.text());
        ASSERT_EQ(dim - again, 0) << dim.text();
        symbolic += !dim.constant();
        for (int i = 0; i < 4; ++i) {
            const Values values{generator.draw(0, 6), generator.draw(0, 6), generator.draw(0, 6)};
            const auto expected = plain_value(*tree, values);
            if (!expected) continue;
            // Moved up, so that negative values can be seen as well.
            constexpr Index kShift = Index{1} << 40;
            const auto bindings = [&](DimSymbol symbol) { return values[symbol.input]; };
            ASSERT_EQ((dim + kShift).evaluate(bindings), *expected + kShift)
                << dim.text() << " at " << testing::PrintToString(values);
            const SymDim number =
                dim.substitute([&](DimSymbol symbol) -> SymDim { return values[symbol.input]; });
            ASSERT_EQ(number.constant(), expected) << dim.text();
            ++compared;
        }
    }
    EXPECT_GT(compared, 4000);
    EXPECT_GT(symbolic, 2000);
}

TEST(SymDimRandom, EqualExactlyWhereTheDifferenceIsZero) {
    const std::uint64_t seed = std::random_device{}();
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Generator generator(seed);
    std::vector<SymDim> dims;
    for (int i = 0; i < 200; ++i) dims.push_back(built(*generator.tree(2)));
    for (const SymDim& x : dims)
        for (const SymDim& y : dims) {
            ASSERT_EQ(x == y, x - y == 0) << x.text() << " and " << y.text();
            ASSERT_EQ(x == y, x.text() == y.text());
            ASSERT_EQ(x == y, x.hash() == y.hash()) << x.text() << " and " << y.text();
        }
}

}}  // namespace tenferro
