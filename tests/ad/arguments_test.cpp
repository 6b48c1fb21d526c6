// What the derivative functions refuse, and that what rules assumed about symbolic extents holds when
// programs run.
#include <gtest/gtest.h>

#include "ad/values.hpp"
#include "support/expect_error.hpp"

namespace tenferro::ad { namespace {

using Maybe = std::optional<TracedTensor>;

TracedTensor vector_of(Index extent, DType dtype = DType::F64) {
    return TracedTensor::input(dtype, {extent});
}

TEST(DerivativeArguments, InputsAreDistinctNumbers) {
    const TracedTensor x = vector_of(3), i = vector_of(3, DType::I64);
    const TracedTensor loss = reduce_sum(x * x);
    EXPECT_ERROR((void)grad(loss, std::vector{x, i}), DTypeMismatch,
                 "vjp: input 1 has dtype i64, which has no derivatives");
    EXPECT_ERROR((void)grad(loss, std::vector{x, x}), InvalidArgument, "vjp: inputs 0 and 1 are the same");
    // Equal by structure is the same too.
    const TracedTensor one = sin(x), two = sin(x);
    EXPECT_ERROR((void)grad(reduce_sum(one * two), std::vector{x, one, two}), InvalidArgument,
                 "inputs 1 and 2 are the same");
}

TEST(DerivativeArguments, IntermediateValuesAreInputsLikeOthers) {
    const TracedTensor x = vector_of(2), y = x * x;
    const TracedTensor loss = reduce_sum(y * x);
    GraphCompiler compiler;
    const Value at{DType::F64, {2}, {2, 3}};
    // y is held fixed while x changes and the other way round.
    const std::vector<Value> both =
        run(*compiler.compile(grad(loss, std::vector{x, y}), {&x, 1}), cpu(), {&at, 1});
    expect_close(both[0], {DType::F64, {2}, {4, 9}}, 0, "by x");
    expect_close(both[1], {DType::F64, {2}, {2, 3}}, 0, "by y");
    const std::vector<Value> alone =
        run(*compiler.compile(std::vector{grad(loss, x)}, {&x, 1}), cpu(), {&at, 1});
    expect_close(alone[0], {DType::F64, {2}, {12, 27}}, 0, "by x alone");
}

TEST(DerivativeArguments, DirectionsAreLikeTheirValues) {
    const TracedTensor x = vector_of(3), y = sin(x);
    const auto along = [&](const Maybe& dx) { return jvp({&y, 1}, {&x, 1}, {&dx, 1}); };
    EXPECT_ERROR((void)along(vector_of(4)), TangentShapeMismatch,
                 "jvp: tangent 0 has shape [4] but its value has [3]");
    EXPECT_ERROR((void)along(TracedTensor::input(DType::F64, {3, 1})), TangentShapeMismatch,
                 "tangent 0 has shape [3, 1]");
    EXPECT_ERROR((void)along(vector_of(3, DType::F32)), DTypeMismatch,
                 "tangent 0 has dtype f32 but its value has f64");
    EXPECT_ERROR((void)jvp({&y, 1}, {&x, 1}, {}), InvalidArgument, "0 tangents for 1 values");
    const Maybe ct = vector_of(2);
    EXPECT_ERROR((void)vjp({&y, 1}, {&x, 1}, {&ct, 1}), TangentShapeMismatch,
                 "vjp: cotangent 0 has shape [2]");
    EXPECT_ERROR((void)vjp({&y, 1}, {&x, 1}, {}), InvalidArgument, "0 cotangents for 1 values");
}

TEST(DerivativeArguments, LossesAreRealNumbers) {
    const TracedTensor x = vector_of(3), z = vector_of(3, DType::C64);
    EXPECT_ERROR((void)grad(x, x), NonScalarLoss, "grad: the loss has shape [3], not rank 0");
    EXPECT_ERROR((void)grad(reduce_sum(z), z), NonScalarLoss,
                 "grad: the loss has dtype c64, which is not real");
    EXPECT_ERROR((void)grad(argmax(x, 0), x), NonScalarLoss, "grad: the loss has dtype i64");
}

TEST(DerivativeArguments, AbsentDirectionsAreZero) {
    const TracedTensor x = vector_of(2), y = sin(x);
    const Maybe none;
    GraphCompiler compiler;
    const Value at{DType::F64, {2}, {2, 3}}, zero{DType::F64, {2}, {0, 0}};
    for (const auto& result : {jvp({&y, 1}, {&x, 1}, {&none, 1}), vjp({&y, 1}, {&x, 1}, {&none, 1})})
        expect_close(run(*compiler.compile(result, {&x, 1}), cpu(), {&at, 1}).front(), zero, 0, "zero");
}

TEST(DerivativeArguments, AbsentDirectionsOfIntermediateValuesAreZero) {
    const TracedTensor x = vector_of(2), y = x * x, z = y * 3;
    const std::vector<Maybe> along{x, std::nullopt};
    GraphCompiler compiler;
    const Value at{DType::F64, {2}, {1, 2}};
    for (const auto& result :
         {jvp({&z, 1}, std::vector{x, y}, along), hvp(reduce_sum(z * x), std::vector{x, y}, along)})
        expect_close(run(*compiler.compile({result.front()}, {&x, 1}), cpu(), {&at, 1}).front(),
                     {DType::F64, {2}, {0, 0}}, 0, "y is held fixed");
}

TEST(DerivativeArguments, DirectionsOfUnknownExtentsAreGuarded) {
    const TracedTensor x = vector_of(kAnyExtent), y = -x;
    const Maybe direction = vector_of(kAnyExtent);
    GraphCompiler compiler;
    const Value two{DType::F64, {2}, {1, 2}}, three{DType::F64, {3}, {1, 2, 3}};
    for (const auto& result :
         {jvp({&y, 1}, {&x, 1}, {&direction, 1}), vjp({&y, 1}, {&x, 1}, {&direction, 1})}) {
        const auto program = compiler.compile(result, std::vector{x, *direction});
        expect_close(run(*program, cpu(), std::vector{two, two}).front(), {DType::F64, {2}, {-1, -2}}, 0, "");
        EXPECT_ERROR((void)run(*program, cpu(), std::vector{two, three}), ShapeMismatch,
                     "a derivative was taken for");
    }
}

/// x is repeated to the shape of z where its extent is 1, and equal to it elsewhere: a gradient is taken for
/// the latter.
struct Repeated {
    TracedTensor x = vector_of(kAnyExtent), z = vector_of(kAnyExtent);
    TracedTensor gradient = grad(reduce_sum(broadcast_in_dim(x, shape_of(z), {0}) * z), x);

