// Derivatives where there is a choice, with their exact values: ties share equally, clamp is active strictly
// inside, sign and abs are flat at 0, powers and products with zeros are finite where the limit is.
#include <gtest/gtest.h>

#include <cmath>

#include "ad/values.hpp"
#include "support/not_finite.hpp"

namespace tenferro::ad { namespace {

using Function = std::function<TracedTensor(Operands)>;
using List = std::vector<double>;
using Complex = std::complex<double>;
using test::kInf;
using test::kNaN;

Value value_of(const List& elements, DType dtype = DType::F64) {
    return {dtype, {static_cast<Index>(elements.size())}, {elements.begin(), elements.end()}};
}

List real_elements(const Value& value) {
    List list;
    for (const Complex& element : value.elements) list.push_back(element.real());
    return list;
}

/// Gradients of the sum of f's elements.
std::vector<List> gradients(const Function& f, const std::vector<List>& at, bool symbolic = false) {
    std::vector<TracedTensor> x;
    std::vector<Value> values;
    for (const List& elements : at) {
        x.push_back(
            TracedTensor::input(DType::F64, {symbolic ? kAnyExtent : static_cast<Index>(elements.size())}));
        values.push_back(value_of(elements));
    }
    GraphCompiler compiler;
    std::vector<List> result;
    for (const Value& value : run(*compiler.compile(grad(reduce_sum(f(x)), x), x), cpu(), values))
        result.push_back(real_elements(value));
    return result;
}

/// The Hessian of the sum of f's elements at one list times `direction`.
List hessian_times(const Function& f, const List& at, const List& direction, bool symbolic = false) {
    const TracedTensor x =
        TracedTensor::input(DType::F64, {symbolic ? kAnyExtent : static_cast<Index>(at.size())});
    const TracedTensor v = TracedTensor::input(DType::F64, x.meta().shape);
    const std::optional<TracedTensor> along = v;
    GraphCompiler compiler;
    const auto program =
        compiler.compile(hvp(reduce_sum(f({&x, 1})), {&x, 1}, {&along, 1}), std::vector{x, v});
    return real_elements(run(*program, cpu(), std::vector{value_of(at), value_of(direction)}).front());
}

void expect_list(const List& actual, const List& expected) {
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i)
        EXPECT_TRUE(actual[i] == expected[i] || (std::isnan(actual[i]) && std::isnan(expected[i])))
            << "element " << i << " is " << actual[i] << ", not " << expected[i];
}

void expect_gradients(const Function& f, const std::vector<List>& at, const std::vector<List>& expected) {
    const std::vector<List> actual = gradients(f, at);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        SCOPED_TRACE(i);
        expect_list(actual[i], expected[i]);
    }
}

TEST(Kinks, EqualOperandsShareEqually) {
    expect_gradients([](Operands x) { return maximum(x[0], x[1]); }, {{1, 2, 3}, {1, 3, 2}},
                     {{0.5, 0, 1}, {0.5, 1, 0}});
    expect_gradients([](Operands x) { return minimum(x[0], x[1]); }, {{1, 2, 3}, {1, 3, 2}},
                     {{0.5, 1, 0}, {0.5, 0, 1}});
    expect_gradients([](Operands x) { return maximum(x[0], x[0]); }, {{1, -0.0}}, {{1, 1}});
}

TEST(Kinks, LargestElementsShareEqually) {
    const Function largest = [](Operands x) { return reduce_max(x[0]); },
                   smallest = [](Operands x) { return reduce_min(x[0]); };
    expect_gradients(largest, {{1, 3, 3, 2}}, {{0, 0.5, 0.5, 0}});
    expect_gradients(largest, {{2, 2, 2, 2}}, {{0.25, 0.25, 0.25, 0.25}});
    expect_gradients(smallest, {{1, 3, 1, 2}}, {{0.5, 0, 0.5, 0}});
    expect_gradients(smallest, {{-kInf, 3}}, {{1, 0}});
    expect_gradients(largest, {{0.0, -0.0}}, {{0.5, 0.5}});
    for (const bool symbolic : {false, true}) {
        expect_list(gradients(largest, {{1, kNaN}}, symbolic)[0], {kNaN, kNaN});
        expect_list(gradients(largest, {{3, 1, 3}}, symbolic)[0], {0.5, 0, 0.5});
        expect_list(gradients(smallest, {{}}, symbolic)[0], {});
    }
}

TEST(Kinks, NothingHasNoTangent) {
    for (const bool known : {false, true})
        for (const OpId op : {OpId::ReduceMax, OpId::ReduceMin, OpId::ReduceProd, OpId::ReduceSum}) {
            const TracedTensor x = TracedTensor::input(DType::F64, {known ? 0 : kAnyExtent, 2});
            const std::optional<TracedTensor> along = TracedTensor::input(DType::F64, x.meta().shape);
            const TracedTensor y = x.apply(tensor_ops::Reduction(op, {0}), {x});
            GraphCompiler compiler;
            const auto program = compiler.compile(jvp({&y, 1}, {&x, 1}, {&along, 1}), std::vector{x, *along});
            const Value nothing{DType::F64, {0, 2}, {}};
            expect_list(real_elements(run(*program, cpu(), std::vector{nothing, nothing}).front()), {0, 0});
        }
}

