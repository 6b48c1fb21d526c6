// Symbolic extents: the normal form against evaluation, text, substitution, errors, totality.
#include "tenferro/tensor_core/sym_dim.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <ostream>
#include <utility>
#include <vector>

#include "support/expect_error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {
inline void PrintTo(const SymDim& dim, std::ostream* out) { *out << dim.text(); }
}}  // namespace tenferro::TENFERRO_ABI

namespace tenferro { namespace {

constexpr Index kMost = std::numeric_limits<Index>::max();
constexpr Index kLeast = std::numeric_limits<Index>::min();

const SymDim a = SymDim::input(0, 0), b = SymDim::input(0, 1), c = SymDim::input(1, 0);

// Values of a, b and c.
struct Binding {
    Index a, b, c;
    Index operator()(DimSymbol symbol) const { return symbol.input == 1 ? c : symbol.axis == 1 ? b : a; }
};

Index at(const SymDim& dim, Binding values) { return dim.evaluate(values); }

TEST(SymDim, RearrangedPolynomialsAreEqual) {
    const std::pair<SymDim, SymDim> equal[] = {
        {a * 2 + b, b + a + a},
        {(a + b) * c, a * c + b * c},
        {(a + b) * (a - b), a * a - b * b},
        {a - a, 0},
        {0 * a, 0},
        {a - (a - 5), 5},
        {exact_div(a * b * 6, b * 2), 3 * a},
        {exact_div((a + b) * c, a + b), c},
        {exact_div(a * a - b * b, a - b), a + b},
        {exact_div(a * 4, 6), exact_div(a * 2, 3)},
        {exact_div(a * b, b * c), exact_div(a, c)},
        {exact_div(a, b - c), exact_div(0 - a, c - b)},
        {exact_div(6 * a + 4 * b, 2), 3 * a + 2 * b},
        {exact_div(SymDim(0), a), 0},
        {min(a, min(b, 3)), min(min(SymDim(3), b), a)},
        {min(a, a), a},
        {min(a, min(a + 2, 7)), min(SymDim(7), a)},
        {max(a, max(a + 2, 7)), max(SymDim(7), a + 2)},
        {max(min(a, b), min(b, a)), min(a, b)},
        {min(SymDim(3), 5), 3},
        {max(SymDim(3), 5), 5},
        {exact_div(SymDim(kLeast), 2), kLeast / 2},
    };
    for (const auto& [left, right] : equal) {
        EXPECT_EQ(left, right);
        EXPECT_EQ(left.hash(), right.hash()) << left.text();
        EXPECT_EQ(left.text(), right.text());
        EXPECT_EQ(left.constant(), right.constant());
    }
    const SymDim distinct[] = {0,
                               1,
                               a,
                               b,
                               c,
                               a + 1,
                               a * 2,
                               a * a,
                               a * b,
                               a + b,
                               a - b,
                               min(a, b),
                               max(a, b),
                               min(a, c),
                               exact_div(a, b),
                               exact_div(b, a),
                               exact_div(a, 2),
                               exact_div(SymDim(7), 2),
                               exact_div(SymDim(1), 0),
                               min(a, 3),
                               SymDim(kMost) + 1};
    for (const SymDim& left : distinct)
        for (const SymDim& right : distinct)
            EXPECT_EQ(left == right, &left == &right) << left.text() << " and " << right.text();
}

TEST(SymDim, Text) {
    EXPECT_EQ(SymDim().text(), "0");
    EXPECT_EQ(SymDim(3).text(), "3");
    EXPECT_EQ((2 + b).text(), "n0_1 + 2");
    EXPECT_EQ(exact_div(a * b, 4).text(), "exact_div(n0_0 * n0_1, 4)");
    EXPECT_EQ((b - a * a - 3 * c).text(), "-n0_0^2 + n0_1 - 3 * n1_0");
    EXPECT_EQ(max(min(a, 4), b + 1).text(), "max(n0_1 + 1, min(4, n0_0))");
    EXPECT_EQ((kLeast * a).text(), "-9223372036854775808 * n0_0");
    EXPECT_EQ((SymDim(kMost) + 1).text(), "(9223372036854775807) + 1");
}

TEST(SymDim, EvaluationErrorsNameTheExpressionAndTheValues) {
    EXPECT_EQ(at(exact_div(a * b, 4), {2, 6, 0}), 3);
    EXPECT_ERROR(at(exact_div(a, 4) + b, {7, 1, 0}), InvalidConfig,
                 "evaluate: extent n0_1 + exact_div(n0_0, 4) divides 7 by 4 inexactly in exact_div(n0_0, 4) "
                 "for n0_0 = 7, n0_1 = 1");
    EXPECT_ERROR(at(exact_div(a, b - 2), {7, 2, 0}), InvalidConfig,
                 "divides 7 by 0 in exact_div(n0_0, n0_1 - 2) for n0_0 = 7");
    EXPECT_ERROR(at(a - b, {2, 5, 0}), InvalidConfig,
                 "evaluate: extent n0_0 - n0_1 is -3 for n0_0 = 2, n0_1 = 5");
    EXPECT_ERROR(at(SymDim(-1), {}), InvalidConfig, "evaluate: extent -1 is -1");
    EXPECT_ERROR(at(a * b, {kMost, 2, 0}), InvalidConfig,
                 "evaluate: extent n0_0 * n0_1 overflows for n0_0 = 9223372036854775807");
    EXPECT_ERROR(at(a + 1, {kMost, 0, 0}), InvalidConfig, "overflows");
    EXPECT_ERROR(at(exact_div(a * b * c, 7), {kMost, kMost, kMost}), InvalidConfig, "overflows");
    EXPECT_ERROR(at(a * a * a * a + b, {kMost, 1, 1}), InvalidConfig, "overflows");
    EXPECT_ERROR(at(exact_div(a * b, c), {kMost, kMost, 2}), InvalidConfig,
                 "divides 85070591730234615847396907784232501249 by 2");
    EXPECT_ERROR(at(exact_div(SymDim(1), 0), {}), InvalidConfig, "divides 1 by 0");
    EXPECT_ERROR(at(exact_div(SymDim(7), 2) + a, {}), InvalidConfig, "divides 7 by 2 inexactly");
    EXPECT_ERROR(at(a * exact_div(SymDim(7), 2), {0, 0, 0}), InvalidConfig, "divides 7 by 2 inexactly");
    EXPECT_ERROR(at(exact_div(SymDim(kLeast), -1), {}), InvalidConfig, "overflows");
}

TEST(SymDim, IntermediateValuesMayExceed64Bits) {
    EXPECT_EQ(at(exact_div(a * b, c), {kMost, kMost, kMost}), kMost);
    EXPECT_EQ(at((a - b) * c, {kMost, kMost - 1, kMost}), kMost);
    EXPECT_EQ(at(a * b * c, {kMost, kMost, 0}), 0);
    EXPECT_EQ(at(a * a * a * a * b, {kMost, 0, 0}), 0);
    EXPECT_EQ(at(SymDim(kMost) + 1 - 1, {}), kMost);
}

TEST(SymDim, BuildingIsTotal) {
    const SymDim most = kMost, least = kLeast;
    for (const SymDim& dim : {most + 1, most * most, SymDim(0) - least, least - 1, exact_div(least, -1),
                              most * a + a, most * (2 * a), least * (a * least), exact_div(a, 0),
                              exact_div(SymDim(0), 0), exact_div(least * a, least * b + 1)}) {
        EXPECT_FALSE(dim.constant()) << dim.text();
        EXPECT_EQ(dim - dim, 0) << dim.text();
        EXPECT_EQ(exact_div(dim * b, b), dim) << dim.text();
        EXPECT_ERROR(at(dim + most, {5, 3, 1}), InvalidConfig, "evaluate: ");
    }
    SymDim power = a, doubled = kMost, sum = 0, product = 1, large = 1;
    for (int i = 0; i < 60; ++i) {
        power = power * power;
        doubled = doubled + doubled;
        large = large * (a + b + i);
    }
    for (int i = 0; i < 400; ++i) {
        sum = sum + SymDim::input(static_cast<std::uint64_t>(i), 0);
        product = product * a;
    }
    EXPECT_EQ(at(power, {1, 0, 0}), 1);
    EXPECT_ERROR(at(power, {2, 0, 0}), InvalidConfig, "overflows");
    EXPECT_ERROR(at(doubled, {}), InvalidConfig, "overflows");
    EXPECT_EQ(at(large, {0, 0, 0}), 0);
    EXPECT_EQ(sum.symbols().size(), 400u);
    EXPECT_EQ(sum.evaluate([](DimSymbol symbol) { return static_cast<Index>(symbol.input); }), 399 * 200);
    EXPECT_EQ(at(product, {1, 0, 0}), 1);
    EXPECT_EQ(at(product, {0, 0, 0}), 0);
}

TEST(SymDim, SharedPartsAreVisitedOnce) {
    SymDim triangular = a;
    for (int i = 0; i < 60; ++i) triangular = exact_div(triangular * (triangular + 1), SymDim(2));
    EXPECT_EQ(at(triangular, {1, 0, 0}), 1);
    EXPECT_EQ(triangular.symbols().size(), 1u);
    EXPECT_EQ(triangular.substitute([](DimSymbol) -> SymDim { return 1; }), 1);
}

TEST(SymDim, Substitute) {
    const SymDim dim = exact_div(a * b, 4) + min(a, c);
    const auto values = [](DimSymbol symbol) {
        return symbol.input == 1 ? SymDim(5) : symbol.axis == 1 ? 8 * c : SymDim::input(0, 0);
    };
    EXPECT_EQ(dim.substitute(values), 2 * a * c + min(a, 5));
    EXPECT_EQ(dim.substitute([](DimSymbol) -> SymDim { return 4; }), 8);
    EXPECT_EQ(SymDim(3).substitute(values), 3);
    EXPECT_EQ((a - b).substitute([](DimSymbol) { return c; }), 0);
    EXPECT_EQ((SymDim(kMost) * a + a).substitute([](DimSymbol) -> SymDim { return 0; }), 0);
}

TEST(SymDim, SymbolsAreDistinctAndSorted) {
    EXPECT_EQ((c * a + exact_div(b, a)).symbols(), (std::vector<DimSymbol>{{0, 0}, {0, 1}, {1, 0}}));
    EXPECT_TRUE((a - a + 3).symbols().empty());
}

}}  // namespace tenferro
