// Fusion plans: what they may contain, the typed errors of plans and of their execution, and that a backend
// without fusion leaves a plan to its caller.
#include "tenferro/tensor/fusion_plan.hpp"

#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/reference/reference_backend.hpp"

namespace tenferro { namespace {

using enum DType;

TEST(FusionPlan, OperandsAreThoseOfTheOperation) {
    EXPECT_EQ(elementwise_operands(OpId::Neg), 1u);
    EXPECT_EQ(elementwise_operands(OpId::Lgamma), 1u);
    EXPECT_EQ(elementwise_operands(OpId::Cast), 1u);
    EXPECT_EQ(elementwise_operands(OpId::Add), 2u);
    EXPECT_EQ(elementwise_operands(OpId::GreaterEqual), 2u);
    EXPECT_EQ(elementwise_operands(OpId::Select), 3u);
    EXPECT_EQ(elementwise_operands(OpId::Clamp), 3u);
    for (const OpInfo& op : kOps) EXPECT_EQ(elementwise_operands(op.id) != 0, op.id <= OpId::Cast) << op.name;
}

TEST(FusionPlan, FusibleIsWhatHasAResultForEveryValue) {
    for (const OpInfo& op : kOps)
        for (const DTypeInfo& dtype : kDTypes) {
            const bool partial =
                dtype.is_integer && (op.id == OpId::Div || op.id == OpId::Rem || op.id == OpId::Pow);
            const bool expected = op.id <= OpId::Cast && op.dtypes.contains(dtype.dtype) && !partial;
            EXPECT_EQ(is_fusible(op.id, dtype.dtype), expected) << op.name << " " << dtype.name;
        }
}

TEST(FusionPlan, HoldsWhatItWasGiven) {
    const ElementwiseFusionPlan plan(
        {F32, I32}, {{OpId::Convert, {0}, F64}, {OpId::Cast, {1}, Bool}, {OpId::Abs, {2}, F64}}, {4, 0, 4});
    EXPECT_EQ(plan.inputs(), (std::vector<DType>{F32, I32}));
    EXPECT_EQ(plan.steps().size(), 3u);
    EXPECT_EQ(plan.outputs(), (std::vector<std::uint16_t>{4, 0, 4}));
    const DType dtypes[] = {F32, I32, F64, Bool, F64};
    for (std::uint16_t value = 0; value < 5; ++value) EXPECT_EQ(plan.dtype(value), dtypes[value]);
    EXPECT_EQ(plan, ElementwiseFusionPlan(plan.inputs(), plan.steps(), plan.outputs()));
    EXPECT_NE(plan, ElementwiseFusionPlan(plan.inputs(), plan.steps(), {4}));
}

void expect_refused(std::vector<DType> inputs, FusionStep step, const char* message) {
    EXPECT_ERROR(ElementwiseFusionPlan(inputs, {step}, {0}), InvalidConfig, message);
}

TEST(FusionPlan, StepsThatDoNotFitAreRefused) {
    expect_refused({F64}, {OpId::Add, {0, 1}, F64},
                   "elementwise_fusion: step 0, add, operand 1 is value 1, which is not before it");
    expect_refused({}, {OpId::Neg, {0}, F64}, "step 0, neg, operand 0 is value 0, which is not before it");
    expect_refused({F64}, {OpId::Neg, {60000}, F64}, "operand 0 is value 60000, which is not before it");
    expect_refused({F64}, {OpId::ReduceSum, {60000}, F64}, "step 0, reduce_sum, is not elementwise");
    expect_refused({F64}, {OpId::DotGeneral, {0, 0}, F64}, "step 0, dot_general, is not elementwise");
    expect_refused({F64, F32}, {OpId::Add, {0, 1}, F64}, "step 0, add, operand 1 has dtype f32, not f64");
    expect_refused({F64, F64}, {OpId::Select, {0, 0, 1}, F64},
                   "step 0, select, operand 0 has dtype f64, not bool");
    expect_refused({Bool, F64, I64}, {OpId::Select, {0, 1, 2}, F64}, "operand 2 has dtype i64, not f64");
    expect_refused({F64, F32}, {OpId::Clamp, {0, 1, 0}, F64},
                   "step 0, clamp, operand 1 has dtype f32, not f64");
    expect_refused({Bool}, {OpId::Neg, {0}, Bool}, "step 0, neg, is not fusible on bool");
    expect_refused({C32}, {OpId::Maximum, {0, 0}, C32}, "step 0, maximum, is not fusible on c32");
    for (const OpId op : {OpId::Div, OpId::Rem, OpId::Pow}) {
        expect_refused({I32}, {op, {0, 0}, I32}, "is not fusible on i32");
        expect_refused({I64}, {op, {0, 0}, I64}, "is not fusible on i64");
    }
    expect_refused({F64}, {OpId::Exp, {0}, F32}, "step 0, exp, has a result of dtype f64, not f32");
    expect_refused({F64}, {OpId::Less, {0, 0}, F64}, "step 0, less, has a result of dtype bool, not f64");
    expect_refused({C64}, {OpId::Abs, {0}, C64}, "step 0, abs, has a result of dtype f64, not c64");
    expect_refused({F64}, {OpId::Convert, {0}, F32}, "step 0, convert, does not promote f64 to f32");
    expect_refused({I64}, {OpId::Convert, {0}, F32}, "step 0, convert, does not promote i64 to f32");
}

TEST(FusionPlan, LaterStepsAndOutputsAreCheckedToo) {
    const std::vector<FusionStep> steps{{OpId::Neg, {0}, F64}, {OpId::Add, {1, 2}, F64}};
    EXPECT_ERROR(ElementwiseFusionPlan({F64}, steps, {}), InvalidConfig,
                 "step 1, add, operand 1 is value 2, which is not before it");
    EXPECT_ERROR(ElementwiseFusionPlan({F64}, {steps[0]}, {0, 2}), InvalidConfig,
                 "output value 2 is not one of the 2 values");
    EXPECT_ERROR(ElementwiseFusionPlan(std::vector<DType>(UINT16_MAX, F64), {steps[0]}, {}), InvalidConfig,
                 "65536 values, but at most 65535 fit");
}

class FusionExecution : public ::testing::Test {
protected:
    /// x + y and whether x < y.
    const ElementwiseFusionPlan plan{
        {F64, F64}, {{OpId::Add, {0, 1}, F64}, {OpId::Less, {0, 1}, Bool}}, {2, 3}};
    double values[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    double result[8] = {};
    bool flags[8] = {};
    const TensorRead x{F64, values, Dims{4}, Dims{1}}, y{F64, values + 8, Dims{4}, Dims{-1}};
    const TensorWrite sum{F64, result, Dims{4}, Dims{1}}, less{Bool, flags, Dims{4}, Dims{1}};
    const std::unique_ptr<CpuBackend> backend = CpuBackend::with_threads(1);

    void expect_refused(ErrorKind kind, const std::string& message, std::vector<TensorRead> inputs,
                        std::vector<TensorWrite> outs) {
        backend->with_backend_session([&](BackendSession& session) {
            try {
                (void)session.execute_elementwise_fusion_into(plan, inputs, outs);
                ADD_FAILURE() << "no error, not: " << message;
            } catch (const Error& error) {
                EXPECT_EQ(info(error.kind()).name, info(kind).name);
                EXPECT_EQ(std::string(error.what()), "elementwise_fusion: " + message);
            }
        });
        for (const double value : result) EXPECT_EQ(value, 0);
    }
};

TEST_F(FusionExecution, GivesAllOutputs) {
    backend->with_backend_session([&](BackendSession& session) {
        ASSERT_TRUE(session.execute_elementwise_fusion_into(plan, std::vector{x, y}, std::vector{sum, less}));
        const auto results = session.execute_elementwise_fusion(plan, std::vector{x, y});
        ASSERT_TRUE(results.has_value() && results->size() == 2);
        for (int i = 0; i < 4; ++i) {
            EXPECT_EQ(result[i], 10);
            EXPECT_EQ((*results)[0].data_as<double>()[i], 10);
            EXPECT_TRUE(flags[i] && (*results)[1].data_as<bool>()[i]);
        }
    });
}

TEST_F(FusionExecution, InputsThatAreNotThePlansAreRefused) {
    const TensorRead shorter(F64, values, Dims{3}, Dims{1}), flat(F64, values, Dims{4, 1}, Dims{1, 4}),
        single(F32, values, Dims{4}, Dims{1});
    const TensorRead elsewhere(F64, values, Dims{4}, Dims{1}, Placement{MemorySpace::GpuMemory, 0});
    using enum ErrorKind;
    expect_refused(InvalidArgument, "1 inputs, but the plan takes 2, at least one", {x}, {sum, less});
    expect_refused(InvalidArgument, "3 inputs, but the plan takes 2, at least one", {x, y, x}, {sum, less});
    expect_refused(ShapeMismatch, "input 0 axis 0 has extent 4 but input 1 axis 0 has extent 3", {x, shorter},
                   {sum, less});
    expect_refused(RankMismatch, "input 0 has shape [4] but input 1 has shape [4, 1]", {x, flat},
                   {sum, less});
    expect_refused(DTypeMismatch, "input 1 has dtype f32 but the plan takes f64", {x, single}, {sum, less});
    expect_refused(DTypeMismatch, "input 0 has dtype f32 but the plan takes f64", {single, x}, {sum, less});
    expect_refused(
        BackendFailure,
        "input 1 is on cuda:0 but backend cpu computes on cpu:0; bring it there with download_to_host",
        {x, elsewhere}, {sum, less});
    backend->with_backend_session([&](BackendSession& session) {
        const ElementwiseFusionPlan empty({}, {}, {});
        EXPECT_ERROR((void)session.execute_elementwise_fusion(empty, {}), InvalidArgument,
                     "0 inputs, but the plan takes 0, at least one");
    });
}

TEST_F(FusionExecution, OutsThatDoNotFitAreRefused) {
    const TensorWrite shorter(F64, result, Dims{3}, Dims{1}), repeated(F64, result, Dims{4}, Dims{0}),
        single(F32, result, Dims{4}, Dims{1});
    using enum ErrorKind;
    expect_refused(InvalidArgument, "1 outs, but the plan has 2 outputs", {x, y}, {sum});
    expect_refused(DTypeMismatch, "out has dtype f32 but the result has f64", {x, y}, {single, less});
    expect_refused(DTypeMismatch, "out has dtype f64 but the result has bool", {x, y}, {sum, sum});
    expect_refused(ShapeMismatch, "out axis 0 has extent 3 but the result axis 0 has extent 4", {x, y},
                   {shorter, less});
    expect_refused(InvalidArgument, "out has strides [0] in which elements may coincide for shape [4]",
                   {x, y}, {repeated, less});
}

TEST_F(FusionExecution, OutsThatOverlapAreRefusedUnlessTheyAreInputs) {
    const TensorWrite shifted(F64, values + 1, Dims{4}, Dims{1}), turned(F64, values + 3, Dims{4}, Dims{-1});
    const TensorWrite narrow(Bool, values, Dims{4}, Dims{1}), inside(Bool, result + 1, Dims{4}, Dims{1});
    using enum ErrorKind;
    expect_refused(InvalidArgument, "out 0 overlaps the memory of input 0", {x, y}, {shifted, less});
    expect_refused(InvalidArgument, "out 0 overlaps the memory of input 0", {x, y}, {turned, less});
    expect_refused(InvalidArgument, "out 1 overlaps the memory of input 0", {x, y}, {sum, narrow});
    expect_refused(InvalidArgument, "out 1 overlaps the memory of out 0", {x, y}, {sum, inside});
    const TensorWrite same(F64, values, Dims{4}, Dims{1});
    backend->with_backend_session([&](BackendSession& session) {
        EXPECT_TRUE(
            session.execute_elementwise_fusion_into(plan, std::vector{x, y}, std::vector{same, less}));
    });
    for (int i = 0; i < 4; ++i) EXPECT_EQ(values[i], 10);
}

TEST_F(FusionExecution, ABackendWithoutFusionLeavesThePlanToItsCaller) {
    ReferenceBackend reference;
    reference.with_backend_session([&](BackendSession& session) {
        EXPECT_FALSE(session.execute_elementwise_fusion(plan, std::vector{x, y}).has_value());
        EXPECT_FALSE(
            session.execute_elementwise_fusion_into(plan, std::vector{x, y}, std::vector{sum, less}));
        EXPECT_ERROR((void)session.execute_elementwise_fusion(plan, std::vector{x}), InvalidArgument,
                     "1 inputs, but the plan takes 2");
    });
    for (const double value : result) EXPECT_EQ(value, 0);
}

}}  // namespace tenferro
