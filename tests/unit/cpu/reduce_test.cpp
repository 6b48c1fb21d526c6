// Reductions over drawn axes and layouts against the reference backend: long and short runs on either side,
// many tiny axes, NaN, and the same bits for any number of threads; the vector kernels on every instruction
// set of the host.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "tenferro/cpu/contraction/highway_targets.hpp"
// The list of targets comes before anything of Highway.
#include <hwy/highway.h>

#include "support/instruction_sets.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/reference/reference_backend.hpp"
#include "unit/cpu/contract_support.hpp"

namespace tenferro::testing { namespace {

template <class T>
class Reduce : public ::testing::Test {
protected:
    const unsigned seed_ = std::random_device{}();
    Generator random_{seed_};
    ReferenceBackend reference_;
    std::unique_ptr<CpuBackend> one_ = CpuBackend::with_threads(1), two_ = CpuBackend::with_threads(2);

    void check(const Dims& shape, const Dims& axes, LayoutKind kind) {
        check(draw_layout<T>(random_, shape, kind), axes);
    }

    /// Values are small integers, so that every order of a sum gives the same; products are of signs.
    void check(Strided<T> a, const Dims& axes) {
        fill(a, random_, true);
        check(a, axes, [](TensorBackend& b, const TensorRead& x, const Dims& over) {
            return b.reduce_sum_read(x, over);
        });
        if constexpr (std::is_floating_point_v<T> || std::is_integral_v<T>) {
            check(a, axes, [](TensorBackend& b, const TensorRead& x, const Dims& over) {
                return b.reduce_max_read(x, over);
            });
            check(a, axes, [](TensorBackend& b, const TensorRead& x, const Dims& over) {
                return b.reduce_min_read(x, over);
            });
        }
        for (T& value : a.memory) value = draw(random_, 0, 1) ? T(1) : T(-1);
        check(a, axes, [](TensorBackend& b, const TensorRead& x, const Dims& over) {
            return b.reduce_prod_read(x, over);
        });
    }

    template <class Operation>
    void check(const Strided<T>& a, const Dims& axes, Operation&& operation) {
        const Tensor expected = operation(reference_, a.read(), axes);
        const Tensor one = operation(*one_, a.read(), axes), two = operation(*two_, a.read(), axes);
        ASSERT_EQ(one.shape(), expected.shape());
        const auto size = static_cast<std::size_t>(expected.size());
        ASSERT_TRUE(std::equal(one.template data_as<T>(), one.template data_as<T>() + size,
                               expected.template data_as<T>()))
            << list_text(a.shape) << " strides " << list_text(a.strides) << " over " << list_text(axes);
        ASSERT_EQ(size == 0
                      ? 0
                      : std::memcmp(one.template data_as<T>(), two.template data_as<T>(), size * sizeof(T)),
                  0);
    }

