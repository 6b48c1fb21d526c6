// The vector math on every instruction set of the host: error in units of the last place against long double
// over drawn and special arguments, and lines of every length at every alignment.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "cpu/kernels/elementwise/line_table.hpp"
#include "support/random_layout.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"
#include "tenferro/tensor/elementwise.hpp"

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

Long log_gamma(Long x) {
    int sign = 0;  // not std::lgamma, which writes a global variable
    return ::lgammal_r(x, &sign);
}

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
    {OpId::Asin, [](Long x) { return std::asin(x); }, 1.1},
    {OpId::Acos, [](Long x) { return std::acos(x); }, 1.1},
    {OpId::Atan, [](Long x) { return std::atan(x); }, 20},
    {OpId::Asinh, [](Long x) { return std::asinh(x); }, 20},
    {OpId::Acosh, [](Long x) { return std::acosh(x); }, 20},
    {OpId::Atanh, [](Long x) { return std::atanh(x); }, 1.1},
    {OpId::Erf, [](Long x) { return std::erf(x); }, 7},
    {OpId::Erfc, [](Long x) { return std::erfc(x); }, 28},
    {OpId::Lgamma, log_gamma, 9},
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
                           4194305.0,
                           1.0019087275924428}) {
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

/// Special values, then draws from [-reach, reach], [-2, 2], numbers next to 1 and all finite numbers.
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
        values.push_back(static_cast<T>(
            1 + std::ldexp(uniform(), static_cast<int>(draw.integer(-Limits<T>::digits, -1)))));
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

/// The worst error of a function on every instruction set, which is printed.
class Worst {
public:
    Worst(OpId op, DType dtype, double most) : name_(info(op).name), dtype_(info(dtype).name), most_(most) {}
    ~Worst() { std::printf("%-8s %s %.3f\n", name_.c_str(), dtype_.c_str(), worst_); }
    Worst(const Worst&) = delete;
    Worst& operator=(const Worst&) = delete;

    template <class Argument, class Result>
    void add(double error, Argument x, Argument y, Result actual, Result truth) {
        if (error <= worst_) return;
        worst_ = error;
        EXPECT_LE(error, most_) << name_ << "(" << x << ", " << y << ") of " << dtype_ << " is " << actual
                                << ", not " << truth;
    }

private:
    const std::string name_, dtype_;
    const double most_;
    double worst_ = 0;
};

/// The line of `op` on every instruction set against `truth`, whose elements belong to those of x and, where
/// there are two operands, y.
template <class T>
void expect_accurate(OpId op, const std::vector<Long>& truth, const std::vector<T>& x,
                     const std::vector<T>& y) {
    Worst worst(op, storage_dtype<T>, kMostUlps);
    for_each_target([&](const LineTable& table) {
        std::vector<T> z(x.size());
        const void* in[] = {x.data(), y.data()};
        table.find(op, storage_dtype<T>)(z.data(), in, static_cast<Index>(x.size()));
        for (std::size_t i = 0; i < x.size(); ++i)
            worst.add(error_in_ulps(z[i], truth[i]), x[i], y[i], z[i], static_cast<T>(truth[i]));
    });
}

template <class T>
void expect_accurate(const Function& f) {
    std::vector<T> x = arguments<T>(f.reach);
    if (f.op ==
        OpId::Lgamma)  // below zero that of the standard library, which has few bits next to its zeros
        std::erase_if(x, [](T v) { return v < 0; });
    std::vector<Long> truth;
    for (const T v : x) truth.push_back(f.truth(static_cast<Long>(v)));
    expect_accurate(f.op, truth, x, x);
}

struct BinaryFunction {
    OpId op;
    Long (*truth)(Long, Long);
};

const BinaryFunction kBinaryFunctions[] = {
    {OpId::Pow, [](Long x, Long y) { return std::pow(x, y); }},
    {OpId::Atan2, [](Long x, Long y) { return std::atan2(x, y); }},
    {OpId::Hypot, [](Long x, Long y) { return std::hypot(x, y); }},
};

/// All pairs of special values; pairs of all finite numbers, of ordinary ones, of a number near 1 and a large
/// one, of a number and what makes its power as large as can be, and whole exponents.
template <class T>
void draw_pairs(std::vector<T>& x, std::vector<T>& y) {
    const std::vector<T> special = special_values<T>();
    for (std::size_t i = 0; i < special.size(); i += 3)
        for (std::size_t j = i % 2; j < special.size(); j += 2) {
            x.push_back(special[i]);
            y.push_back(special[j]);
        }
    Draw draw(20261122);
    const auto uniform = [&draw] {
        return static_cast<double>(draw.integer(-(Index{1} << 52), Index{1} << 52)) * 0x1p-52;
    };
    const auto everywhere = [&] {
        return std::ldexp(uniform(),
                          static_cast<int>(draw.integer(-Limits<T>::max_exponent, Limits<T>::max_exponent)));
    };
    const auto push = [&](double a, double b) {
        x.push_back(static_cast<T>(a));
        y.push_back(static_cast<T>(b));
    };
    constexpr double kReach = Limits<T>::max_exponent * 0.6931471805599453;
    for (int i = 0; i < kDrawsPerRegion; ++i) {
        push(everywhere(), everywhere());
        push(4 * uniform(), 4 * uniform());
        const double near = 1 + std::ldexp(uniform(), static_cast<int>(draw.integer(-Limits<T>::digits, -3)));
        push(near, kReach * uniform() / std::log(near));
        const double any = std::fabs(everywhere());
        push(any, kReach * 1.03 * uniform() / std::log(any));
        push(9 * uniform(), static_cast<double>(draw.integer(-60, 60)));
    }
}

template <class T>
void expect_accurate(const BinaryFunction& f) {
    std::vector<T> x, y;
    draw_pairs(x, y);
    std::vector<Long> truth;
    for (std::size_t i = 0; i < x.size(); ++i)
        truth.push_back(f.truth(static_cast<Long>(x[i]), static_cast<Long>(y[i])));
    expect_accurate(f.op, truth, x, y);
}

TEST(VectorMath, IsWithinTwoUlps) {
    for (const Function& f : kFunctions) {
        expect_accurate<float>(f);
        expect_accurate<double>(f);
    }
    for (const BinaryFunction& f : kBinaryFunctions) {
        expect_accurate<float>(f);
        expect_accurate<double>(f);
    }
}

struct BoundedFunction {
    OpId op;
    double least, most, reach;
};

/// An error of one unit in the last place may not lead out of these.
const BoundedFunction kBoundedFunctions[] = {
    {OpId::Sin, -1, 1, 40},     {OpId::Cos, -1, 1, 40}, {OpId::Tanh, -1, 1, 40},
    {OpId::Sigmoid, 0, 1, 800}, {OpId::Erf, -1, 1, 7},  {OpId::Erfc, 0, 2, 30},
};

/// Draws from [-reach, reach], and numbers next to multiples of pi / 2.
template <class T>
void expect_bounded(const BoundedFunction& f) {
    std::vector<T> x = arguments<T>(f.reach);
    Draw draw(20261123);
    for (int i = 0; i < kDrawsPerRegion; ++i) {
        const double quarter = static_cast<double>(draw.integer(-40, 40)) * 1.5707963267948966;
        const double near = std::ldexp(static_cast<double>(draw.integer(-1024, 1024)),
                                       static_cast<int>(draw.integer(-70, -12)));
        x.push_back(static_cast<T>(quarter + near));
    }
    std::erase_if(x, [](T v) { return !std::isfinite(v); });
    for_each_target([&](const LineTable& table) {
        std::vector<T> y(x.size());
        const void* const in[] = {x.data()};
        table.find(f.op, storage_dtype<T>)(y.data(), in, static_cast<Index>(x.size()));
        for (std::size_t i = 0; i < x.size(); ++i) {
            ASSERT_GE(y[i], static_cast<T>(f.least)) << info(f.op).name << " of " << x[i];
            ASSERT_LE(y[i], static_cast<T>(f.most)) << info(f.op).name << " of " << x[i];
        }
    });
}

TEST(VectorMath, StaysInTheRangeOfTheFunction) {
    for (const BoundedFunction& f : kBoundedFunctions) {
        expect_bounded<float>(f);
        expect_bounded<double>(f);
    }
}

template <class T>
using Complex = std::complex<T>;

struct ComplexFunction {
    OpId op;
    std::size_t operands;
    Complex<Long> (*truth)(Complex<Long>, Complex<Long>);
};

const ComplexFunction kComplexFunctions[] = {
    {OpId::Abs, 1, [](auto x, auto) -> Complex<Long> { return std::hypot(x.real(), x.imag()); }},
    {OpId::Sqrt, 1, [](auto x, auto) { return std::sqrt(x); }},
    {OpId::Exp, 1, [](auto x, auto) { return std::exp(x); }},
    {OpId::Log, 1, [](auto x, auto) { return std::log(x); }},
    {OpId::Div, 2, [](auto x, auto y) { return x / y; }},
};

/// Numbers whose parts are special, drawn among all finite numbers, ordinary, one far smaller than the other,
/// or next to the unit circle.
template <class T>
std::vector<Complex<T>> complex_numbers(std::uint64_t seed) {
    std::vector<Complex<T>> z;
    const auto push = [&z](double re, double im) { z.emplace_back(static_cast<T>(re), static_cast<T>(im)); };
    const std::vector<T> special = special_values<T>();
    for (std::size_t i = 0; i < special.size(); i += 2)
        for (std::size_t j = seed % 3; j < special.size(); j += 3) z.emplace_back(special[i], special[j]);
    Draw draw(seed);
    const auto uniform = [&draw] {
        return static_cast<double>(draw.integer(-(Index{1} << 52), Index{1} << 52)) * 0x1p-52;
    };
    const auto everywhere = [&](int lowest, int highest) {
        return std::ldexp(uniform(), static_cast<int>(draw.integer(lowest, highest)));
    };
    constexpr int kMost = Limits<T>::max_exponent;
    for (int i = 0; i < kDrawsPerRegion; ++i) {
        push(everywhere(-kMost, kMost), everywhere(-kMost, kMost));
        push(9 * uniform(), 9 * uniform());
        push(9 * uniform(), everywhere(-60, 0));
        push(everywhere(-60, 0), 700 * uniform());
        const double angle = 4 * uniform(), length = 1 + everywhere(-50, -1);
        push(length * std::cos(angle), length * std::sin(angle));
    }
    return z;
}

/// |actual - truth| in eps of the larger of |truth| and the smallest normal number; parts that are not finite
/// must be those of `scalar`, and zeros of the truth must have its sign where `scalar` has it too.
template <class T>
double error_in_eps(Complex<T> actual, Complex<Long> truth, Complex<T> scalar) {
    const auto special = [](T x) { return !std::isfinite(x); };
    const auto same = [](T x, T y) { return x == y || (std::isnan(x) && std::isnan(y)); };
    if (special(scalar.real()) || special(scalar.imag()) || special(actual.real()) || special(actual.imag()))
        return same(actual.real(), scalar.real()) && same(actual.imag(), scalar.imag()) ? 0 : 1e9;
    const auto other_zero = [](T x, Long exact, T y) {
        return exact == 0 && std::signbit(exact) == std::signbit(y) && std::signbit(x) != std::signbit(y);
    };
    if (other_zero(actual.real(), truth.real(), scalar.real()) ||
        other_zero(actual.imag(), truth.imag(), scalar.imag()))
        return 1e9;
    const Long size = std::max(std::hypot(truth.real(), truth.imag()), static_cast<Long>(Limits<T>::min()));
    return static_cast<double>(std::hypot(actual.real() - truth.real(), actual.imag() - truth.imag()) / size /
                               static_cast<Long>(Limits<T>::epsilon()));
}

template <class T>
Complex<T> scalar_complex(OpId op, Complex<T> x, Complex<T> y) {
    switch (op) {
        case OpId::Abs: return elementwise::Abs{}(x);
        case OpId::Sqrt: return elementwise::Sqrt{}(x);
        case OpId::Exp: return elementwise::Exp{}(x);
        case OpId::Log: return elementwise::Log{}(x);
        default: return elementwise::Div{}(x, y);
    }
}

constexpr double kMostEps = 4, kMostEpsOfAbs = 1;

template <class T>
void expect_accurate(const ComplexFunction& f) {
    const std::vector<Complex<T>> x = complex_numbers<T>(1);
    std::vector<Complex<T>> y = complex_numbers<T>(2);
    y.resize(x.size(), Complex<T>(1, 2));
    std::vector<Complex<Long>> truth;
    for (std::size_t i = 0; i < x.size(); ++i)
        truth.push_back(f.truth(Complex<Long>(x[i]), Complex<Long>(y[i])));
    Worst worst(f.op, storage_dtype<Complex<T>>, f.op == OpId::Abs ? kMostEpsOfAbs : kMostEps);
    for_each_target([&](const LineTable& table) {
        std::vector<Complex<T>> z(x.size());
        std::vector<T> real(x.size());
        const void* in[] = {x.data(), y.data()};
        const bool to_real = f.op == OpId::Abs;
        table.find(f.op, storage_dtype<Complex<T>>)(to_real ? static_cast<void*>(real.data()) : z.data(), in,
                                                    static_cast<Index>(x.size()));
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (to_real) z[i] = real[i];
            worst.add(error_in_eps(z[i], truth[i], scalar_complex(f.op, x[i], y[i])), x[i], y[i], z[i],
                      Complex<T>(truth[i]));
        }
    });
}

