// Operations element by element on operands that have some of the axes of the result, in any order, against
// lines of the expanded operands: short and long first axes, parts of axes that are cut, rows that are
// computed together or with one number, results past the caches that begin anywhere in a cache line. Products
// also as contractions without a sum. All bits must be the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <complex>
#include <cstring>

#include "cpu/kernels/contraction/contract.hpp"
#include "cpu/kernels/elementwise/line_walk.hpp"
#include "support/machines.hpp"
#include "support/random_layout.hpp"
#include "support/sanitized.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::cpu { namespace {

using test::Draw;

/// An operand with axes `labels` of the result, compact in that order, and its elements where the result has
/// them.
template <class T>
struct Repeated {
    std::vector<T> memory, expanded;
    Dims labels, strides;  // the latter along the axes of the result

    Repeated(Draw& draw, const Dims& shape, Dims axes) : labels(std::move(axes)), strides(shape.size(), 0) {
        Index size = 1;
        for (const Index axis : labels) {
            strides[static_cast<std::size_t>(axis)] = size;
            size *= shape[static_cast<std::size_t>(axis)];
        }
        for (Index i = 0; i < size; ++i) memory.push_back(value(draw));
        test::for_each_index(shape, [&](const Dims& i) {
            Index offset = 0;
            for (std::size_t axis = 0; axis < shape.size(); ++axis) offset += i[axis] * strides[axis];
            expanded.push_back(memory[static_cast<std::size_t>(offset)]);
        });
    }

    [[nodiscard]] TensorRead view(const Dims& shape) const {
        return {storage_dtype<T>, memory.data(), shape, strides};
    }
    [[nodiscard]] bool has(Index axis) const {
        return std::find(labels.begin(), labels.end(), axis) != labels.end();
    }

private:
    static T value(Draw& draw) {
        const auto number = [&] { return static_cast<double>(draw.integer(1, 999)) / 7; };
        if constexpr (std::is_arithmetic_v<T>)
            return static_cast<T>(number());
        else
            return {static_cast<typename T::value_type>(number()),
                    static_cast<typename T::value_type>(-number())};
    }
};

/// Extents of together at most a few ten thousand elements.
Dims draw_shape(Draw& draw) {
    constexpr Index kFirst[] = {1, 2, 3, 5, 7, 12, 16, 31, 45, 64, 95, 300, 1000, 5000}, kMost = 60000;
    Dims shape{kFirst[draw.integer(0, 13)]};
    Index size = shape[0];
    for (Index axes = draw.integer(0, 3); axes > 0 && 2 * size < kMost; --axes) {
        constexpr Index kShort = 40;
        const Index longest = kMost / size;
        shape.push_back(draw.integer(2, draw.integer(0, 1) == 0 ? std::min(kShort, longest) : longest));
        size *= shape.back();
    }
    return shape;
}

/// Axes for both operands, in drawn orders; one of the operands has each axis, and where `all`, the first.
std::array<Dims, 2> draw_labels(Draw& draw, std::size_t rank, bool all) {
    std::array<Dims, 2> labels;
    for (const Index axis : draw.permutation(rank)) {
        const Index who = all ? draw.integer(1, 2) : draw.integer(0, 2);
        if (who != 0) labels[0].push_back(axis);
        if (who != 1) labels[1].push_back(axis);
    }
    if (draw.integer(0, 3) != 0)
        for (Dims& axes : labels) std::sort(axes.begin(), axes.end());
    return labels;
}

/// Runs `operation` on results that begin at and beside a cache line, complex ones also half an element
/// beside, for one thread and two, past the caches, in the third one and in near ones; in place of `start`,
/// where it is given.
template <class T, class F>
void expect_everywhere(const std::vector<T>& expected, const std::vector<T>& start, F&& operation) {
    constexpr std::size_t kBeside = 5 * sizeof(T);
    constexpr std::byte kUntouched{0xa5};
    const std::size_t bytes = expected.size() * sizeof(T);
    for (const int threads : {1, 2})
        for (const Index caches :
             {testing::kSmallCaches, 4 * static_cast<Index>(bytes), testing::kHugeCaches})
            for (const std::size_t shift : {std::size_t{0}, alignof(T), 4 * sizeof(T)}) {
                CpuContext context(threads);
                context.set_stream_bytes(caches);
                std::vector<std::byte> memory(bytes + kBeside, kUntouched);
                if (!start.empty()) std::memcpy(memory.data() + shift, start.data(), bytes);
                operation(reinterpret_cast<T*>(memory.data() + shift), context);
                ASSERT_EQ(std::memcmp(memory.data() + shift, expected.data(), bytes), 0)
                    << threads << " threads, caches of " << caches << " bytes, shifted by " << shift;
                for (std::size_t i = 0; i < memory.size(); ++i) {
                    if (i == shift) i += bytes;
                    ASSERT_EQ(memory[i], kUntouched) << "beside the result";
                }
            }
}