    Dims draw_axes(std::size_t rank) {
        Dims axes;
        for (std::size_t axis = 0; axis < rank; ++axis)
            if (draw(random_, 0, 1)) axes.push_back(static_cast<Index>(axis));
        return axes;
    }
};
using Arithmetic =
    ::testing::Types<float, double, std::complex<float>, std::complex<double>, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(Reduce, Arithmetic);

TYPED_TEST(Reduce, DrawnLayouts) {
    SCOPED_TRACE(text("seed ", this->seed_));
    constexpr Index kExtents[] = {0, 1, 2, 2, 3, 3, 5, 8, 16, 17, 65, 300};
    for (int i = 0; i < 60 && !this->HasFatalFailure(); ++i) {
        Dims shape;
        Index size = 1;
        for (Index left = draw(this->random_, 0, 8); left > 0; --left) {
            const Index extent = kExtents[draw(this->random_, i % 9 == 0 ? 0 : 1, 11)];
            if (size * extent > 6000) continue;
            shape.push_back(extent);
            size *= std::max<Index>(extent, 1);
        }
        this->check(shape, this->draw_axes(shape.size()),
                    {i % 2 == 1, i % 3 == 1, i % 5 == 1 && shape.size() < 5, i % 7 == 1});
    }
}

/// Layouts of rows and columns in every order, so large that threads and pieces come into it; reversed ones
/// among them.
TYPED_TEST(Reduce, ShortRunsWithSteps) {
    for (const Index step : {1, 2, 7, -1, -3})
        for (Index length = 1; length < 80; ++length) {
            Strided<TypeParam> a;
            a.memory.resize(static_cast<std::size_t>(length * std::abs(step)));
            a.origin = step < 0 ? (length - 1) * -step : 0;
            a.shape = {length};
            a.strides = {step};
            this->check(std::move(a), {0});
        }
}

TYPED_TEST(Reduce, AxesInEveryOrder) {
    SCOPED_TRACE(text("seed ", this->seed_));
    for (int i = 0; i < 12 && !this->HasFatalFailure(); ++i) {
        Dims shape;
        for (Index size = 1; shape.size() < 4;) {
            shape.push_back(draw(this->random_, 2, std::max<Index>(60000 / size / 8, 3)));
            size *= shape.back();
            if (size > 60000) break;
        }
        std::shuffle(shape.begin(), shape.end(), this->random_);
        this->check(shape, this->draw_axes(shape.size()), {true, i % 3 == 0, i % 4 == 0, i % 5 == 0});
    }
}

TYPED_TEST(Reduce, ShapesOfEachWay) {
    SCOPED_TRACE(text("seed ", this->seed_));
    const std::pair<Dims, Dims> listed[] = {
        {{70000}, {0}},            // one result from a run in several chunks
        {{300, 301}, {0, 1}},      // one result, perhaps from many runs
        {{300, 301}, {0}},         // long runs
        {{1300, 60}, {1}},         // long rows
        {{40, 50, 30}, {1}},       // in the middle
        {{5, 300, 40}, {0, 2}},    // a short first axis and a far one, many results beside each other
        {{40, 100, 30}, {0, 2}},   // the same with runs
        {{40, 17, 50}, {0, 2}},    // and few results
        {{3, 20, 4, 50}, {0, 2}},  // blocks of which one is reduced
        {{5, 11, 7, 90}, {1, 3}},  // blocks that outer rows are added up to, the last one smaller
        {{1500, 9, 5}, {0, 2}},    // long runs side by side
        {{48, 3000}, {1}},         // pieces of few results
        {{70000, 2}, {0}},
        {{2, 40000}, {1}},  // rows of which a vector has several
        {{3, 20000}, {0}},  // and results of the lanes of several vectors
        {{2, 3, 500, 7}, {0, 1, 3}},
        {Dims(16, 2), {0, 2, 4, 6, 8, 10, 12, 14}},
        {Dims(16, 2), {1, 3, 5, 7, 9, 11, 13, 15}},
        {Dims(10, 3), {1, 2, 5, 7}},
    };
    for (const auto& [shape, axes] : listed)
        for (const LayoutKind kind : {LayoutKind{}, {true, true, true, false}}) {
            this->check(shape, axes, kind);
            if (this->HasFatalFailure()) return;
        }
}

/// Every instruction set that the kernels are compiled for and this machine has.
class ReduceTargets : public ::testing::TestWithParam<std::int64_t> {
protected:
    void SetUp() override { testing::dispatch_to(GetParam()); }
    void TearDown() override { testing::dispatch_to(0); }

    template <class T, class Operation>
    void check(const std::vector<T>& values, const Dims& shape, const Dims& axes, Operation&& operation) {
        const TensorRead a(storage_dtype<T>, values.data(), shape, column_major_strides(shape));
        const Tensor expected = operation(reference_, a, axes), actual = operation(*cpu_, a, axes);
        const T *e = expected.data_as<T>(), *b = actual.data_as<T>();
        for (Index i = 0; i < expected.size(); ++i)
            ASSERT_TRUE(b[i] == e[i] || (e[i] != e[i] && b[i] != b[i]))
                << list_text(shape) << " over " << list_text(axes) << ": " << b[i] << " at " << i << ", not "
                << e[i];
    }

    static constexpr auto kSum = [](TensorBackend& b, const TensorRead& x, const Dims& over) {
        return b.reduce_sum_read(x, over);
    };
    static constexpr auto kProd = [](TensorBackend& b, const TensorRead& x, const Dims& over) {
        return b.reduce_prod_read(x, over);
    };
    static constexpr auto kMax = [](TensorBackend& b, const TensorRead& x, const Dims& over) {
        return b.reduce_max_read(x, over);
    };
    static constexpr auto kMin = [](TensorBackend& b, const TensorRead& x, const Dims& over) {
        return b.reduce_min_read(x, over);
    };
    static constexpr auto kAny = [](TensorBackend& b, const TensorRead& x, const Dims& over) {
        return b.reduce_any_read(x, over);
    };
    static constexpr auto kAll = [](TensorBackend& b, const TensorRead& x, const Dims& over) {
        return b.reduce_all_read(x, over);
    };

