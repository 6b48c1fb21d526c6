// Reductions over drawn axes and layouts against the reference backend: long and short runs on either side, many tiny axes,
// NaN, and the same bits for any number of threads.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/reference/reference_backend.hpp"
#include "unit/cpu/contract_support.hpp"

namespace tenferro::testing {
namespace {

template <class T>
class Reduce : public ::testing::Test {
protected:
    const unsigned seed_ = std::random_device{}();
    Generator random_{seed_};
    ReferenceBackend reference_;
    std::unique_ptr<CpuBackend> one_ = CpuBackend::with_threads(1), two_ = CpuBackend::with_threads(2);

    /// Values are small integers, so that every order of a sum gives the same; products are of signs.
    void check(const Dims& shape, const Dims& axes, LayoutKind kind) {
        auto a = draw_layout<T>(random_, shape, kind);
        fill(a, random_, true);
        check(a, axes, [](TensorBackend& b, const TensorRead& x, const Dims& over) { return b.reduce_sum_read(x, over); });
        if constexpr (std::is_floating_point_v<T> || std::is_integral_v<T>) {
            check(a, axes, [](TensorBackend& b, const TensorRead& x, const Dims& over) { return b.reduce_max_read(x, over); });
            check(a, axes, [](TensorBackend& b, const TensorRead& x, const Dims& over) { return b.reduce_min_read(x, over); });
        }
        for (T& value : a.memory) value = draw(random_, 0, 1) ? T(1) : T(-1);
        check(a, axes, [](TensorBackend& b, const TensorRead& x, const Dims& over) { return b.reduce_prod_read(x, over); });
    }

    template <class Operation>
    void check(const Strided<T>& a, const Dims& axes, Operation&& operation) {
        const Tensor expected = operation(reference_, a.read(), axes);
        const Tensor one = operation(*one_, a.read(), axes), two = operation(*two_, a.read(), axes);
        ASSERT_EQ(one.shape(), expected.shape());
        const auto size = static_cast<std::size_t>(expected.size());
        ASSERT_TRUE(std::equal(one.template data_as<T>(), one.template data_as<T>() + size, expected.template data_as<T>()))
            << list_text(a.shape) << " strides " << list_text(a.strides) << " over " << list_text(axes);
        ASSERT_EQ(size == 0 ? 0 : std::memcmp(one.template data_as<T>(), two.template data_as<T>(), size * sizeof(T)), 0);
    }

    Dims draw_axes(std::size_t rank) {
        Dims axes;
        for (std::size_t axis = 0; axis < rank; ++axis)
            if (draw(random_, 0, 1)) axes.push_back(static_cast<Index>(axis));
        return axes;
    }
};
using Arithmetic = ::testing::Types<float, double, std::complex<float>, std::complex<double>, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(Reduce, Arithmetic);

TYPED_TEST(Reduce, DrawnLayouts) {
    SCOPED_TRACE(text("seed ", this->seed_));
    constexpr Index kExtents[] = {0, 1, 2, 2, 3, 3, 5, 8, 16, 17, 65, 300};
    for (int i = 0; i < 60 && !this->HasFatalFailure(); ++i) {
        Dims shape;
        Index size = 1;
        for (Index left = draw(this->random_, 0, 8); left > 0; --left) {
            const Index extent = kExtents[draw(this->random_, i % 9 == 0 ? 0 : 1, 11)];
            if (size * extent > 20000) continue;
            shape.push_back(extent);
            size *= extent;
        }
        this->check(shape, this->draw_axes(shape.size()), {i % 2 == 1, i % 3 == 1, i % 5 == 1 && shape.size() < 5, i % 7 == 1});
    }
}

TYPED_TEST(Reduce, ShapesOfEachWay) {
    SCOPED_TRACE(text("seed ", this->seed_));
    const std::pair<Dims, Dims> listed[] = {
        {{70000}, {0}},        // one result from a run in several chunks
        {{300, 301}, {0, 1}},  // one result, perhaps from many runs
        {{300, 301}, {0}},     // long runs
        {{1300, 60}, {1}},     // long rows
        {{40, 50, 30}, {1}},   // in the middle
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

TEST(ReduceMax, NanWinsWhereverItStands) {
    const auto backend = CpuBackend::with_threads(2);
    for (const Index count : {1, 5, 64, 200, 70001})
        for (const Index place : {Index{0}, count / 2, count - 1}) {
            std::vector<double> values(static_cast<std::size_t>(count), 1.0);
            values[static_cast<std::size_t>(place)] = std::nan("");
            const Tensor a = Tensor::from_data<double>(values, Dims{count});
            EXPECT_TRUE(std::isnan(backend->reduce_max_read(a.read(), Dims{0}).data_as<double>()[0])) << count << ' ' << place;
            EXPECT_TRUE(std::isnan(backend->reduce_min_read(a.read(), Dims{0}).data_as<double>()[0])) << count << ' ' << place;
        }
}

}  // namespace
}  // namespace tenferro::testing
