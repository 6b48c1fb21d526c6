// The vector math on every instruction set of the host: error in units of the last place against long double
// over drawn and special arguments, and lines of every length at every alignment.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "cpu/kernels/elementwise/line_table.hpp"
#include "support/random_layout.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"

#include <hwy/targets.h>

namespace tenferro::cpu { namespace {

using Long = long double;
template <class T>
using Limits = std::numeric_limits<T>;
using test::Draw;

constexpr double kMostUlps = 2;
constexpr int kDrawsPerRegion = 30000;

struct Function {
    OpId op;
    Long (*truth)(Long);
    double reach;  // arguments beyond overflow, underflow or saturate in double
};

const Function kFunctions[] = {
    {OpId::Exp, [](Long x) { return std::exp(x); }, 800},
    {OpId::Expm1, [](Long x) { return std::expm1(x); }, 800},
    {OpId::Sinh, [](Long x) { return std::sinh(x); }, 800},
    {OpId::Cosh, [](Long x) { return std::cosh(x); }, 800},
    {OpId::Tanh, [](Long x) { return std::tanh(x); }, 40},
    {OpId::Sigmoid, [](Long x) { return 1 / (1 + std::exp(-x)); }, 800},
    {OpId::Log, [](Long x) { return std::log(x); }, 1e9},
    {OpId::Log1p, [](Long x) { return std::log1p(x); }, 1e9},
    {OpId::Sin, [](Long x) { return std::sin(x); }, 5e6},
    {OpId::Cos, [](Long x) { return std::cos(x); }, 5e6},
    {OpId::Sqrt, [](Long x) { return std::sqrt(x); }, 1e300},
    {OpId::Rsqrt, [](Long x) { return 1 / std::sqrt(x); }, 1e300},
};

/// Calls f(table) with the line kernels of every instruction set the host has.
template <class F>
void for_each_target(F f) {
    const std::int64_t supported = hwy::SupportedTargets() & HWY_TARGETS;
    for (std::int64_t rest = supported; rest != 0; rest &= rest - 1) {
        const std::int64_t target = rest & -rest;
        SCOPED_TRACE(hwy::TargetName(target));
        hwy::SetSupportedTargetsForTest(target);
        f(make_line_table());
    }
    hwy::SetSupportedTargetsForTest(0);
}

template <class T>
std::vector<T> special_values() {
    std::vector<T> values{0,
                          Limits<T>::denorm_min(),
                          3 * Limits<T>::denorm_min(),
                          Limits<T>::min(),
                          Limits<T>::epsilon(),
                          1,
                          2,
                          Limits<T>::max(),
                          Limits<T>::infinity(),
                          Limits<T>::quiet_NaN()};
    for (const double x : {0.25,
                           0.34657359,
                           0.5,
                           0.70710678,
                           1.0397207,
                           1.41421356,
                           88.722839,
                           87.33655,
                           103.97208,
                           104.0,
                           709.782712893384,
                           708.3964185322641,
                           745.1332191019411,
                           745.2,
                           22.0,
                           19.06,
                           1e22,
                           1e300,
                           4194304.0,
                           4194305.0}) {
        values.push_back(static_cast<T>(x));
        values.push_back(std::nextafter(static_cast<T>(x), T{0}));
        values.push_back(std::nextafter(static_cast<T>(x), Limits<T>::infinity()));
    }
    for (int k = 1; k < 40; ++k) {
        values.push_back(static_cast<T>(k * 1.57079632679489661923L));
        values.push_back(static_cast<T>(k * 10007 * 1.57079632679489661923L));
        values.push_back(static_cast<T>((2 * k - 1) * 0.34657359027997265471L));
    }
    const std::size_t positive = values.size();
    for (std::size_t i = 0; i < positive; ++i) values.push_back(-values[i]);
    return values;
}

/// Special values, then draws from [-reach, reach], [-2, 2] and all finite numbers.
template <class T>
std::vector<T> arguments(double reach) {
    std::vector<T> values = special_values<T>();
    Draw draw(20241107);
    const auto uniform = [&draw] {
        return static_cast<double>(draw.integer(-(Index{1} << 52), Index{1} << 52)) * 0x1p-52;
    };
    for (int i = 0; i < kDrawsPerRegion; ++i) {
        values.push_back(static_cast<T>(reach * uniform()));
        values.push_back(static_cast<T>(2 * uniform()));
        const double everywhere = std::ldexp(
            uniform(), static_cast<int>(draw.integer(-Limits<T>::max_exponent, Limits<T>::max_exponent)));
        values.push_back(static_cast<T>(everywhere));
    }
    return values;
}

/// |actual - truth| in units of the last place of T at the truth; 0 for equal infinities and NaN.
template <class T>
double error_in_ulps(T actual, Long truth) {
    constexpr double kWrong = 1e9;
    if (std::isnan(truth) || std::isnan(actual)) return std::isnan(truth) && std::isnan(actual) ? 0 : kWrong;
    if (std::signbit(actual) != std::signbit(truth)) return kWrong;
    if (std::isinf(actual) && std::isinf(static_cast<T>(truth))) return 0;
    if (std::isinf(actual)) return kWrong;
    const int exponent =
        std::max(truth == 0 ? Limits<int>::min() : std::ilogb(truth), Limits<T>::min_exponent - 1);
    return static_cast<double>(std::fabs(static_cast<Long>(actual) - truth) /
                               std::ldexp(Long{1}, exponent + 1 - Limits<T>::digits));
}

template <class T>
void expect_accurate(const Function& f) {
    const std::vector<T> x = arguments<T>(f.reach);
    std::vector<Long> truth;
    for (const T v : x) truth.push_back(f.truth(static_cast<Long>(v)));
    for_each_target([&](const LineTable& table) {
        std::vector<T> y(x.size());
        const void* in[] = {x.data()};
        table.find(f.op, storage_dtype<T>)(y.data(), in, static_cast<Index>(x.size()));
        double worst = 0;
        std::size_t at = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double error = error_in_ulps(y[i], truth[i]);
            if (error > worst) {
                worst = error;
                at = i;
            }
        }
        EXPECT_LE(worst, kMostUlps) << info(f.op).name << "(" << x[at] << ") is " << y[at] << ", not "
                                    << static_cast<double>(truth[at]);
#ifdef TENFERRO_SHOW
        std::printf("%-8s %s %s %.3f ulp at %.17g\n", std::string(info(f.op).name).c_str(),
                    sizeof(T) == 4 ? "f32" : "f64", hwy::TargetName(hwy::SupportedTargets()), worst,
                    double(x[at]));
#endif
    });
}

TEST(VectorMath, IsWithinTwoUlps) {
    for (const Function& f : kFunctions) {
        expect_accurate<float>(f);
        expect_accurate<double>(f);
    }
}

/// Lines of 0 to 33 elements, at every alignment, in place too, give what one long plain line gives, and
/// write nothing beside.
template <class T>
void expect_any_line(OpId op, LineFunction plain, LineFunction line) {
    constexpr std::size_t kLongest = 33, kOffsets = 8;
    std::vector<T> x, whole(kLongest + kOffsets);
    for (std::size_t i = 0; i < whole.size(); ++i)
        x.push_back(static_cast<T>(0.37 * static_cast<double>(i) - 3));
    const void* const all[] = {x.data()};
    plain(whole.data(), all, static_cast<Index>(x.size()));
    for (std::size_t count = 0; count <= kLongest; ++count)
        for (std::size_t offset = 0; offset < kOffsets; ++offset) {
            std::vector<T> y(offset + count + 1, T(77)), in_place = x;
            const void* const in[] = {x.data() + offset};
            line(y.data() + offset, in, static_cast<Index>(count));
            const void* const same[] = {in_place.data() + offset};
            line(in_place.data() + offset, same, static_cast<Index>(count));
            const std::size_t bytes = count * sizeof(T);
            ASSERT_EQ(std::memcmp(y.data() + offset, whole.data() + offset, bytes), 0)
                << info(op).name << " " << count;
            ASSERT_EQ(std::memcmp(in_place.data() + offset, whole.data() + offset, bytes), 0)
                << info(op).name << " " << count;
            ASSERT_EQ(y[offset + count], T(77));
            ASSERT_EQ(std::memcmp(in_place.data() + offset + count, x.data() + offset + count,
                                  (x.size() - offset - count) * sizeof(T)),
                      0);
        }
}

template <class T>
void expect_any_line(const LineTable& table, OpId op) {
    constexpr DType dtype = storage_dtype<T>;
    const LineFunction line = table.find(op, dtype), streaming = table.find_streaming(op, dtype);
    expect_any_line<T>(op, line, line);
    if (streaming != nullptr) expect_any_line<T>(op, line, streaming);
}

TEST(VectorMath, LinesMayHaveAnyLengthAndAlignment) {
    for_each_target([](const LineTable& table) {
        for (const Function& f : kFunctions) {
            expect_any_line<float>(table, f.op);
            expect_any_line<double>(table, f.op);
        }
    });
}

/// Long lines fetch ahead; they and those past the caches hold the bits of short ones.
TEST(VectorMath, LongLinesHoldTheBitsOfShortOnes) {
    constexpr Index kLong = 5003, kShort = 100;
    std::vector<double> x, y(kLong), whole(kLong);
    for (Index i = 0; i < kLong; ++i) x.push_back(1e-3 * static_cast<double>(i) - 2);
    for_each_target([&](const LineTable& table) {
        for (const Function& f : kFunctions) {
            const LineFunction line = table.find(f.op, DType::F64);
            for (Index i = 0; i < kLong; i += kShort) {
                const void* const in[] = {x.data() + i};
                line(y.data() + i, in, std::min(kShort, kLong - i));
            }
            for (const LineFunction longer : {line, table.find_streaming(f.op, DType::F64)}) {
                if (longer == nullptr) continue;
                const void* const in[] = {x.data()};
                longer(whole.data(), in, kLong);
                EXPECT_EQ(std::memcmp(whole.data(), y.data(), sizeof(double) * kLong), 0) << info(f.op).name;
            }
        }
    });
}

}}  // namespace tenferro::cpu
