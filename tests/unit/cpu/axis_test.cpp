// Running sums, softmax, sorting and places of extremes along every axis of layouts in every order, larger
// than a piece, against plain loops and the reference backend: values, and bits for several threads.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "support/instruction_sets.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/reference/reference_backend.hpp"
#include "unit/cpu/contract_support.hpp"

namespace tenferro::testing { namespace {

template <class T>
class AlongAxis : public ::testing::Test {
protected:
    const unsigned seed_ = std::random_device{}();
    Generator random_{seed_};
    ReferenceBackend reference_;
    std::unique_ptr<CpuBackend> one_ = CpuBackend::with_threads(1), three_ = CpuBackend::with_threads(3);

    template <class Result, class Expected, class Operation>
    void check(const Strided<T>& a, Index axis, double bound, const Expected& expect,
               const Operation& operation) {
        const Tensor expected = expect(reference_, a.read(), axis), one = operation(*one_, a.read(), axis),
                     three = operation(*three_, a.read(), axis);
        const auto size = static_cast<std::size_t>(expected.size());
        for (std::size_t i = 0; i < size; ++i)
            ASSERT_LE(std::abs(std::complex<double>(one.template data_as<Result>()[i]) -
                               std::complex<double>(expected.template data_as<Result>()[i])),
                      bound)
                << list_text(a.shape) << " strides " << list_text(a.strides) << " along " << axis << " at "
                << i;
        const std::size_t bytes = size * sizeof(Result);
        ASSERT_TRUE(bytes == 0 || std::memcmp(one.data(), three.data(), bytes) == 0);
    }

