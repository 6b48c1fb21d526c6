// The rules of elementwise operations on both backends: wrapping, truncation, typed errors before anything is
// written, NaN, comparison, choice, conversion.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "support/expect_error.hpp"
#include "support/not_finite.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/reference/reference_backend.hpp"
#include "tenferro/tensor/elementwise/conversion.hpp"

namespace tenferro { namespace {

using test::kInf;
using test::kNaN;

constexpr Index kLarge = 200001;  // enough for several threads

template <class T>
Tensor vec(std::initializer_list<T> values) {
    return Tensor::from_data(std::span<const T>(values.begin(), values.size()),
                             Dims{static_cast<Index>(values.size())});
}

template <class T>
void expect_values(const Tensor& actual, std::initializer_list<T> expected) {
    ASSERT_EQ(actual.shape(), (Dims{static_cast<Index>(expected.size())}));
    const T* value = actual.data_as<T>();
    for (const T e : expected) {
        if constexpr (std::is_floating_point_v<T>) {
            if (std::isnan(e)) {
                EXPECT_TRUE(std::isnan(*value++));
                continue;
            }
        }
        EXPECT_EQ(*value++, e);
    }
}

class Elementwise : public ::testing::TestWithParam<bool> {
protected:
    TensorBackend& backend() { return *backend_; }

private:
    std::unique_ptr<TensorBackend> make() {
        if (GetParam()) return CpuBackend::with_threads(2);
        return std::make_unique<ReferenceBackend>();
    }
    std::unique_ptr<TensorBackend> backend_ = make();
};
/// A number whose parts have exponents from all of the range, subnormals included.
template <class T>
std::complex<T> drawn_extreme(std::mt19937_64& random) {
    const auto part = [&random] {
        constexpr int kLow = std::numeric_limits<T>::min_exponent - 20,
                      kHigh = std::numeric_limits<T>::max_exponent;
        const T magnitude = std::ldexp(T(1) - static_cast<T>(random() % 1024) / 2048,
                                       static_cast<int>(random() % (kHigh - kLow)) + kLow);
        return random() % 2 == 0 ? magnitude : -magnitude;
    };
    const T re = part();
    return {re, part()};
}

/// Quotients and moduli against the definitions in numbers of a wider range, where those are normal numbers.
template <class T>
void expect_scaled(TensorBackend& backend) {
    using Limits = std::numeric_limits<T>;
    using Long = std::complex<long double>;
    std::mt19937_64 random(7);
    std::vector<std::complex<T>> x, y;
    for (int i = 0; i < 20000; ++i) {
        x.push_back(drawn_extreme<T>(random));
        y.push_back(drawn_extreme<T>(random));
    }
    const Dims shape{static_cast<Index>(x.size())};
    const Tensor a = Tensor::from_data<std::complex<T>>(x, shape),
                 b = Tensor::from_data<std::complex<T>>(y, shape);
    const Tensor quotient = backend.div_read(a, b), modulus = backend.abs_read(a);
    const auto is_normal = [](long double value) {
        return value > 4 * Limits::min() && value < Limits::max() / 2;
    };
    const auto expect_close = [](Long actual, Long exact, std::size_t i) {
        ASSERT_LE(std::abs(actual - exact), 4 * Limits::epsilon() * std::abs(exact)) << i << ": " << actual;
    };
    for (std::size_t i = 0; i < x.size(); ++i) {
        const Long u(x[i]), v(y[i]), exact = u * std::conj(v) / std::norm(v);
        if (is_normal(std::abs(exact))) expect_close(Long(quotient.data_as<std::complex<T>>()[i]), exact, i);
        if (is_normal(std::abs(u))) expect_close(modulus.data_as<T>()[i], std::abs(u), i);
    }
}

TEST_P(Elementwise, ComplexQuotientsAndModuliDoNotOverflowOnTheWay) {
    expect_scaled<double>(backend());
    expect_scaled<float>(backend());
    using C = std::complex<double>;
    const Tensor x = vec<C>({{1e300, 1e300}, {kInf, 1}, {1, 1}, {1, 0}, {kNaN, 1}});
    const Tensor y = vec<C>({{1e300, 1e300}, {1, 1}, {kInf, -kInf}, {0, 0}, {1, 1}});
    const Tensor quotient = backend().div_read(x, y), modulus = backend().abs_read(x);
    const C* q = quotient.data_as<C>();
    EXPECT_EQ(q[0], C(1));
    EXPECT_TRUE(std::isinf(q[1].real()) || std::isinf(q[1].imag())) << q[1];
    EXPECT_EQ(q[2], C(0));
    EXPECT_TRUE(std::isinf(q[3].real())) << q[3];
    EXPECT_TRUE(std::isnan(q[4].real()) && std::isnan(q[4].imag())) << q[4];
    EXPECT_EQ(modulus.data_as<double>()[1], kInf);
}

INSTANTIATE_TEST_SUITE_P(Backends, Elementwise, ::testing::Bool(),
                         [](const auto& param) { return param.param ? "Cpu" : "Reference"; });

template <class T>
void expect_integer_rules(TensorBackend& b) {
    constexpr T min = std::numeric_limits<T>::min(), max = std::numeric_limits<T>::max();
    expect_values<T>(b.add_read(vec<T>({max, min}), vec<T>({1, -1})), {min, max});
    expect_values<T>(b.sub_read(vec<T>({min, 0}), vec<T>({1, min})), {max, min});
    expect_values<T>(b.mul_read(vec<T>({max, min}), vec<T>({2, -1})), {-2, min});
    expect_values<T>(b.neg_read(vec<T>({min, 5})), {min, -5});
    expect_values<T>(b.abs_read(vec<T>({min, -5, 5})), {min, 5, 5});
    expect_values<T>(b.sign_read(vec<T>({min, 0, 5})), {-1, 0, 1});
    expect_values<T>(b.div_read(vec<T>({7, -7, 7, -7, min}), vec<T>({2, 2, -2, -2, -1})),
                     {3, -3, -3, 3, min});
    expect_values<T>(b.rem_read(vec<T>({7, -7, 7, -7, min}), vec<T>({2, 2, -2, -2, -1})), {1, -1, 1, -1, 0});
    expect_values<T>(b.pow_read(vec<T>({3, -2, 0, 2}), vec<T>({4, 3, 0, std::numeric_limits<T>::digits})),
                     {81, -8, 1, min});
    expect_values<T>(b.maximum_read(vec<T>({min, 3}), vec<T>({max, 2})), {max, 3});
    expect_values<T>(b.minimum_read(vec<T>({min, 3}), vec<T>({max, 2})), {min, 2});
}

TEST_P(Elementwise, IntegersWrapAndTruncate) {
    expect_integer_rules<std::int32_t>(backend());
    expect_integer_rules<std::int64_t>(backend());
}

TEST_P(Elementwise, IntegersWithoutResultAreErrorsBeforeOutputIsWritten) {
    using T = std::int32_t;
    Tensor a = Tensor::from_data<T>(std::vector<T>{1, 2, 3, 4, 5, 6}, Dims{2, 3});
    Tensor b = Tensor::from_data<T>(std::vector<T>{1, 2, 1, 0, 1, 0}, Dims{2, 3});
    Tensor out = Tensor::from_data<T>(std::vector<T>{9, 9, 9, 9, 9, 9}, Dims{2, 3});
    const char* at = ": lhs 4 and rhs 0 at position [1, 1] have no integer result";
    EXPECT_ERROR(backend().div_into(a, b, out.write()), InvalidArgument, text("div", at));
    EXPECT_ERROR(backend().rem_into(a, b, out.write()), InvalidArgument, text("rem", at));
    for (Index i = 0; i < 6; ++i) EXPECT_EQ(out.data_as<T>()[i], 9);
    EXPECT_ERROR(backend().div(std::move(a), std::move(b)), InvalidArgument, "div");
    for (Index i = 0; i < 6; ++i) EXPECT_EQ(a.data_as<T>()[i], i + 1);
    EXPECT_ERROR(backend().pow_read(vec<T>({2, 1}), vec<T>({0, -1})), InvalidArgument,
                 "pow: lhs 1 and rhs -1 at position [1] have no integer result");

    const Tensor one = vec<T>({1}), zero = vec<T>({0});
    const auto repeat = [](const Tensor& x) { return x.read().broadcast_view(Dims{1, 40}, Dims{0}); };
    EXPECT_ERROR(backend().div_read(repeat(one), repeat(zero)), InvalidArgument, "at position [0, 0]");
    EXPECT_ERROR(backend().div_read(repeat(one).transpose_view(Dims{1, 0}), repeat(zero)), ShapeMismatch,
                 "div");
    EXPECT_EQ(
        backend().div_read(Tensor::zeros(DType::I32, Dims{0}), Tensor::zeros(DType::I32, Dims{0})).size(), 0);
}

TEST_P(Elementwise, TheLastOfManyDivisorsIsLookedAt) {
    std::vector<std::int64_t> divisors(kLarge, 3);
    divisors.back() = 0;
    const Tensor a = Tensor::zeros(DType::I64, Dims{kLarge});
    const Tensor b = Tensor::from_data<std::int64_t>(divisors, Dims{kLarge});
    EXPECT_ERROR(backend().div_read(a, b), InvalidArgument, text("at position [", kLarge - 1, "]"));
}

TEST_P(Elementwise, FloatsFollowIeee) {
    TensorBackend& b = backend();
    expect_values<double>(b.div_read(vec({1.0, -1.0, 0.0}), vec({0.0, 0.0, 0.0})), {kInf, -kInf, kNaN});
    expect_values<double>(b.sqrt_read(vec({-1.0, 4.0})), {kNaN, 2});
    expect_values<double>(b.log_read(vec({-1.0, 0.0})), {kNaN, -kInf});
    expect_values<double>(b.rem_read(vec({-7.5, 7.5, 1.0}), vec({2.0, -2.0, 0.0})), {-1.5, 1.5, kNaN});
    expect_values<double>(b.maximum_read(vec({kNaN, 1.0, 2.0}), vec({1.0, kNaN, 3.0})), {kNaN, kNaN, 3});
    expect_values<double>(b.minimum_read(vec({kNaN, 1.0, 2.0}), vec({1.0, kNaN, 3.0})), {kNaN, kNaN, 2});
    expect_values<double>(b.sign_read(vec({kNaN, -kInf, 0.0})), {kNaN, -1, 0});
    EXPECT_TRUE(std::signbit(b.sign_read(vec({-0.0})).data_as<double>()[0]));
    EXPECT_TRUE(std::signbit(b.neg_read(vec({0.0})).data_as<double>()[0]));
    expect_values<double>(b.atan2_read(vec({1.0, -1.0}), vec({0.0, 0.0})), {std::acos(0.0), -std::acos(0.0)});
    expect_values<double>(b.hypot_read(vec({3e300}), vec({4e300})), {5e300});
    expect_values<double>(b.pow_read(vec({2.0, -8.0}), vec({-1.0, 0.5})), {0.5, kNaN});
}

TEST_P(Elementwise, ComplexAbsIsRealAndComplexHasNoOrder) {
    using C = std::complex<double>;
    TensorBackend& b = backend();
    expect_values<double>(b.abs(vec<C>({{3, 4}, {-6, 8}})), {5, 10});
    expect_values<C>(b.div_read(vec<C>({{1, 2}}), vec<C>({{3, -4}})), {C(-0.2, 0.4)});
    expect_values<bool>(b.equal_read(vec<C>({{1, 2}, {1, 2}}), vec<C>({{1, 2}, {1, 3}})), {true, false});
    const Tensor z = vec<C>({{1, 2}});
    EXPECT_ERROR(b.maximum_read(z, z), Unsupported, "maximum: dtype c64");
    EXPECT_ERROR(b.minimum_read(z, z), Unsupported, "minimum: dtype c64");
    EXPECT_ERROR(b.less_read(z, z), Unsupported, "less: dtype c64");
    EXPECT_ERROR(b.clamp_read(z, z, z), Unsupported, "clamp: dtype c64");
    EXPECT_ERROR(b.compare_read(vec({true}), vec({true}), Comparison::Greater), Unsupported,
                 "greater: dtype bool");
}

TEST_P(Elementwise, CompareHasSixDirectionsAndNoneHoldsForNaN) {
    const Tensor x = vec({1.0, 2.0, 3.0, kNaN}), y = vec({2.0, 2.0, 2.0, 2.0});
    const auto compare = [&](Comparison direction) { return backend().compare_read(x, y, direction); };
    expect_values<bool>(compare(Comparison::Equal), {false, true, false, false});
    expect_values<bool>(compare(Comparison::NotEqual), {true, false, true, true});
    expect_values<bool>(compare(Comparison::Less), {true, false, false, false});
    expect_values<bool>(compare(Comparison::LessEqual), {true, true, false, false});
    expect_values<bool>(compare(Comparison::Greater), {false, false, true, false});
    expect_values<bool>(compare(Comparison::GreaterEqual), {false, true, true, false});
    expect_values<bool>(backend().compare(x.duplicate(), y.duplicate(), Comparison::Less),
                        {true, false, false, false});
    Tensor out = Tensor::zeros(DType::Bool, Dims{4});
    backend().compare_into(x, y, Comparison::Greater, out.write());
    expect_values<bool>(out, {false, false, true, false});
    EXPECT_ERROR(backend().less_into(x, y, Tensor::zeros(DType::F64, Dims{4}).write()), DTypeMismatch,
                 "less: out has dtype f64 but the result has bool");
}

TEST_P(Elementwise, SelectAndClamp) {
    TensorBackend& b = backend();
    const Tensor p = vec({true, false, true}), x = vec({1.0, 2.0, kNaN}), y = vec({-1.0, -2.0, -3.0});
    expect_values<double>(b.select_read(p, x, y), {1, -2, kNaN});
    EXPECT_ERROR(b.select_read(x, x, y), DTypeMismatch, "select: predicate has dtype f64 but needs bool");
    EXPECT_ERROR(b.select_read(p, x, vec({1})), DTypeMismatch,
                 "select: on_true has dtype f64 but on_false has i32");
    EXPECT_ERROR(b.select_read(p, x, vec({1.0})), ShapeMismatch, "select");
    expect_values<double>(b.clamp_read(vec({0.0, 0.0, 0.0, 3.0, kNaN}), vec({-5.0, 0.5, 9.0, 5.0, 1.0}),
                                       vec({1.0, 1.0, 1.0, 2.0, 2.0})),
                          {0, 0.5, 1, 2, kNaN});
    expect_values<double>(b.clamp_read(vec({0.0, 0.0}), vec({kNaN, 1.0}), vec({1.0, kNaN})), {kNaN, kNaN});
    EXPECT_ERROR(b.clamp_read(vec({0}), vec({1.0}), vec({1.0})), DTypeMismatch,
                 "clamp: low has dtype i32 but the operand has f64");
    Tensor out = x.duplicate();
    EXPECT_ERROR(b.select_into(p, out, y, out.write()), InvalidArgument,
                 "select: out overlaps the memory of on_true");
    EXPECT_ERROR(b.clamp_into(x, y, out, out.write()), InvalidArgument,
                 "clamp: out overlaps the memory of high");
}

TEST_P(Elementwise, LargeOperandsAreSelectedAndClampedEverywhere) {
    std::vector<std::int32_t> values(kLarge);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int32_t>(i % 1000) - 500;
    const Tensor x = Tensor::from_data<std::int32_t>(values, Dims{kLarge});
    const Tensor bounds = vec({-100, 100});
    const auto bound = [&](Index i) {
        return bounds.read().select_view(0, i).broadcast_view(Dims{kLarge}, Dims{});
    };
    const Tensor clamped = backend().clamp_read(bound(0), x, bound(1));
    const Tensor selected = backend().select_read(backend().less_read(x, bound(0)), bound(1), x);
    for (std::size_t i = 0; i < values.size(); ++i) {
        ASSERT_EQ(clamped.data_as<std::int32_t>()[i], std::min(std::max(values[i], -100), 100)) << i;
        ASSERT_EQ(selected.data_as<std::int32_t>()[i], values[i] < -100 ? 100 : values[i]) << i;
    }
}

TEST_P(Elementwise, CastTruncatesSaturatesAndDrops) {
    using C = std::complex<double>;
    TensorBackend& b = backend();
    const auto to_i32 = [&](const Tensor& x) { return b.cast_read(x, DType::I32); };
    constexpr auto min32 = std::numeric_limits<std::int32_t>::min(),
                   max32 = std::numeric_limits<std::int32_t>::max();
    constexpr auto min64 = std::numeric_limits<std::int64_t>::min(),
                   max64 = std::numeric_limits<std::int64_t>::max();
    expect_values<std::int32_t>(
        to_i32(vec({1.9, -1.9, kNaN, kInf, -kInf, 2147483647.5, -2147483648.5, 2147483648.0})),
        {1, -1, 0, max32, min32, max32, min32, max32});
    expect_values<std::int32_t>(to_i32(vec({2.5f, 2147483648.0f, -3e9f})), {2, max32, min32});
    expect_values<std::int64_t>(b.cast_read(vec({9.3e18, -9.3e18, kNaN, -2.5}), DType::I64),
                                {max64, min64, 0, -2});
    expect_values<std::int32_t>(to_i32(vec<std::int64_t>({max64, 1LL << 32 | 5, -1})), {-1, 5, -1});
    expect_values<std::int32_t>(to_i32(vec<C>({{-2.7, 9}, {kInf, 0}})), {-2, max32});
    expect_values<double>(b.cast_read(vec<C>({{1.5, 9}}), DType::F64), {1.5});
    expect_values<float>(b.cast_read(vec({1e300, 0.1}), DType::F32),
                         {std::numeric_limits<float>::infinity(), 0.1f});
    expect_values<bool>(b.cast_read(vec({0.0, -0.0, 0.5, kNaN}), DType::Bool), {false, false, true, true});
    expect_values<bool>(b.cast_read(vec<C>({{0, 0}, {0, 1}}), DType::Bool), {false, true});
    expect_values<bool>(b.cast_read(vec({0, -3}), DType::Bool), {false, true});
    expect_values<C>(b.cast_read(vec({true, false}), DType::C64), {C(1), C(0)});
    expect_values<std::complex<float>>(b.cast_read(vec<C>({{0.1, -2}}), DType::C32), {{0.1f, -2}});
}

TEST_P(Elementwise, ConvertFollowsThePromotionLattice) {
    const std::string_view allowed[] = {
        "bool i32", "bool i64", "bool f64", "bool c64", "i32 i64", "i32 f64", "i32 c64",
        "i64 f64",  "i64 c64",  "f32 f64",  "f32 c32",  "f32 c64", "f64 c64", "c32 c64",
    };
    for (const DTypeInfo& from : kDTypes)
        for (const DTypeInfo& to : kDTypes) {
            const std::string pair = text(from.name, " ", to.name);
            const bool promotes = from.dtype == to.dtype || std::find(std::begin(allowed), std::end(allowed),
                                                                      pair) != std::end(allowed);
            EXPECT_EQ(elementwise::promotions(from.dtype).contains(to.dtype), promotes) << pair;
            const Tensor one = backend().cast_read(vec({1.0}), from.dtype);
            Tensor out = Tensor::zeros(to.dtype, Dims{1});
            if (promotes) {
                const Tensor converted = backend().convert_read(one, to.dtype);
                EXPECT_EQ(converted.dtype(), to.dtype);
                expect_values<double>(backend().cast_read(converted, DType::F64), {1});
                backend().convert_into(one, out.write());
                expect_values<double>(backend().cast_read(out, DType::F64), {1});
            } else {
                const std::string message =
                    text("convert: dtype ", from.name, " does not promote to ", to.name);
                EXPECT_ERROR(backend().convert_read(one, to.dtype), InvalidConfig, message);
                EXPECT_ERROR(backend().convert_into(one, out.write()), InvalidConfig, message);
                EXPECT_ERROR(backend().convert(one.duplicate(), to.dtype), InvalidConfig, message);
            }
        }
}

TEST_P(Elementwise, OwnedOperandsGiveTheSameAndLendPooledMemory) {
    TensorBackend& b = backend();
    Tensor x = b.zeros(DType::F64, Dims{100});
    const void* memory = x.data();
    const bool pooled = x.reusable();
    EXPECT_EQ(pooled, b.name() == "cpu");
    Tensor y = b.exp(std::move(x));
    EXPECT_EQ(y.data() == memory, pooled);
    memory = y.data();
    y = b.cast(std::move(y), DType::F64);
    EXPECT_EQ(y.data(), memory);
    EXPECT_EQ(y.data_as<double>()[99], 1);
    expect_values<double>(b.clamp(vec({0.0}), b.sub(vec({1.0}), vec({3.0})), vec({1.0})), {0});
}

}}  // namespace tenferro
