// The functors of analytic functions against long double: real and complex, ordinary and extreme arguments.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "support/random_layout.hpp"
#include "tenferro/tensor/elementwise.hpp"

namespace tenferro::elementwise { namespace {

using Long = long double;
using LongComplex = std::complex<long double>;
template <class T>
using Limits = std::numeric_limits<T>;

/// Whether `actual` is the truth rounded to T, within ulps of the truth; infinite where T overflows, NaN
/// where the truth is.
template <class T>
::testing::AssertionResult near(T actual, Long truth, double ulps) {
    const T rounded = static_cast<T>(truth);
    if (actual == rounded || (std::isnan(actual) && std::isnan(truth))) return ::testing::AssertionSuccess();
    const Long error = std::fabs(static_cast<Long>(actual) - truth);
    if (std::isfinite(actual) &&
        error <= ulps * Limits<T>::epsilon() * std::fabs(truth) + Limits<T>::denorm_min())
        return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure()
           << actual << " is not " << static_cast<double>(truth) << ", error "
           << static_cast<double>(error / std::fabs(truth) / Limits<T>::epsilon()) << " ulp";
}

template <class T>
::testing::AssertionResult near(std::complex<T> actual, LongComplex truth, double ulps) {
    const Long error = std::abs(LongComplex(actual) - truth), unit = Limits<T>::epsilon() * std::abs(truth);
    if (error <= ulps * unit) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure()
           << actual << " is not " << truth << ", error " << static_cast<double>(error / unit) << " ulp";
}

template <class T>
std::vector<T> real_arguments() {
    std::vector<T> values{0,
                          1,
                          2,
                          T(0.5),
                          T(0.9999),
                          20,
                          88,
                          Limits<T>::denorm_min(),
                          Limits<T>::min(),
                          Limits<T>::epsilon(),
                          Limits<T>::max(),
                          Limits<T>::infinity(),
                          Limits<T>::quiet_NaN()};
    test::Draw draw(20240901);
    for (int i = 0; i < 300; ++i)
        values.push_back(static_cast<T>(draw.integer(1, 1 << 20)) / (1 << draw.integer(8, 24)));
    const std::size_t positive = values.size();
    for (std::size_t i = 0; i < positive; ++i) values.push_back(-values[i]);
    return values;
}

template <class T, class F>
void expect_real(F f, Long (*truth)(Long), double ulps, const char* name) {
    for (const T x : real_arguments<T>()) EXPECT_TRUE(near(f(x), truth(x), ulps)) << name << "(" << x << ")";
}

template <class T>
void expect_all_real() {
#define EXPECT_REAL(F, truth, ulps) \
    expect_real<T>(                 \
        F{}, [](Long x) -> Long { return truth; }, ulps, #F)
    EXPECT_REAL(Exp, std::exp(x), 2);
    EXPECT_REAL(Expm1, std::expm1(x), 2);
    EXPECT_REAL(Log, std::log(x), 2);
    EXPECT_REAL(Log1p, std::log1p(x), 2);
    EXPECT_REAL(Sqrt, std::sqrt(x), 1);
    EXPECT_REAL(Rsqrt, 1 / std::sqrt(x), 2);
    EXPECT_REAL(Sin, std::sin(x), 2);
    EXPECT_REAL(Cos, std::cos(x), 2);
    EXPECT_REAL(Tan, std::tan(x), 2);
    EXPECT_REAL(Asin, std::asin(x), 2);
    EXPECT_REAL(Acos, std::acos(x), 2);
    EXPECT_REAL(Atan, std::atan(x), 2);
    EXPECT_REAL(Sinh, std::sinh(x), 3);
    EXPECT_REAL(Cosh, std::cosh(x), 3);
    EXPECT_REAL(Tanh, std::tanh(x), 3);
    EXPECT_REAL(Asinh, std::asinh(x), 3);
    EXPECT_REAL(Acosh, std::acosh(x), 3);
    EXPECT_REAL(Atanh, std::atanh(x), 3);
    EXPECT_REAL(Erf, std::erf(x), 2);
    EXPECT_REAL(Erfc, std::erfc(x), 6);
    EXPECT_REAL(Lgamma, std::lgamma(x), 8);
    EXPECT_REAL(Sigmoid, 1 / (1 + std::exp(-x)), 4);
#undef EXPECT_REAL
}

TEST(ElementwiseFunctions, RealsAgreeWithLongDouble) {
    expect_all_real<float>();
    expect_all_real<double>();
}

template <class T, class F>
void expect_complex(F f, LongComplex (*truth)(LongComplex), double ulps, const char* name) {
    test::Draw draw(20240902);
    for (int i = 0; i < 1000; ++i) {
        const auto part = [&] {
            return static_cast<T>(draw.integer(-4096, 4096)) / static_cast<T>(1 << draw.integer(9, 16));
        };
        const T re = part();
        const std::complex<T> z(re, part());
        if (z == T{0}) continue;
        EXPECT_TRUE(near(f(z), truth(LongComplex(z)), ulps)) << name << z;
    }
}

/// log(1 + z) without the rounding of 1 + z.
LongComplex long_log1p(LongComplex z) {
    return std::abs(z) < 1 ? 2.0L * std::atanh(z / (2.0L + z)) : std::log(1.0L + z);
}

template <class T>
void expect_all_complex() {
#define EXPECT_COMPLEX(F, truth, ulps) \
    expect_complex<T>(                 \
        F{}, [](LongComplex z) -> LongComplex { return truth; }, ulps, #F)
    EXPECT_COMPLEX(Exp, std::exp(z), 4);
    EXPECT_COMPLEX(Expm1, 2.0L * std::exp(z / 2.0L) * std::sinh(z / 2.0L), 4);
    EXPECT_COMPLEX(Log, std::log(z), 4);
    EXPECT_COMPLEX(Log1p, long_log1p(z), 4);
    EXPECT_COMPLEX(Sqrt, std::sqrt(z), 4);
    EXPECT_COMPLEX(Rsqrt, 1.0L / std::sqrt(z), 6);
    EXPECT_COMPLEX(Sin, std::sin(z), 4);
    EXPECT_COMPLEX(Cos, std::cos(z), 4);
    EXPECT_COMPLEX(Tan, std::tan(z), 6);
    EXPECT_COMPLEX(Asin, std::asin(z), 6);
    EXPECT_COMPLEX(Acos, std::acos(z), 6);
    EXPECT_COMPLEX(Atan, std::atan(z), 6);
    EXPECT_COMPLEX(Sinh, std::sinh(z), 4);
    EXPECT_COMPLEX(Cosh, std::cosh(z), 4);
    EXPECT_COMPLEX(Tanh, std::tanh(z), 6);
    EXPECT_COMPLEX(Asinh, std::asinh(z), 6);
    EXPECT_COMPLEX(Acosh, std::acosh(z), 6);
    EXPECT_COMPLEX(Atanh, std::atanh(z), 6);
    EXPECT_COMPLEX(Sign, z / std::abs(z), 4);
#undef EXPECT_COMPLEX
}

TEST(ElementwiseFunctions, ComplexAgreesWithLongDouble) {
    expect_all_complex<float>();
    expect_all_complex<double>();
}

TEST(ElementwiseFunctions, ComplexSigmoidAgreesAwayFromItsPoles) {
    test::Draw draw(20240903);
    for (int i = 0; i < 1000; ++i) {
        const std::complex<double> z(static_cast<double>(draw.integer(-700000, 700000)) / 1000,
                                     static_cast<double>(draw.integer(-2000, 2000)) / 1000);
        EXPECT_TRUE(near(Sigmoid{}(z), 1.0L / (1.0L + std::exp(-LongComplex(z))), 6)) << z;
    }
}

TEST(ElementwiseFunctions, ComplexPowersAgree) {
    test::Draw draw(20240904);
    for (int i = 0; i < 1000; ++i) {
        const auto part = [&] { return static_cast<double>(draw.integer(-3000, 3000)) / 1000; };
        const double x = part(), y = part(), u = part();
        const std::complex<double> z(x, y), w(u, part());
        if (z == 0.0 || w == 0.0) continue;
        const LongComplex logarithm = LongComplex(w) * std::log(LongComplex(z));
        EXPECT_TRUE(near(Pow{}(z, w), std::exp(logarithm), 4 + 4 * static_cast<double>(std::abs(logarithm))))
            << z << w;
    }
    using C = std::complex<double>;
    EXPECT_EQ(Pow{}(C(0), C(0)), C(1));
    EXPECT_EQ(Pow{}(C(2, 1), C(0)), C(1));
    EXPECT_EQ(Pow{}(C(0), C(2, 5)), C(0));
}

/// Arguments at which the plain formulas overflow, cancel or give NaN.
template <class T>
void expect_extremes() {
    using C = std::complex<T>;
    const T inf = Limits<T>::infinity(), huge = Limits<T>::max(), tiny = Limits<T>::min();
    EXPECT_EQ(Sigmoid{}(huge), T(1));
    EXPECT_EQ(Sigmoid{}(-huge), T(0));
    EXPECT_EQ(Sigmoid{}(C(huge, 1)), C(1));
    EXPECT_EQ(Sigmoid{}(C(-huge, 1)), C(0));
    EXPECT_EQ(Expm1{}(-huge), T(-1));
    EXPECT_EQ(Expm1{}(C(-huge, 1)), C(-1));
    EXPECT_EQ(Expm1{}(C(inf, 0)), C(inf, 0));
    EXPECT_EQ(Expm1{}(C(tiny, tiny)), C(tiny, tiny));
    EXPECT_TRUE(near(Log1p{}(C(huge, huge)), std::log(LongComplex(huge, huge)), 4));
    EXPECT_EQ(Log1p{}(C(tiny, tiny)), C(tiny, tiny));
    EXPECT_EQ(Log1p{}(C(-1, 0)), C(-inf, 0));
    EXPECT_TRUE(near(Sign{}(C(huge, -huge)), LongComplex(1, -1) / std::sqrt(2.0L), 4));
    EXPECT_EQ(Sign{}(C(0, 0)), C(0));
    EXPECT_EQ(Sign{}(C(inf, 3)), C(1, 0));
    EXPECT_TRUE(std::isnan(Sign{}(C(inf, Limits<T>::quiet_NaN())).real()));
    EXPECT_EQ(Rsqrt{}(C(0, 0)), C(inf, 0));
    EXPECT_EQ(Rsqrt{}(C(inf, 0)), C(0));
    EXPECT_TRUE(near(Rsqrt{}(C(-huge, 0)), LongComplex(0, -1) / std::sqrt(static_cast<Long>(huge)), 4));
    EXPECT_EQ(Rsqrt{}(T(-0.0)), -inf);
    EXPECT_EQ(Abs{}(C(3 * tiny, 4 * tiny)), 5 * tiny);
    EXPECT_EQ(Abs{}(C(-inf, 1)), inf);
}

TEST(ElementwiseFunctions, ExtremesNeitherOverflowNorCancel) {
    expect_extremes<float>();
    expect_extremes<double>();
}

}}  // namespace tenferro::elementwise