template <class T>
std::vector<T> expected_of(OpId op, const Repeated<T>& a, const Repeated<T>& b) {
    std::vector<T> expected(a.expanded.size());
    const void* const in[] = {a.expanded.data(), b.expanded.data()};
    line_function(op, storage_dtype<T>)(expected.data(), in, static_cast<Index>(expected.size()));
    return expected;
}

template <class T>
void expect_operations(const Dims& shape, const Repeated<T>& a, const Repeated<T>& b) {
    std::vector<OpId> ops{OpId::Add, OpId::Sub, OpId::Mul};
    if constexpr (std::is_floating_point_v<T>) ops.insert(ops.end(), {OpId::Div, OpId::Maximum, OpId::Pow});
    for (const OpId op : ops) {
        SCOPED_TRACE(info(op).name);
        const std::vector<T> expected = expected_of(op, a, b);
        const Dims compact = column_major_strides(shape);
        const LineFunction line = line_function(op, storage_dtype<T>);
        expect_everywhere<T>(expected, {}, [&](T* to, CpuContext& context) {
            const TensorWrite out(storage_dtype<T>, to, shape, compact);
            map_lines(line, a.view(shape), b.view(shape), out, context, op);
        });
        if (a.expanded.size() != a.memory.size() || a.memory != a.expanded) continue;
        expect_everywhere<T>(expected, a.memory, [&](T* to, CpuContext& context) {
            const TensorWrite out(storage_dtype<T>, to, shape, compact);
            map_lines(line, out, b.view(shape), out, context, op);
        });
    }
}

/// The same product as a contraction: axes of both are batches.
template <class T>
void expect_product(const Dims& shape, const Repeated<T>& a, const Repeated<T>& b) {
    const auto shape_of = [&](const Repeated<T>& operand) {
        Dims extents;
        for (const Index axis : operand.labels) extents.push_back(shape[static_cast<std::size_t>(axis)]);
        return extents;
    };
    const Dims a_shape = shape_of(a), b_shape = shape_of(b);
    DotGeneralConfig config;
    Dims order, out_shape, out_strides;
    for (std::size_t i = 0; i < a.labels.size(); ++i)
        if (!b.has(a.labels[i])) order.push_back(a.labels[i]);
    for (std::size_t i = 0; i < b.labels.size(); ++i)
        if (!a.has(b.labels[i])) order.push_back(b.labels[i]);
    for (std::size_t i = 0; i < a.labels.size(); ++i)
        for (std::size_t j = 0; j < b.labels.size(); ++j)
            if (a.labels[i] == b.labels[j]) {
                config.lhs_batch.push_back(static_cast<Index>(i));
                config.rhs_batch.push_back(static_cast<Index>(j));
                order.push_back(a.labels[i]);
            }
    for (const Index axis : order) {
        Index stride = 1;
        for (Index before = 0; before < axis; ++before) stride *= shape[static_cast<std::size_t>(before)];
        out_shape.push_back(shape[static_cast<std::size_t>(axis)]);
        out_strides.push_back(stride);
    }
    const std::vector<T> expected = expected_of(OpId::Mul, a, b);
    expect_everywhere<T>(expected, {}, [&](T* to, CpuContext& context) {
        contract(TensorRead(storage_dtype<T>, a.memory.data(), a_shape, column_major_strides(a_shape)),
                 TensorRead(storage_dtype<T>, b.memory.data(), b_shape, column_major_strides(b_shape)),
                 config, TensorWrite(storage_dtype<T>, to, out_shape, out_strides), context, nullptr);
    });
}

template <class T>
void expect_all(std::uint64_t first_seed, std::uint64_t seeds) {
    for (std::uint64_t seed = first_seed; seed < first_seed + seeds; ++seed) {
        Draw draw(seed);
        const Dims shape = draw_shape(draw);
        const auto labels = draw_labels(draw, shape.size(), seed % 2 == 0);
        const Repeated<T> a(draw, shape, labels[0]), b(draw, shape, labels[1]);
        SCOPED_TRACE(::testing::Message() << "seed " << seed << ", shape " << list_text(shape) << ", axes "
                                          << list_text(labels[0]) << " and " << list_text(labels[1]));
        expect_operations(shape, a, b);
        expect_operations(shape, b, a);
        expect_product(shape, a, b);
        if (::testing::Test::HasFatalFailure()) return;
    }
}

constexpr std::uint64_t kSeeds = test::kSanitized ? 6 : 100;

TEST(RepeatedOperands, Floats) { expect_all<float>(0, kSeeds); }
TEST(RepeatedOperands, Doubles) { expect_all<double>(1000, kSeeds); }
TEST(RepeatedOperands, ComplexFloats) { expect_all<std::complex<float>>(2000, kSeeds); }
TEST(RepeatedOperands, ComplexDoubles) { expect_all<std::complex<double>>(3000, kSeeds); }

TEST(RepeatedOperands, ShortIntegers) { expect_all<std::int32_t>(4000, kSeeds); }
TEST(RepeatedOperands, Integers) { expect_all<std::int64_t>(5000, kSeeds); }

}}  // namespace tenferro::cpu