    /// Every axis of small and large shapes, in layouts of every kind.
    template <class Result = T, class Expected, class Operation>
    void check_layouts(double bound, const Expected& expect, const Operation& operation) {
        const Dims shapes[] = {{},         {1},          {9},          {300},          {70000},
                               {130, 300}, {3, 20000},   {20000, 3},   {16, 17, 18},   {40, 50, 30},
                               {2, 3, 0},  {7, 9, 5, 8}, {33, 9, 140}, {10, 12, 9, 35}};
        for (const Dims& shape : shapes)
            for (int kind = 0; kind < 3; ++kind) {
                auto a = draw_layout<T>(random_, shape, {kind > 0, kind == 2, kind == 2, kind == 2});
                fill(a, random_, true);
                for (Index axis = 0; axis < static_cast<Index>(shape.size()); ++axis) {
                    check<Result>(a, axis, bound, expect, operation);
                    if (HasFatalFailure()) return;
                }
            }
    }
};
using Summed =
    ::testing::Types<float, double, std::complex<float>, std::complex<double>, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(AlongAxis, Summed);

/// Element by element, in the numbers' own type.
template <class T>
Tensor running_sums(TensorBackend& backend, const TensorRead& a, Index axis, bool reverse) {
    Tensor sums = backend.to_contiguous_read(a);
    const Index length = a.shape()[axis], step = sums.read().strides()[axis];
    T* const x = sums.write().data_as<T>();
    for (Index i = 0; i < sums.size(); ++i) {
        const Index at = reverse ? sums.size() - 1 - i : i, k = at / step % length;
        if (k != (reverse ? length - 1 : 0)) x[at] += x[reverse ? at + step : at - step];
    }
    return sums;
}

/// Of whole numbers, so that sums are exact.
TYPED_TEST(AlongAxis, RunningSums) {
    SCOPED_TRACE(text("seed ", this->seed_));
    for (const bool reverse : {false, true})
        this->check_layouts(
            0,
            [reverse](TensorBackend& backend, const TensorRead& a, Index axis) {
                return running_sums<TypeParam>(backend, a, axis, reverse);
            },
            [reverse](TensorBackend& backend, const TensorRead& a, Index axis) {
                return backend.cumulative_sum_read(a, axis, reverse);
            });
}

/// Contiguous lines in vectors, of any length and number, are rounded as each is alone.
TYPED_TEST(AlongAxis, RunningSumsOfManyLinesAreThoseOfEach) {
    using T = TypeParam;
    SCOPED_TRACE(text("seed ", this->seed_));
    on_every_instruction_set([&] {
        for (const Index length : {33, 40, 48, 63, 64, 100, 128, 129, 300})
            for (const Index lines : {2, 3, 4, 7, 8, 9, 15, 16, 17, 23, 40}) {
                auto a = draw_layout<T>(this->random_, {length, lines}, {});
                fill(a, this->random_, false);
                const Tensor sums = this->one_->cumulative_sum_read(a.read(), 0, false);
                for (Index c = 0; c < lines; ++c) {
                    const TensorRead line = a.read().slice_view({0, c}, {length, c + 1}, {1, 1});
                    const Tensor alone = this->one_->cumulative_sum_read(line, 0, false);
                    ASSERT_EQ(std::memcmp(alone.data(), sums.data_as<T>() + c * length,
                                          static_cast<std::size_t>(length) * sizeof(T)),
                              0)
                        << "line " << c << " of " << lines << " of " << length;
                }
            }
    });
}

TYPED_TEST(AlongAxis, Sorting) {
    using T = TypeParam;
    if constexpr (std::is_arithmetic_v<T>) {
        SCOPED_TRACE(text("seed ", this->seed_));
        for (const bool descending : {false, true})
            this->check_layouts(
                0,
                [descending](TensorBackend& backend, const TensorRead& a, Index axis) {
                    Tensor sorted = backend.to_contiguous_read(a);
                    const Index length = a.shape()[axis], step = sorted.read().strides()[axis];
                    T* const x = sorted.write().template data_as<T>();
                    std::vector<T> line(static_cast<std::size_t>(length));
                    for (Index i = 0; i < sorted.size(); ++i) {
                        if (i / step % length != 0) continue;
                        for (Index k = 0; k < length; ++k)
                            line[static_cast<std::size_t>(k)] = x[i + k * step];
                        std::sort(line.begin(), line.end());
                        if (descending) std::reverse(line.begin(), line.end());
                        for (Index k = 0; k < length; ++k)
                            x[i + k * step] = line[static_cast<std::size_t>(k)];
                    }
                    return sorted;
                },
                [descending](TensorBackend& backend, const TensorRead& a, Index axis) {
                    return backend.sort_read(a, axis, descending);
                });
    }
}

/// Of a few numbers, so that many are equal and the first of them counts.
TYPED_TEST(AlongAxis, PlacesOfExtremes) {
    if constexpr (std::is_arithmetic_v<TypeParam>) {
        SCOPED_TRACE(text("seed ", this->seed_));
        for (const bool largest : {true, false}) {
            const auto place = [largest](TensorBackend& backend, const TensorRead& a, Index axis) {
                if (a.shape()[axis] == 0) return backend.to_contiguous_read(a);  // there is none
                return largest ? backend.argmax_read(a, axis) : backend.argmin_read(a, axis);
            };
            this->template check_layouts<std::int64_t>(0, place, place);
        }
    }
}

/// One NaN, or two of which the first counts, in every lane and at several rows.
TEST(PlacesOfExtremes, TheFirstNanIsTheExtreme) {
    on_every_instruction_set([] {
        const auto backend = CpuBackend::with_threads(1);
        for (const Index rows : {1, 2, 70, 300})
            for (Index lane = 0; lane < 83; ++lane) {
                std::vector<float> values(static_cast<std::size_t>(83 * rows), 1.0F);
                const Index first = rows / 3, last = rows - 1;
                for (const Index row : {first, last})
                    values[static_cast<std::size_t>(row * 83 + lane)] = std::nanf("");
                const Tensor a = Tensor::from_data<float>(values, Dims{83, rows});
                const Tensor largest = backend->argmax_read(a, 1), least = backend->argmin_read(a, 1);
                for (Index i = 0; i < 83; ++i) {
                    ASSERT_EQ(largest.data_as<std::int64_t>()[i], i == lane ? first : 0) << rows << ' ' << i;
                    ASSERT_EQ(least.data_as<std::int64_t>()[i], i == lane ? first : 0) << rows << ' ' << i;
                }
            }
    });
}

TYPED_TEST(AlongAxis, Softmax) {
    if constexpr (std::is_floating_point_v<TypeParam>) {
        SCOPED_TRACE(text("seed ", this->seed_));
        const auto softmax = [](TensorBackend& backend, const TensorRead& a, Index axis) {
            return backend.softmax_read(a, axis);
        };
        this->check_layouts(8 * std::numeric_limits<TypeParam>::epsilon(), softmax, softmax);
    }
}

TEST(Softmax, LargeNumbersAndThoseThatAreNone) {
    const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
    const auto backend = CpuBackend::with_threads(1);
    const auto of = [&](std::vector<double> x) {
        const auto n = static_cast<Index>(x.size());
        const Tensor y = backend->softmax_read(Tensor::from_data<double>(x, Dims{n}), 0);
        return std::vector<double>(y.data_as<double>(), y.data_as<double>() + n);
    };
    EXPECT_EQ(of({1e300, 1e300, -1e300}), (std::vector<double>{.5, .5, 0}));
    EXPECT_EQ(of({-inf, 3, -inf}), (std::vector<double>{0, 1, 0}));
    for (const auto& none : {std::vector<double>{-inf, -inf}, {inf, 1}, {1, nan, 2}})
        EXPECT_TRUE(std::isnan(of(none)[0]));
}

}}  // namespace tenferro::testing
