// The vector math on every instruction set of the host: error in units of the last place against long double
// over drawn and special arguments.
#include "unit/cpu/vector_math.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

namespace tenferro::cpu::test { namespace {

constexpr double kMostUlps = 2;

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

}}  // namespace tenferro::cpu::test