TEST(Kinks, ClampIsActiveStrictlyInside) {
    const Function f = [](Operands x) { return clamp(x[0], x[1], x[2]); };
    const List low(5, 0), high(5, 1);
    expect_gradients(f, {low, {-1, 0, 0.5, 1, 2}, high}, {{1, 0, 0, 0, 0}, {0, 0, 1, 0, 0}, {0, 0, 0, 0, 1}});
    // Limits in the wrong order: the result is the upper one everywhere.
    expect_gradients(f, {{2, 2, 2}, {0, 1.5, 3}, {1, 1, 1}}, {{0, 0, 0}, {0, 0, 0}, {1, 1, 1}});
}

TEST(Kinks, AbsAndSignAreFlatAtZero) {
    expect_gradients([](Operands x) { return abs(x[0]); }, {{-2, -0.0, 0, 3}}, {{-1, 0, 0, 1}});
    expect_gradients([](Operands x) { return sign(x[0]) * x[0]; }, {{-2, 0, 3}}, {{-1, 0, 1}});
}

TEST(Kinks, SelectedBranchAlone) {
    // The other branch is not finite, and neither is its derivative.
    const Function f = [](Operands x) {
        const TracedTensor zero = full_like(x[0], 0), is_zero = equal(x[0], zero);
        return select(is_zero, zero, log(select(is_zero, full_like(x[0], 1), x[0])));
    };
    expect_gradients(f, {{0, 2, 0.5}}, {{0, 0.5, 2}});
}

TEST(Kinks, PowersAtZero) {
    const Function f = [](Operands x) { return pow(x[0], x[1]); };
    expect_gradients(f, {{0, 0, 0, 0, 0}, {0, 1, 2, 3, 0.5}}, {{0, 1, 0, 0, kInf}, {0, 0, 0, 0, 0}});
    expect_gradients(f, {{2, -3, kInf}, {0, 0, 0}}, {{0, 0, 0}, {std::log(2.0), kNaN, kInf}});
    expect_gradients([](Operands x) { return pow(x[0], full_like(x[0], 3)); }, {{-2, 0, 2}}, {{12, 0, 12}});
}

TEST(Extremes, SlopesThatNumbersHoldAreFound) {
    const auto close = [](const List& found, const List& expected) {
        for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i] / expected[i], 1, 1e-15);
    };
    const List tiny{1e-200, 1e200, 1e-170}, beside{1e-200, 1e200, 1e-160};
    const auto angle = gradients([](Operands x) { return atan2(x[0], x[1]); }, {tiny, beside});
    close(angle[0], {5e199, 5e-201, 1e160});
    close(angle[1], {-5e199, -5e-201, -1e150});
    const auto of = [&](auto f, double at) {
        return gradients([&](Operands x) { return f(x[0]); }, {{at}})[0];
    };
    close(of([](const auto& x) { return asinh(x); }, 1e200), {1e-200});
    // With 1 - a^2 these have half of the digits.
    const double near = 1 - std::ldexp(1, -30), rest = std::ldexp(1, -30) * (1 + near);
    close(of([](const auto& x) { return asin(x); }, near), {1 / std::sqrt(rest)});
    close(of([](const auto& x) { return acos(x); }, -near), {-1 / std::sqrt(rest)});
    close(of([](const auto& x) { return atanh(x); }, near), {1 / rest});
}

TEST(Kinks, SecondDerivativesOfPowers) {
    const auto squared = [](Operands x) { return pow(x[0], full_like(x[0], 2)); };
    expect_list(hessian_times(squared, {-1, 0, 3}, {1, 1, 2}), {2, 2, 4});
    const auto linear = [](Operands x) { return pow(x[0], full_like(x[0], 1)); };
    expect_list(hessian_times(linear, {-1, 0, 3}, {1, 1, 2}), {0, 0, 0});
    const auto constant = [](Operands x) { return pow(x[0], full_like(x[0], 0)); };
    expect_list(hessian_times(constant, {-1, 0, 3}, {1, 1, 2}), {0, 0, 0});
    // d/db d/da of a^b is 1 / a at b = 0.
    const TracedTensor a = TracedTensor::input(DType::F64, {}), b = TracedTensor::input(DType::F64, {});
    GraphCompiler compiler;
    const auto program = compiler.compile({grad(grad(pow(a, b), a), b)}, {a, b});
    const std::vector<Value> at{{DType::F64, {}, {4}}, {DType::F64, {}, {0}}};
    EXPECT_EQ(run(*program, cpu(), at).front().elements[0], Complex(0.25));
}

