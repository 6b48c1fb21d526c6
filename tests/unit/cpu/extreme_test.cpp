// argmax and argmin of short and long lines, which take different ways, beside a plain loop: the first of
// equal elements, of zeros of either sign too, and the first NaN.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "support/instruction_sets.hpp"
#include "tenferro/cpu/cpu_backend.hpp"

using namespace tenferro;

namespace {

constexpr std::uint64_t kExtremeSeed = 21;

template <class T>
class Extremes : public ::testing::Test {};
using ExtremeTypes = ::testing::Types<float, double, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(Extremes, ExtremeTypes);

/// The first that no other replaces.
template <class T>
std::int64_t expected_place(const std::vector<T>& line, bool largest) {
    std::size_t place = 0;
    for (std::size_t i = 1; i < line.size(); ++i) {
        const T x = line[i], best = line[place];
        if ((largest ? x > best : x < best) || (x != x && best == best)) place = i;
    }
    return static_cast<std::int64_t>(place);
}

TYPED_TEST(Extremes, TheFirstOfEqualElementsAndNaN) {
    using T = TypeParam;
    const auto backend = CpuBackend::with_threads(2);
    tenferro::testing::on_every_instruction_set([&] {
        std::mt19937_64 random(kExtremeSeed);
        for (const std::size_t length : {1, 3, 511, 512, 513, 1024, 1500, 40000})
            for (int kind = 0; kind < 5; ++kind) {
                std::vector<T> line(length);
                for (T& x : line) {
                    const auto drawn = static_cast<std::int64_t>(random() % 2000001) - 1000000;
                    x = kind == 0 ? static_cast<T>(drawn) : static_cast<T>(drawn % 3);
                    if constexpr (std::is_floating_point_v<T>) {
                        if (kind == 2 && random() % length == 0) x = std::numeric_limits<T>::quiet_NaN();
                        if (kind == 3) x = random() % 2 == 0 ? T(0) : -T(0);
                        if (kind == 4) x = random() % 2 == 0 ? -std::numeric_limits<T>::infinity() : x;
                    }
                }
                const Tensor a = Tensor::from_data<T>(line, Dims{static_cast<Index>(length)});
                for (const bool largest : {true, false}) {
                    const Tensor found = largest ? backend->argmax_read(a, 0) : backend->argmin_read(a, 0);
                    const std::int64_t expected = expected_place(line, largest);
                    EXPECT_EQ(found.item<std::int64_t>(), expected)
                        << length << " kind " << kind << " seed " << kExtremeSeed;
                    // the same line repeated, of which some are looked at together
                    const TensorRead lines = a.read().broadcast_view(Dims{a.size(), 3}, Dims{0});
                    const Tensor each =
                        largest ? backend->argmax_read(lines, 0) : backend->argmin_read(lines, 0);
                    for (Index i = 0; i < 3; ++i) EXPECT_EQ(each.data_as<std::int64_t>()[i], expected);
                }
            }
    });
}

}  // namespace
