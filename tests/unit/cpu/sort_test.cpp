// Sorting of short and long lines, alone or side by side, on every instruction set, beside a stable sort:
// every bit, so that equal zeros and NaN of any sign and payload keep their order.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "cpu/kernels/reduction/sort_network.hpp"
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

    /// Lines of neighbours, or of elements as far apart as there are lines; in the result the other, if
    /// turned.
    static void check(TensorBackend& backend, Index length, Index lines, Index axis, bool turned, int kind,
                      bool descending, std::mt19937_64& random) {
        const std::vector<T> values = draw(static_cast<std::size_t>(length * lines), kind, random);
        const Tensor a = Tensor::from_data<T>(values, axis == 0 ? Dims{length, lines} : Dims{lines, length});
        const Tensor sorted = turned
                                  ? backend.sort_read(a.read().transpose_view({1, 0}), 1 - axis, descending)
                                  : backend.sort_read(a, axis, descending);
        const auto at = [=](Index line, Index i, bool contiguous) {
            return contiguous ? line * length + i : line + lines * i;
        };
        for (Index line = 0; line < lines; ++line) {
            std::vector<T> expected, found;
            for (Index i = 0; i < length; ++i) {
                expected.push_back(values[static_cast<std::size_t>(at(line, i, axis == 0))]);
                found.push_back(sorted.data_as<T>()[at(line, i, (axis == 0) != turned)]);
            }
            const auto below = [](T x, T y) { return x < y || (x == x && y != y); };
            std::stable_sort(expected.begin(), expected.end(),
                             [&](T x, T y) { return descending ? below(y, x) : below(x, y); });
            ASSERT_EQ(std::memcmp(expected.data(), found.data(), expected.size() * sizeof(T)), 0)
                << length << " kind " << kind << " axis " << axis << " turned " << turned << " line " << line
                << " of " << lines << " seed " << kSortSeed;
        }
    }
};
using SortedTypes = ::testing::Types<float, double, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(Sorting, SortedTypes);

TYPED_TEST(Sorting, IsStableAtEveryLength) {
    const auto backend = CpuBackend::with_threads(2);
    std::mt19937_64 random(kSortSeed);
    tenferro::testing::on_every_instruction_set([&] {
        for (const Index length : {1, 2, 7, 15, 16, 17, 31, 64, 127, 128, 129, 255, 256, 257, 700, 20000})
            for (const Index axis : {0, 1})
                for (int kind = 0; kind < 4; ++kind)
                    for (const bool descending : {false, true})
                        this->check(*backend, length, 3, axis, false, kind, descending, random);
    });
}

/// From less than a vector of them on; lengths about blocks in registers, merges whose second half is not
/// full, and the longest that are sorted so.
TYPED_TEST(Sorting, SideBySideIsStable) {
    const auto backend = CpuBackend::with_threads(1);
    std::mt19937_64 random(kSortSeed);
    tenferro::testing::on_every_instruction_set([&] {
        for (const Index length :
             {1, 2, 3, 4, 5, 8, 9, 13, 16, 17, 32, 33, 47, 64, 65, 80, 112, 256, 300, 2048, 2049})
            for (const Index lines : {2, 5, 8, 11, 16, 19, 130}) {
                if (length * lines > 40000) continue;
                for (const Index axis : {0, 1})
                    for (const bool turned : {false, true})
                        for (int kind = 0; kind < 4; ++kind)
                            for (const bool descending : {false, true})
                                this->check(*backend, length, lines, axis, turned, kind, descending, random);
            }
    });
}

/// In place, contiguous or side by side: the first of two lines stays as it was, for the caller to sort.
TEST(SortingNetwork, LeavesLinesWhoseBitsTellEqualsApart) {
    constexpr Index kLength = 21, kLines = 2;
    tenferro::testing::on_every_instruction_set([] {
        const cpu::SortingNetwork network = cpu::sorting_network(DType::F64);
        if (network.width < kLines) return;  // no vectors
        for (const bool contiguous : {true, false})
            for (const double special : {-0.0, std::nan("")}) {
                std::vector<double> values(kLength * kLines);
                const Index step = contiguous ? 1 : kLines, apart = contiguous ? kLength : 1;
                for (Index k = 0; k < kLength; ++k)
                    for (Index c = 0; c < kLines; ++c)
                        values[static_cast<std::size_t>(k * step + c * apart)] = static_cast<double>(-k);
                values[static_cast<std::size_t>(9 * step)] = special;
                std::vector<double> expected = values;
                for (Index k = 0; k < kLength; ++k)
                    expected[static_cast<std::size_t>(k * step + apart)] =
                        static_cast<double>(k - kLength + 1);
                alignas(64) std::byte memory[1 << 12];
                ASSERT_LE(network.memory_bytes(kLength), sizeof memory);
                const std::uint64_t left = network.sort(
                    {values.data(), step, apart, values.data(), step, apart, kLength, kLines}, false, memory);
                EXPECT_EQ(left, 1U);
                EXPECT_EQ(std::memcmp(values.data(), expected.data(), values.size() * sizeof(double)), 0)
                    << "contiguous " << contiguous << " special " << special;
            }
    });
}

}  // namespace