TEST(VectorMath, ComplexFunctionsAreWithinFourEps) {
    for (const ComplexFunction& f : kComplexFunctions) {
        expect_accurate<float>(f);
        expect_accurate<double>(f);
    }
}

/// Calls f<Out, In>(op, operands) for every function of every type.
template <class F>
void for_each_line(F f) {
    const auto real = [&f](OpId op, std::size_t operands) {
        f.template operator()<float, float>(op, operands);
        f.template operator()<double, double>(op, operands);
    };
    for (const Function& function : kFunctions) real(function.op, 1);
    for (const BinaryFunction& function : kBinaryFunctions) real(function.op, 2);
    for (const ComplexFunction& function : kComplexFunctions) {
        if (function.op == OpId::Abs) {
            f.template operator()<float, Complex<float>>(function.op, 1);
            f.template operator()<double, Complex<double>>(function.op, 1);
        } else {
            f.template operator()<Complex<float>, Complex<float>>(function.op, function.operands);
            f.template operator()<Complex<double>, Complex<double>>(function.op, function.operands);
        }
    }
}

/// Operands with ordinary and some exceptional elements.
template <class T>
std::vector<T> line_operand(std::size_t count, double step, double first) {
    std::vector<T> x;
    for (std::size_t i = 0; i < count; ++i) {
        const double value = first + step * static_cast<double>(i);
        const double first_part = i % 17 == 5 ? 0 : i % 17 == 11 ? HUGE_VAL : value;
        if constexpr (std::is_floating_point_v<T>)
            x.push_back(static_cast<T>(first_part));
        else
            x.emplace_back(static_cast<typename T::value_type>(first_part),
                           static_cast<typename T::value_type>(0.5 - value));
    }
    return x;
}