TEST(Kinks, ProductsWithZeros) {
    const Function f = [](Operands x) { return reduce_prod(x[0]); };
    for (const bool symbolic : {false, true}) {
        expect_list(gradients(f, {{2, 3, 4}}, symbolic)[0], {12, 8, 6});
        expect_list(gradients(f, {{2, 0, 4}}, symbolic)[0], {0, 8, 0});
        expect_list(gradients(f, {{0, 3, 0}}, symbolic)[0], {0, 0, 0});
        expect_list(gradients(f, {{0}}, symbolic)[0], {1});
        expect_list(gradients(f, {{}}, symbolic)[0], {});
    }
    // The Hessian of abc has the third element off the diagonal.
    for (const bool symbolic : {false, true}) {
        expect_list(hessian_times(f, {2, 3, 4}, {1, 0, 0}, symbolic), {0, 4, 3});
        expect_list(hessian_times(f, {0, 3, 4}, {0, 1, 0}, symbolic), {4, 0, 0});
        expect_list(hessian_times(f, {0, 3, 4}, {1, 0, 0}, symbolic), {0, 4, 3});
        expect_list(hessian_times(f, {0, 0, 4}, {1, 0, 0}, symbolic), {0, 4, 0});
        expect_list(hessian_times(f, {0, 0, 4}, {0, 0, 1}, symbolic), {0, 0, 0});
        expect_list(hessian_times(f, {0, 0, 4, 5, 6}, {0, 1, 0, 0, 0}, symbolic), {120, 0, 0, 0, 0});
        expect_list(hessian_times(f, {0, 0, 0, 5}, {1, 1, 1, 1}, symbolic), {0, 0, 0, 0});
    }
}

/// Real f of complex z: the gradient, and the Hessian along v.
std::pair<Complex, Complex> complex_derivatives(const Function& f, Complex at, Complex along) {
    const TracedTensor z = TracedTensor::input(DType::C64, {}), v = TracedTensor::input(DType::C64, {});
    const std::optional<TracedTensor> direction = v;
    const TracedTensor loss = f({&z, 1});
    std::vector<TracedTensor> outputs = hvp(loss, {&z, 1}, {&direction, 1});
    outputs.push_back(grad(loss, z));
    GraphCompiler compiler;
    const std::vector<Value> values =
        run(*compiler.compile(outputs, std::vector{z, v}), cpu(),
            std::vector<Value>{{DType::C64, {}, {at}}, {DType::C64, {}, {along}}});
    return {values[1].elements[0], values[0].elements[0]};
}

TEST(Kinks, ComplexAbs) {
    const Function f = [](Operands z) { return abs(z[0]); };
    EXPECT_EQ(complex_derivatives(f, 0, 1).first, Complex(0));
    EXPECT_EQ(complex_derivatives(f, {3, -4}, 1).first, Complex(0.6, -0.8));
    // Along z the length is linear, across it bends with curvature 1 / abs z.
    const auto [slope, across] = complex_derivatives(f, {0, 2}, {1, 0});
    EXPECT_EQ(slope, Complex(0, 1));
    EXPECT_EQ(across, Complex(0.5, 0));
    EXPECT_EQ(complex_derivatives(f, {0, 2}, {0, 1}).second, Complex(0, 0));
    EXPECT_EQ(complex_derivatives([](Operands z) { return abs(z[0]) * abs(z[0]); }, {0, 2}, {1, 1}).second,
              Complex(2, 2));
}

TEST(Kinks, ComplexSignTurns) {
    const Function f = [](Operands z) { return cast(sign(z[0]), DType::F64); };
    EXPECT_EQ(complex_derivatives(f, 0, {1, 1}), std::pair(Complex(0), Complex(0)));
    // Along z nothing changes: of x / sqrt(x^2 + y^2) the gradient at 2i is 1/2, and it falls with y.
    const auto [slope, upwards] = complex_derivatives(f, {0, 2}, {0, 1});
    EXPECT_EQ(slope, Complex(0.5, 0));
    EXPECT_EQ(upwards, Complex(-0.25, 0));
    EXPECT_EQ(complex_derivatives(f, {3, 0}, {1, 0}).first, Complex(0));
}

TEST(Roll, IsRolledBack) {
    // By 2 in the end: the least shift has no negative.
    for (const Index shift : {Index{2}, Index{-3}, std::numeric_limits<Index>::min()}) {
        const auto f = [&](Operands x) { return roll(x[0], shift, 0) * x[1]; };
        for (const bool symbolic : {false, true})
            expect_list(gradients(f, {{1, 2, 3, 4, 5}, {0, 10, 20, 30, 40}}, symbolic)[0],
                        {20, 30, 40, 0, 10});
    }
}

}}  // namespace tenferro::ad
