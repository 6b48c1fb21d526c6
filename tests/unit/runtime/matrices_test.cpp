// Products of matrices with batch axes, and their transposes, on eager and traced tensors.
#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/api/evaluate.hpp"
#include "tenferro/tensor/creation.hpp"
#include "tenferro/testing/gradcheck.hpp"
#include "tenferro/testing/tolerance.hpp"
#include "values.hpp"

namespace tenferro { namespace {

using test::random_tensor;

/// The matrix of `a` (a vector if it has rank 1) at the batch index `at`, aligned at the last axis.
TensorRead matrix_at(const Tensor& a, const Dims& at) {
    TensorRead view = a.read();
    const std::size_t own = std::min<std::size_t>(a.rank(), 2);
    for (std::size_t i = 0; i < a.rank() - own; ++i) {  // the last axis first
        const std::size_t axis = a.rank() - 1 - i;
        view =
            view.select_view(static_cast<Index>(axis), view.shape()[axis] == 1 ? 0 : at[at.size() - 1 - i]);
    }
    return view;
}

double element(const TensorRead& matrix, Index i, Index k, bool vector_is_row) {
    const TensorRead line = matrix.rank() == 1 ? matrix : matrix.select_view(0, i);
    if (matrix.rank() == 1) return line.select_view(0, vector_is_row ? k : i).item();
    return line.select_view(0, k).item();
}

TEST(Matrices, ProductsAreThoseOfEachBatchIndex) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (int trial = 0; trial < 200; ++trial) {
        std::vector<Index> batch(random() % 4);
        for (Index& extent : batch) extent = 1 + static_cast<Index>(random() % 3);
        const Index m = random() % 4, k = random() % 4, n = random() % 4;
        const auto shape = [&](Index rows, Index columns, bool vector) {
            if (vector) return std::vector<Index>{k};
            std::vector<Index> extents{rows, columns};
            const std::size_t dropped = random() % (batch.size() + 1);
            for (std::size_t i = dropped; i < batch.size(); ++i)
                extents.push_back(random() % 3 == 0 ? 1 : batch[i]);
            return extents;
        };
        const bool left = random() % 5 == 0, right = random() % 5 == 0;
        const Tensor a = random_tensor(shape(m, k, left), random()),
                     b = random_tensor(shape(k, n, right), random());
        const Tensor product = matmul(eager(a.share()), eager(b.share())).value().share();
        const TracedTensor x = TracedTensor::input(DType::F64, std::vector<Index>(a.rank(), kAnyExtent)),
                           y = TracedTensor::input(DType::F64, b.shape());
        const TracedTensor fixed = TracedTensor::input(DType::F64, a.shape());
        EXPECT_EQ(evaluate(matmul(fixed, y), {{fixed, a}, {y, b}}).shape(), product.shape());
        const bool repeats = std::find(a.shape().begin(), a.shape().end(), 1) != a.shape().end();
        if (!repeats) {
            EXPECT_EQ(evaluate(matmul(x, y), {{x, a}, {y, b}}).shape(), product.shape());
        }

        Dims expected;
        if (!left) expected.push_back(m);
        if (!right) expected.push_back(n);
        const std::size_t own = expected.size();
        const std::size_t batches = std::max(a.rank() - std::min<std::size_t>(a.rank(), 2),
                                             b.rank() - std::min<std::size_t>(b.rank(), 2));
        for (std::size_t i = 0; i < batches; ++i) {
            const auto extent = [&](const Tensor& t) {
                const std::size_t after = batches - 1 - i;
                return after < t.rank() - std::min<std::size_t>(t.rank(), 2) ? t.shape()[t.rank() - 1 - after]
                                                                             : Index{1};
            };
            expected.push_back(extent(a) == 1 ? extent(b) : extent(a));
        }
        ASSERT_EQ(product.shape(), expected);

        Dims index(expected.size(), 0);
        for (Index position = 0; position < product.size(); ++position) {
            Dims at;
            for (std::size_t axis = own; axis < index.size(); ++axis) at.push_back(index[axis]);
            const TensorRead lhs = matrix_at(a, at), rhs = matrix_at(b, at);
            const Index row = left ? 0 : index[0], column = right ? 0 : index[own - 1];
            double sum = 0;
            for (Index i = 0; i < k; ++i) sum += element(lhs, row, i, true) * element(rhs, i, column, false);
            const double bound = testing::sum_tolerance<double>(static_cast<std::size_t>(k));
            EXPECT_NEAR(product.data_as<double>()[position], sum, bound);
            for (std::size_t axis = 0; axis < index.size() && ++index[axis] == expected[axis]; ++axis)
                index[axis] = 0;
        }
    }
}

TEST(Matrices, ProductsHaveDerivatives) {
    const gradcheck::Report report =
        gradcheck::check({.operands = {{.shape = {2, 3, 2}}, {.shape = {3, 2, 4, 2}}},
                          .function = [](auto x) { return std::vector{matmul(x[0], x[1])}; },
                          .other_shapes = {{1, 2, 3}, {2, 2, 2, 3}}},
                         default_engine().backend());
    EXPECT_EQ(report.text(), "");
}

TEST(Matrices, WhatIsRepeatedGetsTheSumOfItsGradients) {
    const EagerTensor a = parameter(random_tensor({2, 3, 1, 2}, 1)),
                      b = parameter(random_tensor({3, 4, 5, 1}, 2)),
                      weight = eager(random_tensor({2, 4, 5, 2}, 3));
    const std::vector<EagerTensor> at{a, b};
    const auto gradients = [&](const EagerTensor& x, const EagerTensor& y) {
        return grad(reduce_sum(matmul(x, y) * weight), at);
    };
    const auto repeated = [](const EagerTensor& x, const Dims& shape) {
        return x + eager(Tensor::zeros(DType::F64, shape));
    };
    const auto folded = gradients(a, b),
               wanted = gradients(repeated(a, {2, 3, 5, 2}), repeated(b, {3, 4, 5, 2}));
    for (std::size_t i = 0; i < at.size(); ++i) {
        ASSERT_EQ(folded[i].value().shape(), at[i].value().shape());
        for (Index k = 0; k < folded[i].value().size(); ++k)
            EXPECT_NEAR(folded[i].value().data_as<double>()[k], wanted[i].value().data_as<double>()[k],
                        testing::sum_tolerance<double>(4 * 5 * 2));
    }
}

TEST(Matrices, AdjointsAreConjugateTransposes) {
    using C64 = std::complex<double>;
    const Tensor z = Tensor::from_data<C64>({{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 6}}, {1, 2, 3});
    const Tensor h = adjoint(eager(z.share())).value().share();
    ASSERT_EQ(h.shape(), (Dims{2, 1, 3}));
    EXPECT_EQ(h.read().select_view(2, 2).select_view(1, 0).select_view(0, 1).item<C64>(), C64(6, -6));
    const EagerTensor x = eager(random_tensor({2, 3}, 1));
    EXPECT_EQ(adjoint(x).value()(2, 1), x.value()(1, 2));
    EXPECT_EQ(matrix_transpose(x).value().shape(), (Dims{3, 2}));
}

TEST(Matrices, Refusals) {
    const EagerTensor s = eager(scalar(1.)), v = eager(random_tensor({2}, 1)),
                      a = eager(random_tensor({2, 3, 4}, 1)), b = eager(random_tensor({3, 2, 5}, 1));
    EXPECT_ERROR((void)matmul(s, v), RankMismatch, "lhs has rank 0 and rhs has rank 1");
    EXPECT_ERROR((void)matmul(a, a), ShapeMismatch,
                 "contracting lhs axis 1 has extent 3 but rhs axis 0 has extent 2");
    EXPECT_ERROR((void)matmul(a, b), ShapeMismatch,
                 "batch lhs axis 2 has extent 4 but rhs axis 2 has extent 5");
    EXPECT_ERROR((void)adjoint(v), RankMismatch, "the operand has rank 1, not at least 2");
}

}}  // namespace tenferro
