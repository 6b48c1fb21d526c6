// Sorting of short and long lines, which take different ways, on every instruction set, beside a stable sort:
// every bit, so that equal zeros and NaN of any sign and payload keep their order.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>

#include "support/instruction_sets.hpp"
#include "tenferro/cpu/cpu_backend.hpp"

using namespace tenferro;

namespace {

constexpr std::uint64_t kSortSeed = 20;

template <class T>
class Sorting : public ::testing::Test {
protected:
    /// Drawn from many numbers or few, and with those that are special.
    static std::vector<T> draw(std::size_t count, int kind, std::mt19937_64& random) {
        using Limits = std::numeric_limits<T>;
        std::vector<T> special{T(0), Limits::max(), Limits::lowest(), Limits::min(), T(1), T(-1)};
        if constexpr (std::is_floating_point_v<T>)
            special.insert(special.end(),
                           {-T(0), Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(),
                            -Limits::quiet_NaN(), Limits::denorm_min(), -Limits::denorm_min()});
        std::vector<T> values(count);
        for (T& x : values) {
            const bool is_special = kind == 0 || (kind == 1 && random() % 8 == 0);
            const auto wide = static_cast<std::int64_t>(random());
            x = is_special  ? special[random() % special.size()]
                : kind == 2 ? static_cast<T>(wide % 3)
                            : static_cast<T>(wide) / static_cast<T>(random() % 1000 + 1);
        }
        return values;
    }
};
using SortedTypes = ::testing::Types<float, double, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(Sorting, SortedTypes);

TYPED_TEST(Sorting, IsStableAtEveryLength) {
    using T = TypeParam;
    const auto backend = CpuBackend::with_threads(2);
    std::mt19937_64 random(kSortSeed);
    const auto check = [&](std::size_t length, int kind, bool descending) {
        const std::vector<T> values = this->draw(3 * length, kind, random);
        // lines of neighbours, and of every third element
        for (const Index axis : {0, 1}) {
            const auto n = static_cast<Index>(length);
            const Dims shape = axis == 0 ? Dims{n, 3} : Dims{3, n};
            const Tensor sorted = backend->sort_read(Tensor::from_data<T>(values, shape), axis, descending);
            for (std::size_t line = 0; line < 3; ++line) {
                const auto at = [&](std::size_t i) { return axis == 0 ? line * length + i : line + 3 * i; };
                std::vector<T> expected(length), found(length);
                for (std::size_t i = 0; i < length; ++i) {
                    expected[i] = values[at(i)];
                    found[i] = sorted.data_as<T>()[at(i)];
                }
                const auto below = [](T x, T y) { return x < y || (x == x && y != y); };
                std::stable_sort(expected.begin(), expected.end(),
                                 [&](T x, T y) { return descending ? below(y, x) : below(x, y); });
                EXPECT_EQ(std::memcmp(expected.data(), found.data(), length * sizeof(T)), 0)
                    << length << " kind " << kind << " axis " << axis << " line " << line << " seed "
                    << kSortSeed;
            }
        }
    };
    tenferro::testing::on_every_instruction_set([&] {
        for (const std::size_t length :
             {1, 2, 7, 15, 16, 17, 31, 64, 127, 128, 129, 255, 256, 257, 700, 20000})
            for (int kind = 0; kind < 4; ++kind)
                for (const bool descending : {false, true}) check(length, kind, descending);
    });
}

}  // namespace