/// Lines of 0 to 33 elements, at every alignment, in place too, give what one long plain line gives, and
/// write nothing beside.
template <class Out, class In>
void expect_any_line(OpId op, std::size_t operands, LineFunction plain, LineFunction line) {
    constexpr std::size_t kLongest = 33, kOffsets = 8;
    std::vector<Out> whole(kLongest + kOffsets);
    const std::vector<In> x = line_operand<In>(whole.size(), 0.37, -3),
                          y = line_operand<In>(whole.size(), 0.2, 1);
    const void* const all[] = {x.data(), y.data()};
    plain(whole.data(), all, static_cast<Index>(x.size()));
    for (std::size_t count = 0; count <= kLongest; ++count)
        for (std::size_t offset = 0; offset < kOffsets; ++offset) {
            std::vector<Out> z(offset + count + 1, Out(77));
            const void* const in[] = {x.data() + offset, y.data() + offset};
            line(z.data() + offset, in, static_cast<Index>(count));
            ASSERT_EQ(std::memcmp(z.data() + offset, whole.data() + offset, count * sizeof(Out)), 0)
                << info(op).name << " " << count;
            ASSERT_EQ(z[offset + count], Out(77));
            if constexpr (std::is_same_v<In, Out>) {
                for (std::size_t k = 0; k < operands; ++k) {
                    std::vector<In> in_place = k == 0 ? x : y;
                    const std::vector<In> before = in_place;
                    const void* same[] = {in[0], in[1]};
                    same[k] = in_place.data() + offset;
                    line(in_place.data() + offset, same, static_cast<Index>(count));
                    ASSERT_EQ(
                        std::memcmp(in_place.data() + offset, whole.data() + offset, count * sizeof(In)), 0)
                        << info(op).name << " " << count;
                    ASSERT_EQ(std::memcmp(in_place.data() + offset + count, before.data() + offset + count,
                                          (x.size() - offset - count) * sizeof(In)),
                              0);
                }
            }
        }
}

