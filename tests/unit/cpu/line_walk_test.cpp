// The walk over lines on drawn layouts whose runs are longer and shorter than a block: permuted, reversed,
// stepped and repeated operands of one, two and three, each against the scalar functor at every index.
// Streaming copies at every alignment.
#include "cpu/kernels/elementwise/line_walk.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "cpu/kernels/movement/streaming.hpp"
#include "support/machines.hpp"
#include "support/random_layout.hpp"
#include "tenferro/tensor/elementwise.hpp"
#include "tenferro/tensor/fusion_plan.hpp"

namespace tenferro::cpu { namespace {

using test::Draw;
using test::element;
using test::for_each_index;
using test::StridedSample;

const Dims kSmallShapes[] = {{1000}, {5, 300}, {300, 5}, {70, 65}, {17, 2, 19, 3}, Dims(11, 2), {1}, {}};
const Dims kLargeShapes[] = {{40000}, {260, 130}, {7, 300, 17}, Dims(16, 2)};

/// A drawn view of `shape` with some axes that repeat one element.
template <class T>
class Operand {
public:
    Operand(Draw& draw, const Dims& shape) : sample_(draw, shape) {
        Dims strides = sample_.view().strides();
        for (std::size_t axis = 0; axis < strides.size(); ++axis)
            if (draw.integer(0, 3) == 0) strides[axis] = 0;
        view_.emplace_back(storage_dtype<T>, sample_.view().data(), shape, strides);
    }
    [[nodiscard]] const TensorRead& view() const { return view_[0]; }

private:
    StridedSample<T> sample_;
    std::vector<TensorRead> view_;
};

template <class T>
void expect_walks(Draw& draw, const Dims& shape, CpuContext& context) {
    const Operand<T> a(draw, shape), b(draw, shape);
    const Operand<bool> p(draw, shape);
    const StridedSample<T> sum(draw, shape), negative(draw, shape), chosen(draw, shape);
    map_lines(line_function(OpId::Neg, storage_dtype<T>), a.view(), negative.view(), context);
    map_lines(line_function(OpId::Sub, storage_dtype<T>), a.view(), b.view(), sum.view(), context, OpId::Sub);
    map_lines(line_function(OpId::Select, storage_dtype<T>), p.view(), a.view(), b.view(), chosen.view(),
              context);
    for_each_index(shape, [&](const Dims& i) {
        const T x = element<T>(a.view(), i), y = element<T>(b.view(), i);
        ASSERT_EQ(element<T>(negative.view(), i), elementwise::Neg{}(x));
        ASSERT_EQ(element<T>(sum.view(), i), elementwise::Sub{}(x, y));
        ASSERT_EQ(element<T>(chosen.view(), i), element<bool>(p.view(), i) ? x : y);
    });
}

TEST(LineWalk, EveryLayoutGivesWhatTheFunctorGives) {
    CpuContext context(2);
    for (std::uint64_t seed = 0; seed < 40; ++seed)
        for (const Dims& shape : kSmallShapes) {
            SCOPED_TRACE(::testing::Message() << "seed " << seed << ", rank " << shape.size());
            Draw draw(seed);
            expect_walks<float>(draw, shape, context);
            expect_walks<double>(draw, shape, context);
            expect_walks<std::complex<double>>(draw, shape, context);
            expect_walks<std::int32_t>(draw, shape, context);
        }
}

TEST(LineWalk, LargeTensorsAreWalkedInBlocks) {
    CpuContext context(2);
    for (std::uint64_t seed = 0; seed < 6; ++seed)
        for (const Dims& shape : kLargeShapes) {
            SCOPED_TRACE(::testing::Message() << "seed " << seed << ", rank " << shape.size());
            context.set_stream_bytes(seed % 2 == 0 ? testing::kSmallCaches : testing::kHugeCaches);
            Draw draw(seed);
            expect_walks<float>(draw, shape, context);
            expect_walks<double>(draw, shape, context);
            expect_walks<std::complex<double>>(draw, shape, context);
        }
}

TEST(LineWalk, LargeOutputsGoPastTheCaches) {
    constexpr Index kColumns = 3, kRows = (1 << 14) + 5;
    std::vector<double> a(static_cast<std::size_t>(kRows * kColumns)), b(a.size()), out(a.size() + 1, -1);
    for (std::size_t i = 0; i < a.size(); ++i)
        a[i] = static_cast<double>(i % 1000), b[i] = static_cast<double>(i % 77);
    const Dims shape{kRows, kColumns}, along{1, kRows}, across{kColumns, 1}, first{1, 0};
    const TensorRead x(DType::F64, a.data(), shape, along);
    for (const Dims& strides : {along, across, first})
        for (const Index threads : {1, 2})
            for (const std::size_t shift : {0u, 1u}) {
                CpuContext context(static_cast<int>(threads));
                context.set_stream_bytes(testing::kSmallCaches);
                const TensorRead y(DType::F64, b.data(), shape, strides);
                const TensorWrite z(DType::F64, out.data() + shift, shape, along);
                map_lines(line_function(OpId::Sub, DType::F64), x, y, z, context, OpId::Sub);
                for (Index i = 0; i < kRows; ++i)
                    for (Index j = 0; j < kColumns; ++j)
                        ASSERT_EQ(z.data_as<double>()[i + j * kRows],
                                  a[static_cast<std::size_t>(i + j * kRows)] -
                                      b[static_cast<std::size_t>(i * strides[0] + j * strides[1])]);
                map_lines(line_function(OpId::Sqrt, DType::F64), x, z, context, OpId::Sqrt);
                for (Index i = 0; i < kRows * kColumns; ++i)
                    ASSERT_EQ(z.data_as<double>()[i], std::sqrt(a[static_cast<std::size_t>(i)]));
                map_lines(line_function(OpId::Tanh, DType::F64), x, z, context, OpId::Tanh);
                std::vector<double> tanh(a.size());
                const void* const line[] = {a.data()};
                line_function(OpId::Tanh, DType::F64)(tanh.data(), line, kRows * kColumns);
                ASSERT_EQ(std::memcmp(z.data(), tanh.data(), sizeof(double) * tanh.size()), 0);
                EXPECT_EQ(out[shift == 0 ? a.size() : 0], -1);
                out.assign(out.size(), -1);
            }
}

/// a op b and b op a for doubles of `shape`, of which b is walked with `strides`; where `in_place`, a is the
/// output, too.
void expect_turned(const Dims& shape, const Dims& strides, OpId op, bool in_place) {
    const TensorRead layout(DType::F64, nullptr, shape, column_major_strides(shape));
    const auto size = static_cast<std::size_t>(layout.size());
    std::vector<double> a, b, expanded, out(size);
    for (std::size_t i = 0; i < size; ++i) {
        a.push_back(static_cast<double>(i % 1009) + 1);
        b.push_back(static_cast<double>(i % 811) + 2);
    }
    for_each_index(shape, [&](const Dims& i) {
        Index offset = 0;
        for (std::size_t axis = 0; axis < shape.size(); ++axis) offset += i[axis] * strides[axis];
        expanded.push_back(b[static_cast<std::size_t>(offset)]);
    });
    CpuContext context(2);
    const LineFunction line = line_function(op, DType::F64);
    for (const bool is_first : {true, false}) {
        std::vector<double> expected(size);
        const void* const in[] = {is_first ? a.data() : expanded.data(),
                                  is_first ? expanded.data() : a.data()};
        line(expected.data(), in, layout.size());
        out = a;
        const TensorWrite to(DType::F64, out.data(), shape, layout.strides());
        const TensorRead x(DType::F64, in_place ? out.data() : a.data(), shape, layout.strides()),
            y(DType::F64, b.data(), shape, strides);
        map_lines(line, is_first ? x : y, is_first ? y : x, to, context, op);
        ASSERT_EQ(out, expected) << info(op).name << ", " << (is_first ? "second" : "first") << " is turned";
    }
}

TEST(LineWalk, TurnedOperandsMayMeetTheirOutput) {
    for (const OpId op : {OpId::Sub, OpId::Div})
        for (const bool in_place : {true, false}) expect_turned({300, 200}, {200, 1}, op, in_place);
}

TEST(LineWalk, TurnedOperandsMayRepeatMoreThanIsCopied) {
    for (const OpId op : {OpId::Sub, OpId::Div}) expect_turned({3, 1100, 500}, {0, 500, 1}, op, false);
}

TEST(LineWalk, UndefinedIntegersAreFoundAnywhere) {
    CpuContext context(2);
    const LineTest test = definition_test(OpId::Div, DType::I64);
    ASSERT_NE(test, nullptr);
    EXPECT_EQ(definition_test(OpId::Add, DType::I64), nullptr);
    EXPECT_EQ(definition_test(OpId::Div, DType::F64), nullptr);
    for (const Index rows : {37, 370}) {
        constexpr Index kColumns = 53;
        std::vector<std::int64_t> values(static_cast<std::size_t>(rows * kColumns), 5);
        const TensorRead transposed(DType::I64, values.data(), Dims{rows, kColumns}, Dims{kColumns, 1});
        EXPECT_TRUE(test_lines(test, transposed, transposed, context));
        for (const std::size_t at : {0ul, 900ul, values.size() - 1}) {
            values[at] = 0;
            EXPECT_FALSE(test_lines(test, transposed, transposed, context))
                << at << " of " << rows << " rows";
            values[at] = 5;
        }
    }
}

TEST(LineWalk, EveryOperationHasALineWhereItIsDefined) {
    for (const OpInfo& op : kOps) {
        if (op.id > OpId::Clamp) continue;
        for (const DTypeInfo& dtype : kDTypes)
            EXPECT_EQ(line_function(op.id, dtype.dtype) != nullptr, op.dtypes.contains(dtype.dtype))
                << op.name << " " << dtype.name;
    }
}

/// Ordinary arguments next to those that vector functions treat apart.
template <class T>
void expect_no_influence_of_neighbours(OpId op) {
    constexpr T kHuge = std::numeric_limits<T>::max(), kNaN = std::numeric_limits<T>::quiet_NaN();
    constexpr T kInfinity = std::numeric_limits<T>::infinity(), kTiny = std::numeric_limits<T>::denorm_min();
    const T values[] = {T(0.7),    2,     -3,   T(0.1), kHuge, 11,   T(-0.3),   80,    -80,
                        kInfinity, 5,     300,  T(0.9), 1000,  3000, 1e6,       kTiny, -kInfinity,
                        T(-0.99),  12345, kNaN, 20,     -720,  1,    T(1.0e-9), 7};
    constexpr std::size_t kCount = std::size(values);
    const bool binary = elementwise_operands(op) == 2;
    const LineFunction line = line_function(op, storage_dtype<T>);
    T reversed[kCount], together[2 * kCount] = {};  // bytes of comparisons, or complex numbers
    std::reverse_copy(std::begin(values), std::end(values), reversed);
    const void* const in[] = {values, reversed};
    line(together, in, kCount);
    const DType result = binary ? elementwise::binary_result(op, storage_dtype<T>)
                                : elementwise::unary_result(op, storage_dtype<T>);
    const bool compares = result == DType::Bool;
    const std::size_t width = info(result).bytes;
    for (std::size_t i = 0; i < kCount; ++i) {
        T alone[2] = {};
        const void* const one[] = {values + i, reversed + i};
        line(alone, one, 1);
        const T expected = compares ? T(0) : together[i * width / sizeof(T)];
        if (width == sizeof(T) && expected != expected && alone[0] != alone[0]) continue;
        EXPECT_EQ(std::memcmp(alone, reinterpret_cast<const char*>(together) + i * width, width), 0)
            << info(op).name << " of " << values[i] << ": " << alone[0] << " alone, " << expected
            << " in the line";
    }
}

TEST(LineWalk, NeighboursChangeNoResult) {
    for (const OpInfo& op : kOps) {
        if (op.id >= OpId::Select) continue;
        expect_no_influence_of_neighbours<double>(op.id);
        expect_no_influence_of_neighbours<float>(op.id);
    }
}

TEST(LineStream, CopiesBytesAndNothingElse) {
    std::vector<std::byte> from(700), to(1000);
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 7 + 1);
    for (Index bytes : {0, 1, 63, 64, 65, 127, 128, 600})
        for (std::size_t offset = 0; offset < 64; ++offset) {
            std::fill(to.begin(), to.end(), std::byte{0});
            line_streamer()(to.data() + offset, from.data() + offset % 9, bytes);
            finish_streaming();
            const auto count = static_cast<std::size_t>(bytes);
            ASSERT_EQ(std::memcmp(to.data() + offset, from.data() + offset % 9, count), 0)
                << bytes << " " << offset;
            ASSERT_EQ(
                std::count(to.begin(), to.end(), std::byte{0}),
                static_cast<std::ptrdiff_t>(1000 - count) +
                    std::count(from.begin() + static_cast<std::ptrdiff_t>(offset % 9),
                               from.begin() + static_cast<std::ptrdiff_t>(offset % 9 + count), std::byte{0}));
        }
}

}}  // namespace tenferro::cpu