    template <class T>
    void check_tails() {
        for (Index count = 0; count <= 70; ++count) {
            for (const Index length : {count, 512 + count, 16000 + count}) check_shape<T>({length}, {0});
            for (const Index rows : {1, 3, 19}) {
                check_shape<T>({count, rows}, {1});
                check_shape<T>({count, rows}, {0});
            }
            if (count % 23 == 0) check_shape<T>({70000 + count}, {0});
            for (const Index few : {2, 3, 4, 5, 8, 9})  // neighbours in a vector, reduced or kept
                for (const Index axis : {0, 1}) check_shape<T>({few, 130 + count}, {axis});
            if (count % 7 == 0) check_shape<T>({1200 + count, 18}, {0});
            if (HasFatalFailure()) return;
        }
    }
    template <class T>
    void check_shape(const Dims& shape, const Dims& axes) {
        std::vector<T> values(static_cast<std::size_t>(element_count(shape, "test")));
        for (T& value : values) value = draw_value<T>(random_, true);
        check(values, shape, axes, kSum);
        if constexpr (std::is_floating_point_v<T> || std::is_integral_v<T>) {
            check(values, shape, axes, kMax);
            check(values, shape, axes, kMin);
        }
        for (T& value : values) value = draw(random_, 0, 1) ? T(1) : T(-1);
        check(values, shape, axes, kProd);
    }

    /// One special value among ordinary ones, at every lane of every vector of a line and of some rows.
    template <class T>
    void check_specials() {
        using Limits = std::numeric_limits<T>;
        constexpr Index kLine = 331;
        std::vector<T> values(static_cast<std::size_t>(kLine), T(-1));
        for (const T special : {Limits::quiet_NaN(), -Limits::quiet_NaN(), Limits::infinity(),
                                -Limits::infinity(), T(-0.0), T(0)})
            for (std::size_t place = 0; place < values.size(); ++place) {
                values[place] = special;
                for (const auto& [shape, axis] : {std::pair<Dims, Index>{{kLine}, 0},
                                                  {{kLine / 3, 3}, 0},
                                                  {{37, 8}, 1},
                                                  {{17, 19}, 1},
                                                  {{17, 19}, 0},
                                                  {{5, 66}, 1},
                                                  {{5, 66}, 0},
                                                  {{11, 30}, 1},
                                                  {{11, 30}, 0},
                                                  {{2, 165}, 0},
                                                  {{3, 110}, 0},
                                                  {{4, 82}, 0},
                                                  {{2, 165}, 1},
                                                  {{3, 110}, 1}}) {
                    check(values, shape, {axis}, kSum);
                    check(values, shape, {axis}, kMax);
                    check(values, shape, {axis}, kMin);
                    if (HasFatalFailure()) return;
                }
                values[place] = T(-1);
            }
    }

    void check_flags() {
        for (Index count = 0; count <= 330; ++count)
            for (const bool rest : {false, true}) {
                const std::unique_ptr<bool[]> to(new bool[static_cast<std::size_t>(3 * count)]);
                std::fill_n(to.get(), 3 * count, rest);
                const TensorRead flags(DType::Bool, to.get(), {count, 3}, {1, count});
                if (count > 0) to[draw(random_, 0, 3 * count - 1)] = !rest;
                for (const Index axis : {0, 1})
                    for (const bool any : {false, true}) {
                        const auto over = [&](TensorBackend& b) {
                            return any ? kAny(b, flags, {axis}) : kAll(b, flags, {axis});
                        };
                        const Tensor expected = over(reference_), actual = over(*cpu_);
                        const auto size = static_cast<std::size_t>(expected.size());
                        ASSERT_TRUE(size == 0 ||
                                    std::memcmp(actual.data_as<bool>(), expected.data_as<bool>(), size) == 0)
                            << count;
                    }
            }
    }