    [[nodiscard]] std::vector<Value> run_with(const TracedTensor& output, Index x_extent) const {
        const Value three{DType::F64, {3}, {1, 2, 3}};
        const Value at{
            DType::F64, {x_extent}, std::vector<std::complex<double>>(static_cast<std::size_t>(x_extent), 1)};
        GraphCompiler compiler;
        return run(*compiler.compile({output}, {x, z}), cpu(), std::vector{at, three});
    }
};

TEST(DerivativeArguments, GuardsAreChecked) {
    const Repeated f;
    expect_close(f.run_with(f.gradient, 3).front(), {DType::F64, {3}, {1, 2, 3}}, 0, "gradient");
    EXPECT_ERROR((void)f.run_with(f.gradient, 1), ShapeMismatch, "a derivative was taken for");
    EXPECT_ERROR((void)f.run_with(exp(f.gradient) + f.x, 1), ShapeMismatch, "a derivative was taken for");
}

TEST(DerivativeArguments, GuardsOfDirectionsAreChecked) {
    const Repeated f;
    const TracedTensor y = -f.x;
    const Maybe direction = f.gradient;
    EXPECT_ERROR((void)f.run_with(jvp({&y, 1}, {&f.x, 1}, {&direction, 1}).front(), 1), ShapeMismatch,
                 "a derivative was taken for");
    EXPECT_ERROR((void)f.run_with(vjp({&y, 1}, {&f.x, 1}, {&direction, 1}).front(), 1), ShapeMismatch,
                 "a derivative was taken for");
}

}}  // namespace tenferro::ad
