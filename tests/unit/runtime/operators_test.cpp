// Operators on handles: how shapes broadcast, what numbers do to dtypes, axes counted from the end, and the
// functions made of them.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "support/expect_error.hpp"
#include "tenferro/api/evaluate.hpp"
#include "tenferro/tensor/creation.hpp"
#include "values.hpp"

namespace tenferro { namespace {

using C64 = std::complex<double>;
using test::random_tensor;

/// The element of `a` that broadcasts to `index` of the result, aligned at the last axis.
double broadcast_element(const Tensor& a, const Dims& index) {
    TensorRead view = a.read();
    const std::size_t skipped = index.size() - a.rank();
    for (std::size_t axis = skipped; axis < index.size(); ++axis)
        view = view.select_view(0, view.shape()[0] == 1 ? 0 : index[axis]);
    return view.item();
}

TEST(Operators, BroadcastLikeNumPyOnDrawnShapes) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (int trial = 0; trial < 200; ++trial) {
        Dims result(random() % 5);
        for (Index& extent : result) extent = random() % 4;
        const auto drawn = [&] {
            const std::size_t dropped = random() % (result.size() + 1);
            std::vector<Index> shape(result.begin() + dropped, result.end());
            for (Index& extent : shape) extent = random() % 3 == 0 ? 1 : extent;
            return random_tensor(shape, random());
        };
        const Tensor a = drawn(), b = drawn();
        const EagerTensor sum = eager(a.share()) - eager(b.share());
        const TracedTensor x = TracedTensor::input(DType::F64, a.shape()),
                           y = TracedTensor::input(DType::F64, b.shape());
        const Tensor traced = evaluate(x - y, {{x, a}, {y, b}});
        ASSERT_EQ(traced.shape(), sum.value().shape());
        const Dims& shape = traced.shape();
        if (traced.size() == 0) continue;
        Dims index(shape.size(), 0);
        for (Index n = 0; n < traced.size(); ++n) {
            const double wanted = broadcast_element(a, index) - broadcast_element(b, index);
            EXPECT_EQ(traced.data_as<double>()[n], wanted);
            EXPECT_EQ(sum.value().data_as<double>()[n], wanted);
            for (std::size_t axis = 0; axis < shape.size() && ++index[axis] == shape[axis]; ++axis)
                index[axis] = 0;
        }
    }
}

TEST(Operators, BroadcastsHaveDerivatives) {
    const EagerTensor a = parameter(random_tensor({2, 3}, 1)), row = parameter(random_tensor({3}, 2)),
                      column = parameter(random_tensor({2, 1}, 3));
    reduce_sum(a * row / (column + 2)).backward();
    for (Index j = 0; j < 3; ++j) {
        double slope = 0;
        for (Index i = 0; i < 2; ++i) slope += a.value()(i, j) / (column.value()(i, 0) + 2);
        EXPECT_NEAR(row.grad().value()(j), slope, 1e-14);
    }
    EXPECT_EQ(column.grad().value().shape(), (Dims{2, 1}));
}

TEST(Operators, UnknownExtentsAreNotTakenForOne) {
    const TracedTensor x = TracedTensor::input(DType::F64, {kAnyExtent, kAnyExtent}),
                       y = TracedTensor::input(DType::F64, {kAnyExtent});
    const TracedTensor sum = x + y;
    const Tensor wide = random_tensor({2, 3}, 1), three = random_tensor({3}, 2), one = random_tensor({1}, 3);
    EXPECT_EQ(evaluate(sum, {{x, wide}, {y, three}})(1, 2), wide(1, 2) + three(2));
    EXPECT_ERROR(static_cast<void>(evaluate(sum, {{x, wide}, {y, one}})), ShapeMismatch, "extent 1");
}

TEST(Operators, Refusals) {
    const EagerTensor a = eager(random_tensor({2, 3}, 1)), b = eager(random_tensor({2}, 1));
    EXPECT_ERROR(static_cast<void>(a + b), ShapeMismatch,
                 "lhs axis 1 has extent 3 but rhs axis 1 has extent 2");
    EXPECT_ERROR(static_cast<void>(maximum(a, b)), RankMismatch, "maximum");  // no operator: strict
    EXPECT_ERROR(static_cast<void>(a + eager(arange(3))), DTypeMismatch, "f64");
    EXPECT_ERROR(static_cast<void>(eager(arange(3)) + 3'000'000'000), InvalidArgument,
                 "3000000000 is no i32");
    EXPECT_ERROR(static_cast<void>(full_like(eager(arange(3)), 0.5)), InvalidArgument, "0.5 is no i32");
    EXPECT_ERROR(static_cast<void>(full_like(a, C64(0, 1))), InvalidArgument, "0+1i is no f64");
    EXPECT_ERROR(static_cast<void>(full_like(eager(arange(3)), std::nan(""))), InvalidArgument, "is no i32");
    EXPECT_ERROR(static_cast<void>(a + ~std::uint64_t{0}), InvalidArgument, "18446744073709551615 is no i64");
    EXPECT_ERROR(static_cast<void>(reduce_sum(a, {-3})), AxisOutOfBounds, "-3");
    EXPECT_ERROR(static_cast<void>(reduce_sum(a, {1, -1})), DuplicateAxis, "");
}

/// The dtype follows from the kind of number, on every dtype.
TEST(Operators, NumbersPromote) {
    using D = DType;
    struct Promotion {
        D tensor, integer, real, complex;
    };
    const Promotion table[] = {{D::F32, D::F32, D::F32, D::C32}, {D::F64, D::F64, D::F64, D::C64},
                               {D::C32, D::C32, D::C32, D::C32}, {D::C64, D::C64, D::C64, D::C64},
                               {D::I32, D::I32, D::F64, D::C64}, {D::I64, D::I64, D::F64, D::C64},
                               {D::Bool, D::I64, D::F64, D::C64}};
    for (const Promotion& row : table) {
        const EagerTensor a = eager(ones(row.tensor, {2}));
        EXPECT_EQ((a * 2).dtype(), row.integer);
        EXPECT_EQ((a * 2.0).dtype(), row.real);
        EXPECT_EQ((C64(2) * a).dtype(), row.complex);
        EXPECT_EQ((2 * a).value().at<C64>(1), C64(2));
        EXPECT_EQ((a * 2.0).value().at<C64>(1), C64(2));
        EXPECT_EQ((a * C64(0, 2)).value().at<C64>(1), C64(0, 2));
        const TracedTensor x = TracedTensor::input(row.tensor, {2});
        EXPECT_EQ((x * C64(2)).dtype(), row.complex);
    }
    EXPECT_EQ((eager(scalar(std::int64_t{7})) * 0.5).item(), 3.5);
    const std::int64_t large = (std::int64_t{1} << 62) + 1;  // exact: never by way of a double
    EXPECT_EQ((eager(scalar(std::int64_t{0})) + large).item<std::int64_t>(), large);
}

TEST(Operators, AxesFromTheEnd) {
    const Tensor t = random_tensor({2, 3, 4}, 7);
    const EagerTensor a = eager(t.share());
    const auto same = [](const EagerTensor& x, const EagerTensor& y) {
        return x.value().shape() == y.value().shape() &&
               test::values_of(x.value()) == test::values_of(y.value());
    };
    EXPECT_TRUE(same(reduce_max(a, {-1, 0}), reduce_max(a, {2, 0})));
    EXPECT_TRUE(same(transpose(a, {-1, 0, -2}), transpose(a, {2, 0, 1})));
    EXPECT_TRUE(same(transpose(a), transpose(a, {2, 1, 0})));
    EXPECT_TRUE(same(reverse(a, {-2}), reverse(a, {1})));
    EXPECT_TRUE(same(softmax(a, -1), softmax(a, 2)));
    EXPECT_TRUE(same(sort(a, -2), sort(a, 1)));
    EXPECT_TRUE(same(cumulative_sum(a, -3), cumulative_sum(a, 0)));
    EXPECT_TRUE(same(concatenate({a, a}, -1), concatenate({a, a}, 2)));
    EXPECT_EQ(argmax(a, -1).value().shape(), (Dims{2, 3}));
    EXPECT_EQ(reduce_sum(a, {0, -1}, keepdims).value().shape(), (Dims{1, 3, 1}));
}

TEST(Operators, AveragesOfUnknownExtents) {
    const TracedTensor x = TracedTensor::input(DType::F64, {kAnyExtent, 2});
    const TracedTensor average = mean(x), slope = grad(average, x);
    for (const Index samples : {1, 5}) {
        const Tensor values = random_tensor({samples, 2}, 3);
        const std::vector<double> all = test::values_of(values);
        const double sum = std::accumulate(all.begin(), all.end(), 0.0);
        EXPECT_NEAR(evaluate(average, {{x, values}}).item(), sum / static_cast<double>(all.size()), 1e-15);
        EXPECT_NEAR(evaluate(slope, {{x, values}})(0, 1), 1 / static_cast<double>(all.size()), 1e-15);
    }
    EXPECT_TRUE(std::isnan(evaluate(average, {{x, Tensor::zeros(DType::F64, {0, 2})}}).item()));
}

TEST(Operators, ConstantArraysAreStridedViewsOfEveryDtype) {
    for (const DTypeInfo& row : kDTypes) {
        const Tensor unit = eye(row.dtype, 2, 3);
        const TracedTensor constant = TracedTensor::constant(unit.read().transpose_view({1, 0}));
        const Tensor back = evaluate(constant, {});
        EXPECT_EQ(back.dtype(), row.dtype);
        EXPECT_EQ(back.shape(), (Dims{3, 2}));
        EXPECT_EQ(back.at<C64>(1, 1), C64(1));
    }
    EXPECT_EQ(evaluate(TracedTensor::constant(Tensor::zeros(DType::F32, {0, 3})), {}).shape(), (Dims{0, 3}));
    EXPECT_EQ(evaluate(TracedTensor::constant(scalar(2.5)), {}).item(), 2.5);
}

}}  // namespace tenferro
