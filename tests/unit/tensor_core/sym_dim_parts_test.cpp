// Extents taken apart and put together again.
#include "tenferro/tensor_core/sym_dim_parts.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { namespace {

SymDim applied(DimOperator op, const SymDim& a, const SymDim& b) {
    switch (op) {
        case DimOperator::Sum: return a + b;
        case DimOperator::Product: return a * b;
        case DimOperator::ExactDiv: return exact_div(a, b);
        case DimOperator::Min: return min(a, b);
        default: return max(a, b);
    }
}

SymDim rebuilt(const SymDim& dim) {
    if (dim.constant()) return dim;
    const DimParts parts = parts_of(dim);
    if (parts.symbol) return SymDim::input(parts.symbol->input, parts.symbol->axis);
    SymDim result = rebuilt(parts.operands.at(0));
    for (std::size_t i = 1; i < parts.operands.size(); ++i)
        result = applied(parts.op, result, rebuilt(parts.operands[i]));
    return result;
}

TEST(SymDimParts, OfEachForm) {
    const SymDim m = SymDim::input(4, 1), n = SymDim::input(4, 2);
    EXPECT_EQ(parts_of(m).symbol, (DimSymbol{4, 1}));
    EXPECT_TRUE(parts_of(m).operands.empty());
    const auto expect = [](const SymDim& dim, DimOperator op, std::size_t operands) {
        const DimParts parts = parts_of(dim);
        EXPECT_FALSE(parts.symbol) << dim.text();
        EXPECT_EQ(parts.op, op) << dim.text();
        EXPECT_EQ(parts.operands.size(), operands) << dim.text();
        EXPECT_EQ(rebuilt(dim), dim) << dim.text();
    };
    expect(m + n + 3, DimOperator::Sum, 3);
    expect(m - n, DimOperator::Sum, 2);
    expect(m * n * n * 5, DimOperator::Product, 4);
    expect(SymDim(-1) * m, DimOperator::Product, 2);
    expect(exact_div(m + 1, n), DimOperator::ExactDiv, 2);
    expect(min(min(m, n), 7), DimOperator::Min, 3);
    expect(max(m * n, n + 2), DimOperator::Max, 2);
}

TEST(SymDimParts, PutTogetherAgainTheValueIsTheSame) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE(text("seed ", seed));
    std::mt19937 random(seed);
    for (int round = 0; round < 300; ++round) {
        std::vector<SymDim> pool{SymDim::input(0, 0), SymDim::input(0, 1), SymDim::input(1, 0), 2, 3};
        for (int i = 0; i < 12; ++i) {
            const SymDim &a = pool[random() % pool.size()], &b = pool[random() % pool.size()];
            pool.push_back(applied(static_cast<DimOperator>(random() % 5), a, b));
        }
        const SymDim again = rebuilt(pool.back());
        const auto bound = [&](DimSymbol symbol) {
            return static_cast<Index>(2 + symbol.input * 3 + symbol.axis);
        };
        std::optional<Index> value;
        try {
            value = pool.back().evaluate(bound);
        } catch (const Error&) {
            continue;  // no value, or too large
        }
        EXPECT_EQ(again.evaluate(bound), *value) << pool.back().text();
    }
}

TEST(SymDimParts, FactoredProductsStayFactored) {
    SymDim left = 1, right = 2;
    for (Index axis = 0; axis < 20; ++axis) {
        left = left + SymDim::input(0, axis);
        right = right + SymDim::input(1, axis);
    }
    const SymDim product = left * right * SymDim::input(2, 0) * 3;
    EXPECT_EQ(rebuilt(product), product);
    EXPECT_LT(product.text().size(), 600u);
}

}}  // namespace tenferro
