// Hand-written truth for the views and for the operations that move, reduce, index and order elements, on
// both backends: the reference backend could share a mistake with the fast one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/expect_error.hpp"
#include "support/not_finite.hpp"
#include "support/random_layout.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/reference/reference_backend.hpp"
#include "tenferro/tensor/typed_tensor.hpp"

namespace tenferro { namespace {

using test::kInf;
using test::kNaN;

template <class T = double>
Tensor make(const Dims& shape, const std::vector<T>& values) {
    return Tensor::from_data<T>(values, shape);
}
Tensor bools(const Dims& shape, const std::vector<int>& values) {
    Tensor t = Tensor::zeros(DType::Bool, shape);
    for (std::size_t i = 0; i < values.size(); ++i) t.write().data_as<bool>()[i] = values[i] != 0;
    return t;
}
/// Values 0, 1, 2, … in column-major order.
Tensor counting(const Dims& shape) {
    std::vector<double> values(static_cast<std::size_t>(element_count(shape, "counting")));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
    return make(shape, values);
}

/// Elements as doubles in column-major order.
std::vector<double> values(const TensorRead& view) {
    std::vector<double> list;
    visit_dtype(view.dtype(), [&]<class T> {
        if constexpr (std::is_arithmetic_v<T>)
            test::for_each_index(view.shape(), [&](const Dims& i) {
                list.push_back(static_cast<double>(test::element<T>(view, i)));
            });
    });
    return list;
}

void expect(const TensorRead& actual, const Dims& shape, const std::vector<double>& expected) {
    ASSERT_EQ(actual.shape(), shape);
    const std::vector<double> got = values(actual);
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_TRUE(got[i] == expected[i] || (std::isnan(got[i]) && std::isnan(expected[i])))
            << "element " << i << " is " << got[i] << ", not " << expected[i];
}

TEST(StructureViews, SliceCountsUpAndDown) {
    const Tensor t = counting({6});
    expect(t.read().slice_view(Dims{1}, Dims{6}, Dims{2}), {3}, {1, 3, 5});
    expect(t.read().slice_view(Dims{1}, Dims{5}, Dims{3}), {2}, {1, 4});
    expect(t.read().slice_view(Dims{5}, Dims{-1}, Dims{-1}), {6}, {5, 4, 3, 2, 1, 0});
    expect(t.read().slice_view(Dims{4}, Dims{0}, Dims{-2}), {2}, {4, 2});
    expect(t.read().slice_view(Dims{6}, Dims{6}, Dims{1}), {0}, {});
    constexpr Index kMost = std::numeric_limits<Index>::max(), kLeast = std::numeric_limits<Index>::min();
    expect(t.read().slice_view(Dims{2}, Dims{6}, Dims{kMost}), {1}, {2});
    expect(t.read().slice_view(Dims{2}, Dims{-1}, Dims{kLeast}), {1}, {2});
    EXPECT_ERROR((void)t.read().slice_view(Dims{1}, Dims{2}, Dims{0}), InvalidArgument,
                 "slice: axis 0 of extent 6 has step 0");
    EXPECT_ERROR((void)t.read().slice_view(Dims{1}, Dims{7}, Dims{1}), InvalidArgument,
                 "axis 0 of extent 6 has limit 7 and step 1, but needs it in [0, 6]");
    EXPECT_ERROR((void)t.read().slice_view(Dims{-1}, Dims{2}, Dims{1}), InvalidArgument,
                 "axis 0 of extent 6 has start -1 and step 1, but needs it in [0, 6]");
    EXPECT_ERROR((void)t.read().slice_view(Dims{6}, Dims{2}, Dims{-1}), InvalidArgument,
                 "axis 0 of extent 6 has start 6 and step -1, but needs it in [-1, 5]");
    EXPECT_ERROR((void)t.read().slice_view(Dims{4}, Dims{2}, Dims{1}), InvalidArgument,
                 "axis 0 of extent 6 has start 4 beyond limit 2 for step 1");
    EXPECT_ERROR((void)t.read().slice_view(Dims{}, Dims{2}, Dims{1}), RankMismatch,
                 "slice: starts has 0 entries but the operand has rank 1");
}

TEST(StructureViews, ReverseAndReshapeWherePossible) {
    const Tensor t = counting({2, 3});
    expect(t.read().reverse_view(Dims{1}), {2, 3}, {4, 5, 2, 3, 0, 1});
    EXPECT_ERROR((void)t.read().reverse_view(Dims{2}), AxisOutOfBounds, "reverse: reversed axis 2");
    const Tensor cube = counting({4, 3, 2});
    const TensorRead half =
        cube.read().slice_view(Dims{0, 0, 0}, Dims{4, 3, 2}, Dims{2, 1, 1});  // strides 2, 4, 12 still fuse
    expect(half.reshape_view(Dims{3, 4}), {3, 4}, {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22});
    const TensorRead gap = cube.read().slice_view(Dims{0, 0, 0}, Dims{3, 3, 2}, Dims{1, 1, 1});
    expect(gap.reshape_view(Dims{3, 1, 6}), {3, 1, 6},
           {0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 17, 18, 20, 21, 22});
    EXPECT_ERROR((void)gap.reshape_view(Dims{9, 2}), Unsupported,
                 "not compact column-major and has no view of shape [9, 2]");
    const TensorRead backwards = cube.read().reverse_view(Dims{0, 1, 2});
    expect(backwards.reshape_view(Dims{24}).slice_view(Dims{0}, Dims{3}, Dims{1}), {3}, {23, 22, 21});
}

TEST(StructureViews, TypedViewsKeepTheRank) {
    const auto cube = TypedTensor<double, 3>(counting({2, 2, 3}));
    const TypedTensorView<double, 3> moved = cube.view().transpose_view(Dims{2, 0, 1});
    EXPECT_EQ(moved(2, 1, 0), cube(1, 0, 2));
    const TypedTensorView<double, 2> diagonal = cube.view().diagonal_view(0, 1);
    EXPECT_EQ(diagonal(1, 2), cube(1, 1, 2));
    const TypedTensorView<double, 1> line = diagonal.select_view(0, 1);
    EXPECT_EQ(line(2), cube(1, 1, 2));
    const TypedTensorView<double, 2> wide = line.broadcast_view(std::array<Index, 2>{4, 3}, Dims{1});
    EXPECT_EQ(wide(3, 2), line(2));
    const TypedTensorView<double, 1> part = line.slice_view(Dims{2}, Dims{0}, Dims{-1});
    EXPECT_EQ(part(0), line(2));
    const TypedTensorView<double> dynamic(cube);
    EXPECT_EQ(dynamic.diagonal_view(0, 1).rank(), 2u);
    EXPECT_EQ(dynamic.reverse_view(Dims{2})(0, 0, 0), cube(0, 0, 2));
}

class Structure : public ::testing::TestWithParam<bool> {
protected:
    Structure() {
        if (GetParam())
            backend_ = CpuBackend::with_threads(2);
        else
            backend_ = std::make_unique<ReferenceBackend>();
    }
    TensorBackend& b() { return *backend_; }

private:
    std::unique_ptr<TensorBackend> backend_;
};
INSTANTIATE_TEST_SUITE_P(Backends, Structure, ::testing::Bool(),
                         [](const auto& param) { return param.param ? "cpu" : "reference"; });

TEST_P(Structure, DynamicSliceClampsItsStart) {
    const Tensor a = counting({4, 3});
    expect(b().dynamic_slice_read(a, make<std::int32_t>({2}, {1, 1}), Dims{2, 1}), {2, 1}, {5, 6});
    expect(b().dynamic_slice_read(a, make<std::int64_t>({2}, {9, -4}), Dims{2, 2}), {2, 2}, {2, 3, 6, 7});
    EXPECT_ERROR((void)b().dynamic_slice_read(a, make({2}, {0, 0}), Dims{1, 1}), DTypeMismatch,
                 "dynamic_slice: starts has dtype f64 but needs i32 or i64");
    EXPECT_ERROR((void)b().dynamic_slice_read(a, make<std::int64_t>({1}, {0}), Dims{1, 1}), ShapeMismatch,
                 "starts has shape [1] but the operand has rank 2");
    EXPECT_ERROR((void)b().dynamic_slice_read(a, make<std::int64_t>({2}, {0, 0}), Dims{1, 4}), ShapeMismatch,
                 "the part has extent 4 on axis 1 but the operand has 3");
}

TEST_P(Structure, DynamicUpdateSlice) {
    const Tensor update = make({2, 1}, {-1, -2}), starts = make<std::int64_t>({2}, {3, 1});
    expect(b().dynamic_update_slice_read(counting({4, 2}), update, starts), {4, 2},
           {0, 1, 2, 3, 4, 5, -1, -2});
    expect(b().dynamic_update_slice(counting({4, 2}), update.duplicate(), starts.duplicate()), {4, 2},
           {0, 1, 2, 3, 4, 5, -1, -2});
    EXPECT_ERROR((void)b().dynamic_update_slice_read(counting({4, 2}), bools({1, 1}, {1}), starts),
                 DTypeMismatch, "the operand has dtype f64 but update has bool");
}

TEST_P(Structure, PadEdgesInsideAndNegative) {
    const Tensor a = counting({3}), nine = make({}, {9});
    expect(b().pad_read(a, nine, {{1}, {2}, {1}}), {8}, {9, 0, 9, 1, 9, 2, 9, 9});
    expect(b().pad_read(a, nine, {{-1}, {-1}, {1}}), {3}, {9, 1, 9});
    expect(b().pad_read(a, nine, {{-2}, {0}, {1}}), {3}, {1, 9, 2});
    expect(b().pad_read(a, nine, {{2}, {-5}, {0}}), {0}, {});
    expect(b().pad_read(a, nine, {{4}, {-5}, {0}}), {2}, {9, 9});
    expect(b().pad_read(counting({0}), nine, {{1}, {1}, {3}}), {2}, {9, 9});
    EXPECT_ERROR((void)b().pad_read(a, nine, {{-2}, {-2}, {0}}), InvalidArgument,
                 "pad: axis 0 of extent 3 has low padding -2 and high padding -2, which leave -1 elements");
    EXPECT_ERROR((void)b().pad_read(a, nine, {{0}, {0}, {-1}}), InvalidArgument,
                 "axis 0 of extent 3 has interior padding -1 but needs at least 0");
    EXPECT_ERROR((void)b().pad_read(a, a, {{0}, {0}, {0}}), RankMismatch,
                 "value has shape [3] but must be a scalar");
    EXPECT_ERROR((void)b().pad_read(a, nine, {{0, 0}, {0}, {0}}), RankMismatch,
                 "low has 2 entries but the operand has rank 1");
}

TEST_P(Structure, ConcatenateReverseTriangles) {
    const Tensor a = counting({2, 1}), c = make({2, 2}, {10, 11, 12, 13});
    const std::vector<TensorRead> parts{a.read(), c.read()};
    expect(b().concatenate_read(parts, 1), {2, 3}, {0, 1, 10, 11, 12, 13});
    EXPECT_ERROR((void)b().concatenate_read(parts, 0), ShapeMismatch,
                 "concatenate: operand 0 axis 1 has extent 1 but operand 1 axis 1 has extent 2");
    EXPECT_ERROR((void)b().concatenate_read({}, 0), InvalidArgument, "there are 0 operands");
    expect(b().reverse_read(c, Dims{0}), {2, 2}, {11, 10, 13, 12});
    const Tensor m = make({2, 3}, {1, 2, 3, 4, 5, 6});
    expect(b().tril_read(m, 0), {2, 3}, {1, 2, 0, 4, 0, 0});
    expect(b().tril_read(m, 1), {2, 3}, {1, 2, 3, 4, 0, 6});
    expect(b().triu_read(m, 0), {2, 3}, {1, 0, 3, 4, 5, 6});
    expect(b().triu_read(m, 1), {2, 3}, {0, 0, 3, 0, 5, 6});
    expect(b().tril_read(m, -9), {2, 3}, {0, 0, 0, 0, 0, 0});
    expect(b().triu_read(m, std::numeric_limits<Index>::min()), {2, 3}, {1, 2, 3, 4, 5, 6});
    EXPECT_ERROR((void)b().tril_read(counting({3}), 0), RankMismatch,
                 "tril: the operand has rank 1 but needs 2 matrix axes");
}

// Short columns, long ones and very long ones, in one piece or not, alone and in batches of any rank.
TEST_P(Structure, TrianglesOfEverySize) {
    const auto bytes_of = [](const Tensor& x) { return static_cast<const unsigned char*>(x.data()); };
    for (const DTypeInfo& dtype : kDTypes)
        for (const Dims& shape :
             {Dims{31, 5}, Dims{33, 40}, Dims{70, 33, 2}, Dims{40, 3, 2, 2}, Dims{4100, 2}})
            for (const bool transposed : {false, true}) {
                const Index rows = shape[0], columns = shape[1];
                Tensor a = Tensor::zeros(dtype.dtype, shape);
                for (Index i = 0; i < a.size() * static_cast<Index>(dtype.bytes); ++i)
                    static_cast<unsigned char*>(a.write().data())[i] =
                        dtype.dtype == DType::Bool ? i % 3 != 0 : static_cast<unsigned char>(i % 7 + 60);
                Dims order;
                for (std::size_t axis = 0; axis < shape.size(); ++axis)
                    order.push_back(static_cast<Index>(axis));
                if (transposed) std::swap(order[0], order[1]);
                Tensor turned = Tensor::copy_of(a.read().transpose_view(order));
                const TensorRead given = turned.read().transpose_view(order);
                for (const Index k : {-35, -1, 0, 2, 50}) {
                    const Tensor lower = b().tril_read(given, k), upper = b().triu_read(given, k);
                    ASSERT_EQ(lower.shape(), shape);
                    const auto bytes = static_cast<Index>(dtype.bytes);
                    for (Index e = 0; e < a.size(); ++e) {
                        const Index row = e % rows, column = e / rows % columns;
                        for (Index byte = e * bytes; byte < (e + 1) * bytes; ++byte) {
                            const unsigned char whole = bytes_of(a)[byte];
                            ASSERT_EQ(bytes_of(lower)[byte], column - row <= k ? whole : 0);
                            ASSERT_EQ(bytes_of(upper)[byte], column - row >= k ? whole : 0);
                        }
                    }
                }
            }
}

TEST_P(Structure, ReductionsPropagateNanAndHaveIdentities) {
    const Tensor m = make({2, 3}, {1, -2, kNaN, 4, 5, 6});
    expect(b().reduce_max_read(m, Dims{0}), {3}, {1, kNaN, 6});
    expect(b().reduce_min_read(m, Dims{1}), {2}, {kNaN, -2});
    expect(b().reduce_prod_read(m, Dims{1}), {2}, {kNaN, -48});
    expect(b().reduce_max_read(m, Dims{}), {2, 3}, {1, -2, kNaN, 4, 5, 6});
    const Tensor none = counting({0, 2});
    expect(b().reduce_max_read(none, Dims{0}), {2}, {-kInf, -kInf});
    expect(b().reduce_min_read(none, Dims{0, 1}), {}, {kInf});
    expect(b().reduce_prod_read(none, Dims{0}), {2}, {1, 1});
    const Tensor ints = Tensor::zeros(DType::I32, Dims{0});
    expect(b().reduce_max_read(ints, Dims{0}), {}, {std::numeric_limits<std::int32_t>::min()});
    expect(b().reduce_min_read(ints, Dims{0}), {}, {std::numeric_limits<std::int32_t>::max()});
    const Tensor wrapped = make<std::int32_t>({2}, {1 << 30, 6});
    expect(b().reduce_prod_read(wrapped, Dims{0}), {}, {-2147483648.0});
    EXPECT_ERROR((void)b().reduce_max_read(Tensor::zeros(DType::C64, Dims{1}), Dims{0}), Unsupported,
                 "reduce_max: dtype c64 is not supported");
    EXPECT_ERROR((void)b().reduce_min_read(m, Dims{0, 0}), DuplicateAxis,
                 "reduce_min: reduced axis 0 is listed twice");
}

TEST_P(Structure, AnyAndAll) {
    const Tensor mask = bools({2, 3}, {0, 0, 0, 1, 1, 1});
    expect(b().reduce_any_read(mask, Dims{0}), {3}, {0, 1, 1});
    expect(b().reduce_all_read(mask, Dims{0}), {3}, {0, 0, 1});
    expect(b().reduce_any_read(bools({0}, {}), Dims{0}), {}, {0});
    expect(b().reduce_all_read(bools({0}, {}), Dims{0}), {}, {1});
    EXPECT_ERROR((void)b().reduce_any_read(counting({2}), Dims{0}), Unsupported,
                 "reduce_any: dtype f64 is not supported");
}

TEST_P(Structure, ArgExtremesTakeTheFirstAndNanWins) {
    const Tensor m = make({3, 3}, {1, 5, 5, 2, kNaN, kNaN, -1, -3, -3});
    expect(b().argmax_read(m, 0), {3}, {1, 1, 0});
    expect(b().argmin_read(m, 0), {3}, {0, 1, 1});
    EXPECT_EQ(b().argmax_read(m, 1).dtype(), DType::I64);
    expect(b().argmax_read(m, 1), {3}, {1, 1, 1});
    EXPECT_ERROR((void)b().argmax_read(counting({0, 2}), 0), InvalidArgument,
                 "argmax: axis 0 has extent 0 but needs at least 1");
    EXPECT_ERROR((void)b().argmin_read(m, 2), AxisOutOfBounds,
                 "argmin: reduced axis 2 is out of bounds for rank 2");
}

TEST_P(Structure, GatherClampsAndPlacesAxes) {
    const Tensor a = counting({3, 4});  // a(i, j) = i + 3 j
    const Tensor rows = make<std::int32_t>({2}, {2, 7});
    expect(b().gather_read(a, rows, {{1}, {0}, {0}, 1, {1, 4}}), {2, 4}, {2, 2, 5, 5, 8, 8, 11, 11});
    expect(b().gather_read(a, rows, {{0}, {0}, {0}, 1, {1, 4}}), {4, 2}, {2, 5, 8, 11, 2, 5, 8, 11});
    const Tensor corner = make<std::int64_t>({2}, {3, -1});  // start_index_map [1, 0]: column 3, row -1
    expect(b().gather_read(a, corner, {{0, 1}, {}, {1, 0}, 0, {2, 2}}), {2, 2}, {6, 7, 9, 10});
    EXPECT_ERROR((void)b().gather_read(a, rows, {{1}, {0}, {0, 1}, 1, {1, 4}}), ShapeMismatch,
                 "gather: start_index_map has 2 axes but indices axis 1 has extent 1");
    EXPECT_ERROR((void)b().gather_read(a, rows, {{1}, {0}, {0}, 2, {1, 4}}), AxisOutOfBounds,
                 "index_vector_dim 2 is out of bounds for indices of rank 1");
    EXPECT_ERROR((void)b().gather_read(a, rows, {{1}, {0}, {0}, 1, {2, 4}}), InvalidConfig,
                 "collapsed axis 0 has slice size 2 but must have 1");
    EXPECT_ERROR((void)b().gather_read(a, rows, {{1}, {0}, {0}, 1, {1, 5}}), ShapeMismatch,
                 "operand axis 1 has extent 4 but the window has 5");
    EXPECT_ERROR((void)b().gather_read(a, rows, {{1, 0}, {}, {0}, 1, {1, 4}}), InvalidConfig,
                 "offset_dims [1, 0] is not ascending");
    EXPECT_ERROR((void)b().gather_read(a, rows, {{}, {0}, {0}, 1, {1, 4}}), RankMismatch,
                 "offset_dims and collapsed_slice_dims have 0 and 1 axes but the operand has rank 2");
    EXPECT_ERROR((void)b().gather_read(a, counting({2}), {{1}, {0}, {0}, 1, {1, 4}}), DTypeMismatch,
                 "indices has dtype f64");
}

TEST_P(Structure, ScatterAddsAndDropsWindowsOutside) {
    const Tensor zero = Tensor::zeros(DType::F64, Dims{4});
    const Tensor at = make<std::int64_t>({4}, {1, 1, -1, 4});
    expect(b().scatter_add_read(zero, at, make({4}, {1, 2, 4, 8}), {{}, {0}, {0}, 1}), {4}, {0, 3, 0, 0});
    const Tensor pairs = make({2, 2}, {1, 2, 4, 8});  // windows of two; the second would reach past the end
    expect(b().scatter_add_read(zero, make<std::int32_t>({2}, {1, 3}), pairs, {{0}, {}, {0}, 1}), {4},
           {0, 1, 2, 0});
    EXPECT_ERROR((void)b().scatter_add_read(zero, at, counting({3}), {{}, {0}, {0}, 1}), ShapeMismatch,
                 "scatter_add: updates axis 0 has extent 3 but batch axis 0 of indices has extent 4");
    EXPECT_ERROR((void)b().scatter_add_read(zero, at, counting({5, 4}), {{0}, {}, {0}, 1}), ShapeMismatch,
                 "operand axis 0 has extent 4 but the window has 5");
    EXPECT_ERROR((void)b().scatter_add_read(zero, at, bools({4}, {}), {{}, {0}, {0}, 1}), DTypeMismatch,
                 "the operand has dtype f64 but updates has bool");
}

TEST_P(Structure, ScatterReplacesAndTheLastWindowStays) {
    const Tensor a = make({4}, {-1, -2, -3, -4});
    const Tensor at = make<std::int64_t>({4}, {1, 1, -1, 4});
    expect(b().scatter_read(a, at, make({4}, {1, 2, 4, 8}), {{}, {0}, {0}, 1}), {4}, {-1, 2, -3, -4});
    // Windows of two on an axis that is slower than the batch: the later window wins, not the later element.
    const Tensor pairs = make({2, 2}, {1, 2, 4, 8});
    expect(b().scatter_read(a, make<std::int32_t>({2}, {1, 2}), pairs, {{1}, {}, {0}, 1}), {4},
           {-1, 1, 2, 8});
    expect(b().scatter_read(a, make<std::int32_t>({2}, {1, 0}), pairs, {{1}, {}, {0}, 1}), {4},
           {2, 8, 4, -4});
    expect(b().scatter_read(bools({3}, {1, 0, 0}), make<std::int32_t>({2}, {0, 2}), bools({2}, {0, 1}),
                            {{}, {0}, {0}, 1}),
           {3}, {0, 0, 1});
    EXPECT_ERROR((void)b().scatter_read(a, at, counting({3}), {{}, {0}, {0}, 1}), ShapeMismatch,
                 "scatter: updates axis 0 has extent 3 but batch axis 0 of indices has extent 4");
    EXPECT_ERROR((void)b().scatter_read(a, counting({4}), counting({4}), {{}, {0}, {0}, 1}), DTypeMismatch,
                 "scatter: indices has dtype f64 but needs i32 or i64");
}

TEST_P(Structure, CumulativeSumSoftmaxSort) {
    const Tensor m = make({3, 2}, {1, 2, 3, 10, 20, 30});
    expect(b().cumulative_sum_read(m, 0, false), {3, 2}, {1, 3, 6, 10, 30, 60});
    expect(b().cumulative_sum_read(m, 0, true), {3, 2}, {6, 5, 3, 60, 50, 30});
    expect(b().cumulative_sum_read(m, 1, false), {3, 2}, {1, 2, 3, 11, 22, 33});
    expect(b().softmax_read(make({2, 2}, {1000, 1000, -kInf, 0}), 0), {2, 2}, {0.5, 0.5, 0, 1});
    expect(b().softmax_read(make({1}, {kNaN}), 0), {1}, {kNaN});
    EXPECT_ERROR((void)b().softmax_read(Tensor::zeros(DType::I32, Dims{1}), 0), Unsupported,
                 "softmax: dtype i32");
    const Tensor mixed = make({5}, {3, kNaN, -1, kInf, 3});
    expect(b().sort_read(mixed, 0, false), {5}, {-1, 3, 3, kInf, kNaN});
    expect(b().sort_read(mixed, 0, true), {5}, {kNaN, kInf, 3, 3, -1});
    const Tensor zeros = b().sort_read(make({3}, {0.0, -0.0, -1}), 0, false);
    EXPECT_FALSE(std::signbit(zeros.data_as<double>()[1]));  // stable: 0 came before -0
    EXPECT_TRUE(std::signbit(zeros.data_as<double>()[2]));
    EXPECT_ERROR((void)b().sort_read(counting({}), 0, false), AxisOutOfBounds,
                 "sort: operand axis 0 is out of bounds for rank 0");
}

/// As numpy.roll.
TEST_P(Structure, RollMovesUpAndAroundTheEnd) {
    const Tensor a = counting({5}), m = make({3, 2}, {1, 2, 3, 10, 20, 30});
    expect(b().roll_read(a, 2, 0), {5}, {3, 4, 0, 1, 2});
    expect(b().roll_read(a, -1, 0), {5}, {1, 2, 3, 4, 0});
    expect(b().roll_read(a, 12, 0), {5}, {3, 4, 0, 1, 2});
    expect(b().roll_read(a, -10, 0), {5}, {0, 1, 2, 3, 4});
    expect(b().roll_read(m, 1, 0), {3, 2}, {3, 1, 2, 30, 10, 20});
    expect(b().roll_read(m, 1, 1), {3, 2}, {10, 20, 30, 1, 2, 3});
    using Limits = std::numeric_limits<Index>;  // 2^63 is 3 modulo 5
    expect(b().roll_read(a, Limits::min(), 0), {5}, {3, 4, 0, 1, 2});
    expect(b().roll_read(a, Limits::max(), 0), {5}, {3, 4, 0, 1, 2});
    expect(b().roll_read(counting({0, 3}), 1, 0), {0, 3}, {});
    Tensor out = counting({5});
    b().roll_into(a.read().slice_view(Dims{4}, Dims{-1}, Dims{-1}), 1, 0, out.write());
    expect(out, {5}, {0, 4, 3, 2, 1});
    EXPECT_ERROR((void)b().roll_read(m, 1, 2), AxisOutOfBounds,
                 "roll: operand axis 2 is out of bounds for rank 2");
}

TEST_P(Structure, ResultsMayNotOverlapOperands) {
    Tensor a = counting({4});
    EXPECT_ERROR(b().reverse_into(a, Dims{0}, a.write()), InvalidArgument,
                 "reverse: out overlaps the memory of the operand");
    EXPECT_ERROR(b().sort_into(a, 0, false, a.write()), InvalidArgument,
                 "sort: out overlaps the memory of the operand");
    Tensor out = counting({3});
    EXPECT_ERROR(b().cumulative_sum_into(a, 0, false, out.write()), ShapeMismatch,
                 "cumulative_sum: out axis 0 has extent 3 but the result axis 0 has extent 4");
}

TEST(StructureThreads, ResultsDoNotDependOnThem) {
    test::Draw draw(7);
    std::vector<double> drawn(600 * 400);
    for (double& x : drawn) x = 1 + 1e-3 * static_cast<double>(draw.integer(-1000, 1000)) / 1000;
    const Tensor a = make({600, 400}, drawn);
    const auto one = CpuBackend::with_threads(1), four = CpuBackend::with_threads(4);
    for (const Dims& axes : {Dims{0}, Dims{1}, Dims{0, 1}})
        EXPECT_EQ(values(one->reduce_prod_read(a, axes)), values(four->reduce_prod_read(a, axes)));
    std::vector<std::int64_t> places(2000);
    for (std::int64_t& place : places) place = draw.integer(-2, 601);
    const Tensor rows = make<std::int64_t>({2000}, places);
    const GatherConfig windows{{1}, {0}, {0}, 1, {1, 400}};
    const Tensor gathered = four->gather_read(a, rows, windows);
    EXPECT_EQ(values(gathered), values(one->gather_read(a, rows, windows)));
    EXPECT_EQ(gathered.data_as<double>()[2000 * 399 + 5],
              drawn[static_cast<std::size_t>(std::clamp<Index>(places[5], 0, 599)) + 600 * 399]);
    for (const Index axis : {0, 1}) {
        EXPECT_EQ(values(one->cumulative_sum_read(a, axis, true)),
                  values(four->cumulative_sum_read(a, axis, true)));
        EXPECT_EQ(values(one->softmax_read(a, axis)), values(four->softmax_read(a, axis)));
        EXPECT_EQ(values(one->sort_read(a, axis, false)), values(four->sort_read(a, axis, false)));
        EXPECT_EQ(values(one->argmax_read(a, axis)), values(four->argmax_read(a, axis)));
    }
}

}}  // namespace tenferro
