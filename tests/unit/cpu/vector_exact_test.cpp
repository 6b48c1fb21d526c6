// Lines whose results are exact, beside the functors that say what they are, bit by bit on every instruction
// set: remainders, numbers that are clamped, and elements that are chosen.
#include <algorithm>
#include <cstring>
#include <random>

#include "unit/cpu/vector_math.hpp"

namespace tenferro::cpu::test {
namespace {

constexpr std::uint64_t kExactSeed = 20261126;

/// z is the line's f(in...), elements of NaN whatever their bits.
template <class T, class F>
void expect_functor(OpId op, LineFunction line, const std::vector<std::vector<T>>& in, const F& f) {
    const std::size_t count = in[0].size();
    std::vector<const void*> operands;
    for (const std::vector<T>& operand : in) operands.push_back(operand.data());
    std::vector<T> z(count);
    line(z.data(), operands.data(), static_cast<Index>(count));
    for (std::size_t i = 0; i < count; ++i) {
        const T expected = f(i);
        if (expected != expected && z[i] != z[i]) continue;
        ASSERT_EQ(std::memcmp(&z[i], &expected, sizeof(T)), 0)
            << info(op).name << " of " << in[0][i] << " and " << in[1][i] << ": " << z[i] << " instead of "
            << expected << ", seed " << kExactSeed;
    }
}

/// Operands of all sizes, and such whose quotient is close to a whole number, up to the largest with a
/// fraction and beyond.
template <class T>
void check_remainders(const LineTable& table) {
    std::mt19937_64 random(kExactSeed);
    std::vector<T> a, b;
    const std::vector<T> special = special_values<T>(), all = arguments<T>(1e3);
    for (const T x : special)
        for (const T y : special) {
            a.push_back(x);
            b.push_back(y);
        }
    for (const T x : all) {
        a.push_back(x);
        b.push_back(all[random() % all.size()]);
        const T divisor = b.back(), close = std::ldexp(x, static_cast<int>(random() % 70));
        const T multiple = divisor * std::nearbyint(close / divisor);
        for (const T near :
             {multiple, std::nextafter(multiple, T(0)), std::nextafter(multiple, 2 * multiple)}) {
            a.push_back(near);
            b.push_back(divisor);
        }
    }
    expect_functor<T>(OpId::Rem, table.find(OpId::Rem, storage_dtype<T>), {a, b},
                      [&](std::size_t i) { return std::fmod(a[i], b[i]); });
}

template <class T>
void check_clamped(const LineTable& table) {
    std::mt19937_64 random(kExactSeed);
    std::vector<T> values;
    if constexpr (std::is_floating_point_v<T>)
        values = special_values<T>();
    else
        for (const T x : {Limits<T>::min(), T(-7), T(0), T(3), Limits<T>::max()}) values.push_back(x);
    std::vector<std::vector<T>> in(3, std::vector<T>(20011));
    for (std::vector<T>& operand : in)
        for (T& x : operand) x = values[random() % values.size()];
    expect_functor<T>(OpId::Clamp, table.find(OpId::Clamp, storage_dtype<T>), in,
                      [&](std::size_t i) { return elementwise::Clamp{}(in[0][i], in[1][i], in[2][i]); });
}

template <class T>
void check_chosen(const LineTable& table) {
    std::mt19937_64 random(kExactSeed);
    for (const std::size_t count : {0, 1, 7, 8, 31, 64, 1003}) {
        const std::size_t bytes = count * sizeof(T);
        std::vector<std::uint8_t> predicate(count), x(bytes), y(bytes), z(bytes + 1, 0xAB);
        for (std::uint8_t& one : predicate) one = random() % 2;
        for (std::size_t i = 0; i < bytes; ++i) {
            x[i] = static_cast<std::uint8_t>(random());
            y[i] = static_cast<std::uint8_t>(random());
        }
        const void* const in[] = {predicate.data(), x.data(), y.data()};
        table.find(OpId::Select, storage_dtype<T>)(z.data(), in, static_cast<Index>(count));
        for (std::size_t i = 0; i < bytes; ++i)
            ASSERT_EQ(z[i], (predicate[i / sizeof(T)] != 0 ? x : y)[i]) << i << " of " << bytes;
        EXPECT_EQ(z[bytes], 0xAB);
    }
}

}  // namespace

TEST(ExactLines, Remainders) {
    for_each_target([](const LineTable& table) {
        check_remainders<float>(table);
        check_remainders<double>(table);
    });
}

TEST(ExactLines, ClampedNumbers) {
    for_each_target([](const LineTable& table) {
        check_clamped<float>(table);
        check_clamped<double>(table);
        check_clamped<std::int32_t>(table);
        check_clamped<std::int64_t>(table);
    });
}

TEST(ExactLines, ChosenElements) {
    for_each_target([](const LineTable& table) {
        check_chosen<bool>(table);
        check_chosen<float>(table);
        check_chosen<double>(table);
        check_chosen<std::int32_t>(table);
        check_chosen<std::int64_t>(table);
        check_chosen<Complex<float>>(table);
        check_chosen<Complex<double>>(table);
    });
}

}  // namespace tenferro::cpu::test