    const unsigned seed_ = std::random_device{}();
    Generator random_{seed_};
    ReferenceBackend reference_;
    std::unique_ptr<CpuBackend> cpu_ = CpuBackend::with_threads(1);
};

TEST_P(ReduceTargets, TailsMatchTheReference) {
    SCOPED_TRACE(text("seed ", seed_));
    check_tails<float>();
    check_tails<double>();
    check_tails<std::complex<float>>();
    check_tails<std::complex<double>>();
    check_tails<std::int32_t>();
    check_tails<std::int64_t>();
    check_flags();
}

TEST_P(ReduceTargets, SpecialValuesAtEveryLane) {
    check_specials<float>();
    check_specials<double>();
}

INSTANTIATE_TEST_SUITE_P(Host, ReduceTargets, ::testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         [](const auto& target) { return std::string(hwy::TargetName(target.param)); });

TEST(ReduceSum, ErrorGrowsWithTheLogarithm) {
    const auto backend = CpuBackend::with_threads(1);
    const std::pair<Dims, Dims> sums[] = {{{Index{1} << 22}, {0}},
                                          {{5, 70, 20000}, {0, 2}},
                                          {{20, 70, 5000}, {0, 2}},
                                          {{20, 17, 20000}, {0, 2}}};
    for (const auto& [shape, axes] : sums) {
        const Index size = element_count(shape, "test");
        const std::vector<float> values(static_cast<std::size_t>(size), 0.1F);
        const Tensor sum = backend->reduce_sum_read(
            TensorRead(DType::F32, values.data(), shape, column_major_strides(shape)), axes);
        const double exact = static_cast<double>(0.1F) * static_cast<double>(size / sum.size());
        for (Index i = 0; i < sum.size(); ++i)
            ASSERT_NEAR(sum.data_as<float>()[i], exact, 32 * std::numeric_limits<float>::epsilon() * exact)
                << list_text(shape);
    }
}

TEST(ReduceSum, HasTheSameBitsForAnyNumberOfThreads) {
    Generator random(1);
    const auto one = CpuBackend::with_threads(1);
    const std::pair<Dims, Dims> sums[] = {
        {{300, 1003}, {0}},      {{5, 70001}, {0}},          {{1500, 331}, {0}},      {{17000, 22}, {0}},
        {{5, 3000, 40}, {0, 2}}, {{40, 300, 30}, {0, 2}},    {{70, 5000}, {1}},       {{4099, 60}, {1}},
        {{48, 8640}, {1}},       {{5, 55, 12, 100}, {1, 3}}, {{1300, 40, 7}, {0, 2}}, {{300000, 3}, {0}}};
    for (const auto& [shape, axes] : sums) {
        std::vector<double> values(static_cast<std::size_t>(element_count(shape, "test")));
        for (double& value : values) value = draw_value<double>(random, false);
        const TensorRead a(DType::F64, values.data(), shape, column_major_strides(shape));
        const Tensor expected = one->reduce_sum_read(a, axes);
        for (const int threads : {2, 3, 5}) {
            const Tensor found = CpuBackend::with_threads(threads)->reduce_sum_read(a, axes);
            EXPECT_EQ(std::memcmp(found.data(), expected.data(), expected.size() * sizeof(double)), 0)
                << list_text(shape) << ' ' << threads;
        }
    }
}

/// Results of more than can be put in order at once.
TEST(ReduceSum, ManyResultsInAnotherOrder) {
    const Index rows = 1100, columns = 1000;
    std::vector<double> values(static_cast<std::size_t>(2 * rows * columns));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i * 7 % 1024);
    const TensorRead a(DType::F64, values.data(), {rows, columns, 2}, {columns, 1, rows * columns});
    const Tensor sums = CpuBackend::with_threads(2)->reduce_sum_read(a, Dims{2});
    for (Index j = 0; j < columns; ++j)
        for (Index i = 0; i < rows; ++i) {
            const auto at = static_cast<std::size_t>(i * columns + j);
            ASSERT_EQ(sums.data_as<double>()[i + j * rows],
                      values[at] + values[at + static_cast<std::size_t>(rows * columns)])
                << i << ' ' << j;
        }
}

TEST(ReduceSum, OfNegativeZerosIsZeroAtEveryLength) {
    const auto backend = CpuBackend::with_threads(1);
    for (Index count = 1; count <= 70; ++count)
        for (const Dims& axes : {Dims{0}, Dims{1}}) {
            const std::vector<float> values(static_cast<std::size_t>(count * 150), -0.0F);
            const Dims shape = axes[0] == 0 ? Dims{count, 150} : Dims{150, count};
            const Tensor sums = backend->reduce_sum_read(
                TensorRead(DType::F32, values.data(), shape, column_major_strides(shape)), axes);
            for (Index i = 0; i < sums.size(); ++i)
                ASSERT_FALSE(std::signbit(sums.data_as<float>()[i]))
                    << list_text(shape) << " over " << axes[0];
        }
}

TEST(ReduceMax, NanWinsWhereverItStands) {
    const auto backend = CpuBackend::with_threads(2);
    for (const Index count : {1, 5, 64, 200, 70001})
        for (const Index place : {Index{0}, count / 2, count - 1}) {
            std::vector<double> values(static_cast<std::size_t>(count), 1.0);
            values[static_cast<std::size_t>(place)] = std::nan("");
            const Tensor a = Tensor::from_data<double>(values, Dims{count});
            EXPECT_TRUE(std::isnan(backend->reduce_max_read(a.read(), Dims{0}).data_as<double>()[0]))
                << count << ' ' << place;
            EXPECT_TRUE(std::isnan(backend->reduce_min_read(a.read(), Dims{0}).data_as<double>()[0]))
                << count << ' ' << place;
        }
}

}}  // namespace tenferro::testing
