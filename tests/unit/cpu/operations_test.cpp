// What the conformance suite does not see of the CPU backend: large operands, accuracy, independence of the
// thread count, who owns results, and the text of errors.
#include <gtest/gtest.h>

#include <complex>
#include <cstring>
#include <limits>

#include "support/expect_error.hpp"
#include "support/random_layout.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/cpu/cpu_backend.hpp"

namespace tenferro { namespace {

using test::Draw;
using test::element;
using test::for_each_index;

TEST(Copy, LargeTransposesAndManyTinyAxes) {
    const auto backend = CpuBackend::with_threads(2);
    Draw draw(1);
    for (const Dims& shape :
         {Dims{100, 130, 7}, Dims(16, 2), Dims(9, 3), Dims{3, 70, 2, 70}, Dims{5000, 30}, Dims{2, 20000}}) {
        std::vector<double> values(static_cast<std::size_t>(element_count(shape, "t")));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
        const Tensor a = Tensor::from_data<double>(values, shape);
        for (int round = 0; round < 4; ++round) {
            const Dims perm = draw.permutation(shape.size());
            const Tensor b = backend->transpose_read(a, perm);
            Index n = 0, wrong = 0;
            const TensorRead view = a.read().transpose_view(perm);
            for_each_index(b.shape(), [&](const Dims& i) {
                wrong += b.data_as<double>()[n++] != element<double>(view, i);
            });
            EXPECT_EQ(wrong, 0) << list_text(shape) << " by " << list_text(perm);
        }
    }
}

TEST(ReduceSum, IsAccurateAndIndependentOfThreads) {
    const auto one = CpuBackend::with_threads(1), two = CpuBackend::with_threads(2);
    std::vector<float> values(1 << 22);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.1f + static_cast<float>(i % 7) * 1e-3f;
    double exact = 0;
    for (const float v : values) exact += v;
    for (const Dims& shape : {Dims{1 << 22}, Dims{1 << 11, 1 << 11}, Dims{4, 1 << 20}, Dims{1 << 20, 4}}) {
        const Tensor a = Tensor::from_data<float>(values, shape);
        for (Index axis = -1; axis < static_cast<Index>(shape.size()); ++axis) {
            Dims axes;
            for (Index k = 0; k < static_cast<Index>(shape.size()); ++k)
                if (axis < 0 || k == axis) axes.push_back(k);
            const Tensor x = one->reduce_sum_read(a, axes), y = two->reduce_sum_read(a, axes);
            EXPECT_EQ(std::memcmp(x.data(), y.data(), static_cast<std::size_t>(x.size()) * sizeof(float)), 0);
            double total = 0;
            for (Index i = 0; i < x.size(); ++i) total += x.data_as<float>()[i];
            // Pairwise: relative error below (22 + 16) eps; a running float sum would be off by about 1e-2.
            EXPECT_NEAR(total / exact, 1, 38 * 1.2e-7);
        }
    }
}

/// The largest relative error of running sums of positive values along `axis`.
template <class T>
double cumulative_error(CpuBackend& backend, const Dims& shape, Index axis, bool reverse) {
    std::vector<T> values(static_cast<std::size_t>(element_count(shape, "t")));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = T(static_cast<float>(0.1 + static_cast<double>(i % 7) * 1e-3));
    const Tensor sums = backend.cumulative_sum_read(Tensor::from_data<T>(values, shape), axis, reverse);
    const Index step = sums.read().strides()[axis], length = shape[axis];
    double worst = 0;
    for (Index line = 0; line < sums.size() / length; ++line) {
        const Index first = line % step + line / step * step * length;
        std::complex<double> exact = 0;
        for (Index k = 0; k < length; ++k) {
            const Index at = first + (reverse ? length - 1 - k : k) * step;
            exact += std::complex<double>(values[static_cast<std::size_t>(at)]);
            const std::complex<double> error = std::complex<double>(sums.data_as<T>()[at]) - exact;
            worst = std::max(worst, std::abs(error) / std::abs(exact));
        }
    }
    return worst;
}

/// Sums of some hundred terms at most are added plainly; a running float sum of 10^7 would be off by 9 %.
TEST(CumulativeSum, IsAccurateAtEveryLength) {
    const auto backend = CpuBackend::with_threads(2);
    for (const bool reverse : {false, true}) {
        EXPECT_LT((cumulative_error<float>(*backend, {10'000'000}, 0, reverse)), 2e-5);
        EXPECT_LT((cumulative_error<float>(*backend, {70, 100'000}, 1, reverse)), 2e-5);
        EXPECT_LT((cumulative_error<std::complex<float>>(*backend, {1'000'000, 2}, 0, reverse)), 2e-5);
        EXPECT_LT((cumulative_error<double>(*backend, {1'000'000}, 0, reverse)), 1e-13);
    }
}

/// Integers wrap, in whatever order they are added.
TEST(CumulativeSum, OfIntegersIsExact) {
    std::vector<std::int32_t> values(100'000, std::numeric_limits<std::int32_t>::max() / 3);
    const auto backend = CpuBackend::with_threads(1);
    const Tensor sums =
        backend->cumulative_sum_read(Tensor::from_data<std::int32_t>(values, Dims{100'000}), 0, false);
    std::uint32_t exact = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        exact += static_cast<std::uint32_t>(values[i]);
        ASSERT_EQ(static_cast<std::uint32_t>(sums.data_as<std::int32_t>()[i]), exact);
    }
}

TEST(Suffixes, UnsuffixedReusesUniquePoolMemory) {
    const auto backend = CpuBackend::with_threads(1);
    Tensor a = backend->zeros(DType::F64, Dims{8});
    const void* memory = a.data();
    Tensor sum = backend->add(std::move(a), backend->zeros(DType::F64, Dims{8}));
    EXPECT_EQ(sum.data(), memory);
    const Tensor alias = sum.share();
    const Tensor other = backend->conj(std::move(sum));
    EXPECT_NE(other.data(), memory) << "shared memory must not be overwritten";
}

TEST(Suffixes, IntoChecksItsTarget) {
    const auto backend = CpuBackend::with_threads(1);
    Tensor a = backend->zeros(DType::F64, Dims{2, 2}), out = backend->zeros(DType::F64, Dims{2, 3});
    EXPECT_ERROR(backend->add_into(a, a, out.write()), ShapeMismatch,
                 "add: out axis 1 has extent 3 but the result axis 1 has extent 2");
    EXPECT_ERROR(backend->add_into(a, a, a.write()), InvalidArgument, "add: out overlaps the memory of lhs");
    Tensor narrow = backend->zeros(DType::F32, Dims{2, 2});
    EXPECT_ERROR(backend->add_into(a, a, narrow.write()), DTypeMismatch,
                 "out has dtype f32 but the result has f64");
    const TensorWrite repeated(DType::F64, out.write().data(), Dims{2, 2}, Dims{1, 0});
    EXPECT_ERROR(backend->add_into(a, a, repeated), InvalidArgument, "elements may coincide");
}

TEST(Checks, DTypesAndShapes) {
    const auto backend = CpuBackend::with_threads(1);
    const Tensor f64 = backend->zeros(DType::F64, Dims{2}), f32 = backend->zeros(DType::F32, Dims{2}),
                 mask = backend->zeros(DType::Bool, Dims{2});
    EXPECT_ERROR((void)backend->add_read(f64, f32), DTypeMismatch, "add: lhs has dtype f64 but rhs has f32");
    EXPECT_ERROR((void)backend->mul_read(mask, mask), Unsupported, "mul: dtype bool is not supported");
    EXPECT_ERROR((void)backend->reduce_sum_read(f64, Dims{1}), AxisOutOfBounds,
                 "reduce_sum: reduced axis 1 is out of bounds for rank 1");
    EXPECT_ERROR((void)backend->reshape_read(f64, Dims{3}), ShapeMismatch,
                 "reshape: the operand of shape [2] has 2 elements");
    EXPECT_EQ(backend->to_contiguous_read(mask).dtype(), DType::Bool);
}

TEST(DotGeneral, ChecksEveryAxisRole) {
    const auto backend = CpuBackend::with_threads(1);
    const Tensor a = backend->zeros(DType::F64, Dims{2, 3}), b = backend->zeros(DType::F64, Dims{4, 2});
    EXPECT_ERROR((void)backend->dot_general_read(a, b, {{1}, {0}, {}, {}}), ShapeMismatch,
                 "dot_general: contracting lhs axis 1 has extent 3 but rhs axis 0 has extent 4");
    EXPECT_ERROR((void)backend->dot_general_read(a, b, {{0}, {1}, {0}, {1}}), AxisRoleConflict,
                 "lhs axis 0 is both");
    EXPECT_ERROR((void)backend->dot_general_read(a, b, {{0, 0}, {1, 1}, {}, {}}), DuplicateAxis,
                 "lhs contracting axis 0 is listed twice");
    EXPECT_ERROR((void)backend->dot_general_read(a, b, {{2}, {1}, {}, {}}), AxisOutOfBounds,
                 "lhs contracting axis 2");
    EXPECT_ERROR((void)backend->dot_general_read(a, b, {{0}, {}, {}, {}}), InvalidConfig,
                 "lhs has 1 contracting axes but rhs has 0");
    EXPECT_EQ(backend->dot_general_read(a, b, {{0}, {1}, {}, {}}).shape(), (Dims{3, 4}));
}

}}  // namespace tenferro
