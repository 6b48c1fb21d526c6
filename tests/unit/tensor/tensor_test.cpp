// Tensors, typed tensors and the view algebra.
#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "support/random_layout.hpp"
#include "tenferro/tensor/typed_tensor.hpp"
#include "tensor/system_memory.hpp"

namespace tenferro {
namespace {

Tensor iota(const Dims& shape) {
    std::vector<double> values(static_cast<std::size_t>(element_count(shape, "iota")));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
    return Tensor::from_data<double>(values, shape);
}

TEST(Tensor, LargeOnesBeginOnHugePages) {
    for (const std::size_t count : {kHugePage / 8, 3 * kHugePage / 8 + 5})
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(
                      Tensor::zeros(DType::F64, Dims{static_cast<Index>(count)}).data()) %
                      kHugePage,
                  kAlignment);
}

TEST(Tensor, ConstructionChecksSizes) {
    const Tensor t = Tensor::from_data<double>(std::vector<double>{1, 2, 3, 4, 5, 6}, Dims{2, 3});
    EXPECT_EQ(t.strides(), (Dims{1, 2}));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(t.data()) % 64, 0u);
    EXPECT_ERROR((void)Tensor::from_data<double>(std::vector<double>(5), Dims{2, 3}), ShapeMismatch,
                 "from_data: data has 5 elements but shape [2, 3] needs 6");
    EXPECT_ERROR((void)Tensor::zeros(DType::F64, Dims{Index{1} << 40, Index{1} << 40}), InvalidArgument,
                 "overflows");
    EXPECT_ERROR((void)t.data_as<float>(), DTypeMismatch, "elements are f64 but f32 was asked for");
}

TEST(Tensor, RankZeroAndZeroExtents) {
    const Tensor scalar = Tensor::from_data<double>(std::vector<double>{7}, Dims{});
    EXPECT_EQ(scalar.size(), 1);
    EXPECT_EQ(*scalar.data_as<double>(), 7);
    const Tensor none = Tensor::zeros(DType::C64, Dims{3, 0, 2});
    EXPECT_EQ(none.size(), 0);
    EXPECT_EQ(none.duplicate().shape(), (Dims{3, 0, 2}));
}

TEST(Tensor, DuplicateIsDeepShareIsNot) {
    Tensor t = iota({2, 2});
    const Tensor copy = t.duplicate(), alias = t.share();
    t.write().data_as<double>()[0] = 42;
    EXPECT_EQ(*copy.data_as<double>(), 0);
    EXPECT_EQ(*alias.data_as<double>(), 42);
    EXPECT_FALSE(t.reusable());
}

TEST(Tensor, DuplicateOfAStridedTensorIsCompactInItsAxisOrder) {
    const Tensor t = iota({2, 3, 4});
    const Tensor strided = t.share_as(t.read().transpose_view(Dims{2, 0, 1}));
    const Tensor copy = strided.duplicate();
    EXPECT_TRUE(copy.is_compact());
    test::for_each_index(Dims{4, 2, 3}, [&](const Dims& i) {
        EXPECT_EQ(test::element<double>(copy, i), test::element<double>(t, Dims{i[1], i[2], i[0]}));
    });
}

TEST(Views, TransposeDiagonalSelectBroadcastReshape) {
    const Tensor t = iota({3, 3, 2});
    const TensorRead diagonal = t.read().diagonal_view(0, 1);
    EXPECT_EQ(diagonal.shape(), (Dims{3, 2}));
    test::for_each_index(diagonal.shape(), [&](const Dims& i) {
        EXPECT_EQ(test::element<double>(diagonal, i), test::element<double>(t, Dims{i[0], i[0], i[1]}));
    });
    const TensorRead row = t.read().select_view(1, 2);
    test::for_each_index(row.shape(), [&](const Dims& i) {
        EXPECT_EQ(test::element<double>(row, i), test::element<double>(t, Dims{i[0], 2, i[1]}));
    });
    const TensorRead wide = row.broadcast_view(Dims{2, 5, 3}, Dims{2, 0});
    test::for_each_index(wide.shape(), [&](const Dims& i) {
        EXPECT_EQ(test::element<double>(wide, i), test::element<double>(row, Dims{i[2], i[0]}));
    });
    EXPECT_EQ(t.read().reshape_view(Dims{9, 2}).strides(), (Dims{1, 9}));
}

TEST(Views, ErrorsNameAxesAndExtents) {
    const Tensor t = iota({2, 3});
    EXPECT_ERROR((void)t.read().diagonal_view(0, 1), ShapeMismatch,
                 "extract_diagonal: the operand's axis 0 has extent 2 but its axis 1 has extent 3");
    EXPECT_ERROR((void)t.read().select_view(1, 3), InvalidArgument,
                 "index 3 is out of range for axis 1 of extent 3");
    EXPECT_ERROR((void)t.read().transpose_view(Dims{0, 0}), DuplicateAxis,
                 "permutation axis 0 is listed twice");
    EXPECT_ERROR((void)t.read().broadcast_view(Dims{2, 4}, Dims{0, 1}), ShapeMismatch,
                 "operand axis 1 has extent 3 but result axis 1 has extent 4");
    EXPECT_ERROR((void)t.read().reshape_view(Dims{5}), ShapeMismatch, "shape [2, 3] has 6 elements");
    EXPECT_ERROR((void)t.read().transpose_view(Dims{1, 0}).reshape_view(Dims{6}), Unsupported, "not compact");
}

TEST(TypedTensor, ChecksTypeAndRankOnce) {
    const auto matrix = TypedTensor<double, 2>::from_data(std::vector<double>{1, 2, 3, 4, 5, 6}, Dims{2, 3});
    EXPECT_EQ(matrix(1, 2), 6);
    EXPECT_EQ(matrix.view()(0, 1), 3);
    EXPECT_ERROR((TypedTensor<float, 2>(Tensor::zeros(DType::F64, Dims{1, 1}))), DTypeMismatch,
                 "dtype is f64 but the type says f32");
    EXPECT_ERROR((TypedTensorView<double, 3>(matrix)), RankMismatch, "rank is 2 but the type says 3");
    const TypedTensor<double> dynamic(Tensor::zeros(DType::F64, Dims(24, 2)));
    EXPECT_EQ(dynamic.rank(), 24u);
}

struct Tropical {
    double value;
};

}  // namespace
template <>
struct StorageDType<Tropical> {
    static constexpr DType value = DType::F64;
};
namespace {

TEST(TypedTensor, ScalarsOfOthersUseOurStorage) {
    const TypedTensor<Tropical, 1> t(iota({3}));
    EXPECT_EQ(t(2).value, 2);
}

}  // namespace
}  // namespace tenferro
