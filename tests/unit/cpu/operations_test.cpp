// Every operation of the surface on drawn strided operands, against its definition written as an index loop; then the rules
// that all operations share: suffixes, checks, thread-count independence.
#include <gtest/gtest.h>

#include <cstring>

#include "support/expect_error.hpp"
#include "support/random_layout.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/cpu/cpu_backend.hpp"

namespace tenferro {
namespace {

using test::Draw;
using test::element;
using test::for_each_index;
using test::StridedSample;

template <class T>
class Operations : public ::testing::Test {
protected:
    std::unique_ptr<CpuBackend> backend = CpuBackend::with_threads(2);
};
using Arithmetic = ::testing::Types<float, double, std::complex<float>, std::complex<double>, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(Operations, Arithmetic);

Dims without(const Dims& dims, const Dims& axes) {
    Dims kept;
    for (std::size_t i = 0; i < dims.size(); ++i)
        if (std::find(axes.begin(), axes.end(), static_cast<Index>(i)) == axes.end()) kept.push_back(dims[i]);
    return kept;
}

TYPED_TEST(Operations, AddMulConj) {
    using T = TypeParam;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE(seed);
        Draw draw(seed);
        const Dims shape = draw.shape(static_cast<std::size_t>(draw.integer(0, 5)));
        const StridedSample<T> a(draw, shape), b(draw, shape);
        const Tensor sum = this->backend->add_read(a.view(), b.view());
        const Tensor product = this->backend->mul_read(a.view(), b.view());
        const Tensor conjugate = this->backend->conj_read(a.view());
        ASSERT_TRUE(sum.is_compact() && product.is_compact() && conjugate.is_compact());
        for_each_index(shape, [&](const Dims& i) {
            const T x = element<T>(a.view(), i), y = element<T>(b.view(), i);
            ASSERT_EQ(element<T>(sum, i), static_cast<T>(x + y));
            ASSERT_EQ(element<T>(product, i), static_cast<T>(x * y));
            if constexpr (std::is_floating_point_v<T> || std::is_integral_v<T>)
                ASSERT_EQ(element<T>(conjugate, i), x);
            else
                ASSERT_EQ(element<T>(conjugate, i), std::conj(x));
        });
    }
}

TYPED_TEST(Operations, ReduceSum) {
    using T = TypeParam;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE(seed);
        Draw draw(seed);
        const auto rank = static_cast<std::size_t>(draw.integer(0, 5));
        const Dims shape = draw.shape(rank, 0, seed % 3 == 0 ? 20 : 4);
        const StridedSample<T> a(draw, shape);
        Dims axes;
        for (const Index axis : draw.permutation(rank))
            if (draw.integer(0, 1)) axes.push_back(axis);
        const Tensor sum = this->backend->reduce_sum_read(a.view(), axes);
        const Dims kept = without(shape, axes);
        ASSERT_EQ(sum.shape(), kept);
        const Tensor expected = Tensor::zeros(storage_dtype<T>, kept);
        for_each_index(shape, [&](const Dims& i) { element<T>(expected, without(i, axes)) += element<T>(a.view(), i); });
        for_each_index(kept, [&](const Dims& i) { ASSERT_EQ(element<T>(sum, i), element<T>(expected, i)); });
    }
}