TEST(VectorMath, LinesMayHaveAnyLengthAndAlignment) {
    for_each_target([](const LineTable& table) {
        for_each_line([&table]<class Out, class In>(OpId op, std::size_t operands) {
            constexpr DType dtype = storage_dtype<In>;
            const LineFunction line = table.find(op, dtype), streaming = table.find_streaming(op, dtype);
            expect_any_line<Out, In>(op, operands, line, line);
            if (streaming != nullptr) expect_any_line<Out, In>(op, operands, line, streaming);
        });
    });
}

/// What a line gives for an element does not depend on its neighbours: that of the element alone has its
/// bits.
template <class Out, class In>
void expect_the_same_alone(OpId op, LineFunction line, const std::vector<In>& x, const std::vector<In>& y) {
    std::vector<Out> z(x.size());
    const void* const all[] = {x.data(), y.data()};
    line(z.data(), all, static_cast<Index>(x.size()));
    const std::size_t step = 1 + x.size() / 5000;
    for (std::size_t i = 0; i < x.size(); i += step) {
        Out alone;
        const void* const in[] = {&x[i], &y[i]};
        line(&alone, in, 1);
        ASSERT_EQ(std::memcmp(&alone, &z[i], sizeof(Out)), 0)
            << info(op).name << "(" << x[i] << ", " << y[i] << ") is " << alone << " or " << z[i];
    }
}

