// Tensors made from rules and braced lists, their elements one by one, and what a move leaves behind.
#include "tenferro/tensor/creation.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "support/expect_error.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/tensor/operand.hpp"

namespace tenferro { namespace {

using Complex = std::complex<double>;

TEST(Creation, FromBracedLists) {
    const Tensor a = Tensor::from_data<double>({1, 2, 3, 4}, {2, 2});
    EXPECT_EQ(a(0, 1), 3);
    EXPECT_EQ(a(1, 0), 2);
    EXPECT_EQ(Tensor::from_data<Complex>({Complex(1, 2)}, {}).item<Complex>(), Complex(1, 2));
    EXPECT_EQ(Tensor::from_data<float>({}, {3, 0}).shape(), (Dims{3, 0}));
    EXPECT_EQ(Tensor::zeros(DType::F64, {2, 3}).shape(), (Dims{2, 3}));
    const std::array<std::int64_t, 1> array{7};
    EXPECT_EQ(Tensor::from_data<std::int64_t>({array.data(), 1}, {1}).item(), 7);  // a pointer and a count
    EXPECT_EQ((TypedTensor<double, 1>::from_data({1, 2}, {2})(1)), 2);
    EXPECT_EQ(a.read().transpose_view({1, 0})(0, 1), 2);
}

TEST(Creation, RulesOnEveryDtype) {
    for (const DTypeInfo& row : kDTypes) {
        const Tensor unit = ones(row.dtype, {2, 3}), identity = eye(row.dtype, 2, 3);
        for (Index i = 0; i < 2; ++i)
            for (Index j = 0; j < 3; ++j) {
                if (row.dtype == DType::C32 || row.dtype == DType::C64) {
                    EXPECT_EQ(unit.at<Complex>(i, j), Complex(1));
                    EXPECT_EQ(identity.at<Complex>(i, j), Complex(i == j ? 1 : 0));
                } else {
                    EXPECT_EQ(unit(i, j), 1) << row.name;
                    EXPECT_EQ(identity(i, j), i == j ? 1 : 0) << row.name;
                }
            }
        EXPECT_EQ(ones(row.dtype, {}).rank(), 0u);
        EXPECT_EQ(ones(row.dtype, {Index{1} << 40, 0}).size(), 0);
    }
    EXPECT_EQ(full({2, 2}, 1.5)(1, 1), 1.5);
    EXPECT_EQ(full(Dims(30, 1), 2.f).item(), 2);
    EXPECT_EQ(scalar(2).dtype(), DType::I32);
    EXPECT_EQ(scalar(2.5).item(), 2.5);
    EXPECT_EQ(scalar(true).item<bool>(), true);
    EXPECT_EQ(eye(DType::F64, 0).size(), 0);
    EXPECT_ERROR(static_cast<void>(ones(DType::F64, {2, -1})), InvalidArgument, "-1");
}

TEST(Creation, Arange) {
    const Tensor quarters = arange(0., 1., 0.25);
    EXPECT_EQ(quarters.shape(), Dims{4});
    EXPECT_EQ(quarters(3), 0.75);
    EXPECT_EQ(arange(5).dtype(), DType::I32);
    EXPECT_EQ(arange(5)(-1), 4);
    EXPECT_EQ(arange(5, 0, -2).shape(), Dims{3});
    EXPECT_EQ(arange(5, 0, -2)(2), 1);
    EXPECT_EQ(arange(3, 3).size(), 0);
    EXPECT_EQ(arange(1.f, 0.f).size(), 0);
    constexpr auto kLeast = std::numeric_limits<std::int64_t>::min(),
                   kMost = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(arange(kLeast, kMost, kMost).shape(), Dims{3});
    EXPECT_EQ(arange(kMost, kLeast, kLeast).at<std::int64_t>(1), -1);
    EXPECT_ERROR(static_cast<void>(arange(kLeast, kMost)), InvalidArgument, "does not fit into 64 bits");
    EXPECT_ERROR(static_cast<void>(arange(0., 1., 0.)), InvalidArgument, "step is 0");
    EXPECT_ERROR(static_cast<void>(arange(0., 1. / 0., 1.)), InvalidArgument, "must be finite");
    EXPECT_ERROR(static_cast<void>(arange(0., 1e300, 1e-300)), InvalidArgument, "does not fit into 64 bits");
}

TEST(Element, ReadsStridedViewsOfAnyRank) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (std::size_t rank = 0; rank <= 30; ++rank) {
        Dims shape(rank, 1);
        for (std::size_t axis = 0; axis < rank; axis += 5) shape[axis] = 1 + static_cast<Index>(random() % 3);
        const Tensor a = arange<std::int64_t>(element_count(shape, "test"));
        const TensorRead view = a.read().reshape_view(shape);
        TensorRead first = view, last = view;
        for (std::size_t axis = 0; axis < rank; ++axis) {
            last = last.select_view(0, shape[axis] - 1);
            first = first.reverse_view({0}).select_view(0, shape[axis] - 1);
        }
        EXPECT_EQ(first.item(), 0);
        EXPECT_EQ(last.item<std::int64_t>(), a.size() - 1);
    }
    const Tensor b = arange(24.);
    const TensorRead view = b.read().reshape_view({2, 3, 4}).transpose_view({2, 0, 1}).reverse_view({1});
    EXPECT_EQ(view(3, 0, 2), 1 + 2 * 2 + 6 * 3);
}

TEST(Element, Refusals) {
    const Tensor a = arange(6.), z = ones(DType::C64, {1});
    EXPECT_EQ(a.read().reshape_view({2, 3})(-1, -1), 5);
    EXPECT_ERROR(static_cast<void>(a(6)), InvalidArgument, "index 6 is out of range for axis 0 of extent 6");
    EXPECT_ERROR(static_cast<void>(a(-7)), InvalidArgument, "index -7 is out of range");
    EXPECT_ERROR(static_cast<void>(a(0, 0)), RankMismatch, "rank 1 but 2 indices");
    EXPECT_ERROR(static_cast<void>(a.item()), ShapeMismatch, "shape [6] has 6 elements, not 1");
    EXPECT_ERROR(static_cast<void>(z.item()), DTypeMismatch, "dtype c64 is not always a f64");
    EXPECT_ERROR(static_cast<void>(a.at<float>(0)), DTypeMismatch, "dtype f64 is not always a f32");
    EXPECT_EQ(a.at<Complex>(2), Complex(2));
}

TEST(Operands, KeepTemporaries) {
    const Tensor x = arange(3.);
    const Operands list{x, scalar(2.), x.read(), TypedTensor<double>::zeros({2})};
    const std::vector<TensorRead> read = views(list);
    EXPECT_EQ(read[0](2), 2);
    EXPECT_EQ(read[1].item(), 2);
    EXPECT_EQ(read[2].data(), x.data());
    std::vector<Operand> kept;
    kept.push_back(scalar(5.));
    kept.push_back(full({3}, 7.));
    EXPECT_EQ(kept[0].view().item(), 5);
    EXPECT_EQ(kept[1].view()(2), 7);
}

/// Everything that could look at what a move left behind.
TEST(Moved, IsEmptyAndRefused) {
    Tensor a = arange(4.);
    const Tensor b = std::move(a);
    EXPECT_EQ(b(3), 3);
    EXPECT_EQ(a.size(), 0);  // NOLINT(bugprone-use-after-move): that is the test
    EXPECT_EQ(a.read().data(), nullptr);
    EXPECT_ERROR(static_cast<void>(a.item()), InvalidArgument, "was moved from");
    EXPECT_ERROR(static_cast<void>(a.data_as<double>()), InvalidArgument, "was moved from");
    EXPECT_ERROR(static_cast<void>(a.duplicate()), InvalidArgument, "was moved from");
    EXPECT_ERROR(static_cast<void>(a.share()), InvalidArgument, "was moved from");
    CpuBackend backend;
    EXPECT_ERROR(static_cast<void>(backend.add_read(a, b)), InvalidArgument, "was moved from");
    EXPECT_ERROR(static_cast<void>(backend.exp_read(a)), InvalidArgument, "the operand was moved from");
    EXPECT_ERROR(static_cast<void>(backend.exp(std::move(a))), InvalidArgument, "was moved from");
    a = arange(2.);
    EXPECT_EQ(a(1), 1);
    Tensor& same = a;
    a = std::move(same);
    EXPECT_EQ(a(1), 1);
    Tensor wide = ones(DType::F64, Dims(30, 1));
    const Tensor taken = std::move(wide);
    EXPECT_EQ(wide.shape(), Dims{0});
    EXPECT_EQ(taken.rank(), 30u);
}

/// More than any machine has, less than overflows.
TEST(Memory, RunningOutNamesOperationAndBytes) {
    constexpr Index kVast = Index{1} << 56;
    const std::string bytes = std::to_string(kVast * 8) + " bytes cannot be allocated";
    EXPECT_ERROR(static_cast<void>(Tensor::zeros(DType::F64, {kVast})), OutOfMemory, "zeros: " + bytes);
    EXPECT_ERROR(static_cast<void>(ones(DType::F64, {kVast})), OutOfMemory, bytes);
    CpuBackend backend;
    const double one = 1;
    const TensorRead vast(DType::F64, &one, {kVast}, {0});
    EXPECT_ERROR(static_cast<void>(Tensor::copy_of(vast)), OutOfMemory, "duplicate: " + bytes);
    EXPECT_ERROR(static_cast<void>(backend.zeros(DType::F64, {kVast})), OutOfMemory, "zeros: " + bytes);
    EXPECT_ERROR(static_cast<void>(backend.add_read(vast, vast)), OutOfMemory, "add: " + bytes);
    EXPECT_ERROR(static_cast<void>(backend.exp_read(vast)), OutOfMemory, "exp: " + bytes);
    EXPECT_ERROR(static_cast<void>(backend.cumulative_sum_read(vast, 0, false)), OutOfMemory, bytes);
    EXPECT_ERROR(static_cast<void>(backend.broadcast_in_dim_read(scalar(1.), {kVast}, {})), OutOfMemory,
                 "broadcast_in_dim: " + bytes);
}

TEST(Memory, OverflowNamesOperationAndShape) {
    constexpr Index kMany = Index{1} << 31;
    CpuBackend backend;
    const double one = 1;
    const TensorRead row(DType::F64, &one, {kMany}, {0});
    const std::string bytes = ": the size in bytes of shape [2147483648, 2147483648] overflows";
    EXPECT_ERROR(static_cast<void>(backend.zeros(DType::F64, {kMany, kMany})), InvalidArgument,
                 "zeros" + bytes);
    EXPECT_ERROR(static_cast<void>(backend.empty(DType::F64, {kMany, kMany})), InvalidArgument,
                 "empty" + bytes);
    EXPECT_ERROR(static_cast<void>(backend.dot_general_read(row, row, {})), InvalidArgument,
                 "dot_general" + bytes);
    EXPECT_ERROR(static_cast<void>(backend.broadcast_in_dim_read(row, {kMany, kMany}, {0})), InvalidArgument,
                 "broadcast_in_dim" + bytes);
}

}}  // namespace tenferro