TYPED_TEST(Operations, Structural) {
    using T = TypeParam;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE(seed);
        Draw draw(seed);
        const auto rank = static_cast<std::size_t>(draw.integer(1, 5));
        Dims shape = draw.shape(rank);
        const Dims perm = draw.permutation(rank);
        const StridedSample<T> a(draw, shape);
        const Tensor transposed = this->backend->transpose_read(a.view(), perm);
        for_each_index(transposed.shape(), [&](const Dims& i) {
            Dims source(rank, 0);
            for (std::size_t k = 0; k < rank; ++k) source[perm[k]] = i[k];
            ASSERT_EQ(element<T>(transposed, i), element<T>(a.view(), source));
        });

        Dims wide = shape;
        wide.insert(static_cast<std::size_t>(draw.integer(0, static_cast<Index>(rank))), 3);
        const auto inserted =
            static_cast<std::size_t>(std::mismatch(shape.begin(), shape.end(), wide.begin()).first - shape.begin());
        Dims target;
        for (std::size_t k = 0; k < rank; ++k) target.push_back(static_cast<Index>(k < inserted ? k : k + 1));
        const Tensor broadcast = this->backend->broadcast_in_dim_read(a.view(), wide, target);
        for_each_index(wide, [&](const Dims& i) {
            Dims source = i;
            source.erase(inserted);
            ASSERT_EQ(element<T>(broadcast, i), element<T>(a.view(), source));
        });

        const Index first = draw.integer(0, static_cast<Index>(rank) - 1);
        const Index second = first + draw.integer(1, static_cast<Index>(rank) - first);
        const Tensor embedded = this->backend->embed_diagonal_read(a.view(), first, second);
        for_each_index(embedded.shape(), [&](const Dims& i) {
            Dims source = i;
            source.erase(static_cast<std::size_t>(second));
            ASSERT_EQ(element<T>(embedded, i), i[first] == i[second] ? element<T>(a.view(), source) : T{});
        });
        const Tensor back = this->backend->extract_diagonal_read(embedded, first, second);
        for_each_index(shape, [&](const Dims& i) { ASSERT_EQ(element<T>(back, i), element<T>(a.view(), i)); });

        const Tensor flat = this->backend->reshape_read(a.view(), Dims{a.view().size()});
        Index n = 0;
        for_each_index(shape, [&](const Dims& i) { ASSERT_EQ(element<T>(flat, Dims{n++}), element<T>(a.view(), i)); });
    }
}

TEST(Copy, LargeTransposesAndManyTinyAxes) {
    const auto backend = CpuBackend::with_threads(2);
    Draw draw(1);
    for (const Dims& shape : {Dims{100, 130, 7}, Dims(16, 2), Dims(9, 3), Dims{3, 70, 2, 70}, Dims{5000, 30}, Dims{2, 20000}}) {
        std::vector<double> values(static_cast<std::size_t>(element_count(shape, "t")));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
        const Tensor a = Tensor::from_data<double>(values, shape);
        for (int round = 0; round < 4; ++round) {
            const Dims perm = draw.permutation(shape.size());
            const Tensor b = backend->transpose_read(a, perm);
            Index n = 0, wrong = 0;
            const TensorRead view = a.read().transpose_view(perm);
            for_each_index(b.shape(), [&](const Dims& i) { wrong += b.data_as<double>()[n++] != element<double>(view, i); });
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
    EXPECT_ERROR(backend->add_into(a, a, narrow.write()), DTypeMismatch, "out has dtype f32 but the result has f64");
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
    EXPECT_ERROR((void)backend->reshape_read(f64, Dims{3}), ShapeMismatch, "reshape: shape [2] has 2 elements");
    EXPECT_EQ(backend->to_contiguous_read(mask).dtype(), DType::Bool);
}

TEST(DotGeneral, ChecksEveryAxisRole) {
    const auto backend = CpuBackend::with_threads(1);
    const Tensor a = backend->zeros(DType::F64, Dims{2, 3}), b = backend->zeros(DType::F64, Dims{4, 2});
    EXPECT_ERROR((void)backend->dot_general_read(a, b, {{1}, {0}, {}, {}}), ShapeMismatch,
                 "dot_general: contracting lhs axis 1 has extent 3 but rhs axis 0 has extent 4");
    EXPECT_ERROR((void)backend->dot_general_read(a, b, {{0}, {1}, {0}, {1}}), AxisRoleConflict, "lhs axis 0 is both");
    EXPECT_ERROR((void)backend->dot_general_read(a, b, {{0, 0}, {1, 1}, {}, {}}), DuplicateAxis,
                 "lhs contracting axis 0 is listed twice");
    EXPECT_ERROR((void)backend->dot_general_read(a, b, {{2}, {1}, {}, {}}), AxisOutOfBounds, "lhs contracting axis 2");
    EXPECT_ERROR((void)backend->dot_general_read(a, b, {{0}, {}, {}, {}}), InvalidConfig,
                 "lhs has 1 contracting axes but rhs has 0");
    EXPECT_EQ(backend->dot_general_read(a, b, {{0}, {1}, {}, {}}).shape(), (Dims{3, 4}));
}

}  // namespace
}  // namespace tenferro