TEST(VectorMath, NeighboursDoNotMatter) {
    for_each_target([](const LineTable& table) {
        const auto real = [&table]<class T>(OpId op, const std::vector<T>& x, const std::vector<T>& y) {
            expect_the_same_alone<T, T>(op, table.find(op, storage_dtype<T>), x, y);
        };
        for (const Function& f : kFunctions) {
            real(f.op, arguments<float>(f.reach), arguments<float>(f.reach));
            real(f.op, arguments<double>(f.reach), arguments<double>(f.reach));
        }
        const auto pairs = [&real]<class T>(OpId op, T) {
            std::vector<T> x, y;
            draw_pairs(x, y);
            real(op, x, y);
        };
        for (const BinaryFunction& f : kBinaryFunctions) {
            pairs(f.op, 0.f);
            pairs(f.op, 0.);
        }
        const auto complex = [&table]<class T>(OpId op, T) {
            const LineFunction line = table.find(op, storage_dtype<Complex<T>>);
            const std::vector<Complex<T>> x = complex_numbers<T>(1);
            std::vector<Complex<T>> y = complex_numbers<T>(2);
            y.resize(x.size(), Complex<T>(1, 2));
            if (op == OpId::Abs)
                expect_the_same_alone<T, Complex<T>>(op, line, x, y);
            else
                expect_the_same_alone<Complex<T>, Complex<T>>(op, line, x, y);
        };
        for (const ComplexFunction& f : kComplexFunctions) {
            complex(f.op, 0.f);
            complex(f.op, 0.);
        }
    });
}

/// Long lines fetch ahead; they and those past the caches hold the bits of short ones.
TEST(VectorMath, LongLinesHoldTheBitsOfShortOnes) {
    for_each_target([](const LineTable& table) {
        for_each_line([&table]<class Out, class In>(OpId op, std::size_t) {
            constexpr std::size_t kLong = 5003, kShort = 100;
            const std::vector<In> x = line_operand<In>(kLong, 1e-3, -2), y = line_operand<In>(kLong, 7e-4, 1);
            std::vector<Out> z(kLong), whole(kLong);
            constexpr DType dtype = storage_dtype<In>;
            const LineFunction line = table.find(op, dtype);
            for (std::size_t i = 0; i < kLong; i += kShort) {
                const void* const in[] = {x.data() + i, y.data() + i};
                line(z.data() + i, in, static_cast<Index>(std::min(kShort, kLong - i)));
            }
            for (const LineFunction longer : {line, table.find_streaming(op, dtype)}) {
                if (longer == nullptr) continue;
                const void* const in[] = {x.data(), y.data()};
                longer(whole.data(), in, static_cast<Index>(kLong));
                EXPECT_EQ(std::memcmp(whole.data(), z.data(), sizeof(Out) * kLong), 0) << info(op).name;
            }
        });
    });
}

}}  // namespace tenferro::cpu
