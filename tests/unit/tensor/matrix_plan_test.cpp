// Plans on small matrices: which steps they take, what they tell about their values, and the typed errors of
// their execution.
#include "tenferro/tensor/matrix_plan.hpp"

#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/reference/reference_backend.hpp"

namespace tenferro { namespace {

using Value = MatrixPlan::Value;
using Terms = MatrixPlan::Terms;

TEST(MatrixPlan, KnowsItsValues) {
    MatrixPlan plan(DType::F64, Dims{5, 2});
    const Value a = *plan.input({3, 2}), b = *plan.input({4, 2}), v = *plan.input({3, 1, 1});
    const Value c = *plan.multiply({a, b, false, true, false}), d = *plan.multiply({a, b, false, true, true});
    EXPECT_EQ(plan.count(), 10);
    EXPECT_EQ(plan.extents(c), (MatrixExtents{3, 4}));
    EXPECT_EQ(plan.extents(d), (MatrixExtents{4, 3}));
    EXPECT_EQ(plan.shape(c), (Dims{3, 4, 5, 2}));
    EXPECT_EQ(plan.shape(v), (Dims{3, 5, 2}));
    EXPECT_EQ(plan.place(b), 6);
    EXPECT_EQ(plan.elements(), 6 + 8 + 3 + 12 + 12);
    EXPECT_EQ(plan.inputs(), (std::vector<Value>{a, b, v}));
    EXPECT_EQ(plan.result(1), d);
    plan.shrink(4);
    EXPECT_EQ(plan.steps().size(), 1u);
    EXPECT_EQ(plan.values(), 4u);
    plan.shrink(1);
    EXPECT_EQ(plan.inputs(), std::vector<Value>{a});
    EXPECT_TRUE(plan.steps().empty());
}

TEST(MatrixPlan, TellsMatricesVectorsAndNumbersByTheirBatch) {
    const MatrixPlan plan(DType::F32, Dims{5, 2});
    EXPECT_EQ(plan.extents_in_batch(Dims{3, 4, 5, 2}), (MatrixExtents{3, 4, 2}));
    EXPECT_EQ(plan.extents_in_batch(Dims{3, 5, 2}), (MatrixExtents{3, 1, 1}));
    EXPECT_EQ(plan.extents_in_batch(Dims{5, 2}), (MatrixExtents{1, 1, 0}));
    EXPECT_FALSE(plan.extents_in_batch(Dims{2}));
    EXPECT_FALSE(plan.extents_in_batch(Dims{3, 5, 3}));
    EXPECT_FALSE(plan.extents_in_batch(Dims{1, 1, 1, 5, 2}));
}

TEST(MatrixPlan, TakesNoStepsThatDoNotFit) {
    MatrixPlan plan(DType::F64, Dims{});
    const Value a = *plan.input({3, 2}), b = *plan.input({3, 2}), v = *plan.input({2, 1, 1}),
                square = *plan.input({3, 3});
    const std::size_t values = plan.values();
    EXPECT_FALSE(plan.multiply({a, b, false, false, false}));
    EXPECT_FALSE(plan.multiply({a, v, false, false, false}));
    EXPECT_FALSE(plan.combine(OpId::Add, a, square));
    EXPECT_FALSE(plan.combine(OpId::Div, a, b));
    EXPECT_FALSE(plan.substitute({a, b, true, true, false, false}));
    EXPECT_FALSE(plan.substitute({square, b, false, true, false, false}));
    EXPECT_FALSE(plan.divide({a, v, 0.5, 0.5, 0, 0}));
    EXPECT_FALSE(plan.divide({a, v, 1, 0, 1, 0}));
    EXPECT_FALSE(plan.divide({square, v, 1, 0, 0, 0}));
    EXPECT_FALSE(plan.select(a, {2, 2}, std::vector<Terms>(3)));
    EXPECT_FALSE(plan.select(a, {1, 1}, {Terms{.first = 6}}));
    EXPECT_FALSE(plan.transpose(v));
    EXPECT_FALSE(plan.input({0, 3}));
    EXPECT_EQ(plan.values(), values);
    EXPECT_TRUE(plan.divide({a, v, 1, 0, 0, 0}));
}

TEST(MatrixPlan, ReadsIndicesAsOrdersAlone) {
    MatrixPlan plan(DType::F32, Dims{5});
    const Value x = *plan.input({3, 2}), square = *plan.input({2, 2}), order = *plan.index_input({3, 1, 1}),
                zero = *plan.index_input({1, 1, 0}), numbers = *plan.input({3, 1, 1}),
                indices = *plan.index_input({2, 2});
    EXPECT_EQ(plan.dtype(x), DType::F32);
    EXPECT_EQ(plan.dtype(order), DType::I64);
    const std::size_t values = plan.values();
    EXPECT_FALSE(plan.permute({square, order, zero, false}));
    EXPECT_FALSE(plan.permute({x, numbers, zero, false}));
    EXPECT_FALSE(plan.permute({x, zero, order, false}));
    EXPECT_FALSE(plan.permute({indices, order, zero, false}));
    EXPECT_FALSE(plan.combine(OpId::Neg, order, order));
    EXPECT_FALSE(plan.multiply({x, indices, false, false, false}));
    EXPECT_FALSE(plan.substitute({indices, square, true, true, false, false}));
    EXPECT_FALSE(plan.divide({square, indices, 1, 0, 0, 0}));
    EXPECT_FALSE(plan.transpose(indices));
    EXPECT_EQ(plan.values(), values);
    EXPECT_TRUE(plan.permute({x, order, zero, true}));
    plan.drop_unused_inputs();
    EXPECT_EQ(plan.inputs(), (std::vector<Value>{x, order, zero}));
}

TEST(MatrixPlan, LeavesWhatIsLargeToTheOperations) {
    MatrixPlan alone(DType::F64, Dims{}), several(DType::F64, Dims{4});
    EXPECT_TRUE(alone.input({8, 8}));
    EXPECT_FALSE(alone.input({9, 1}));
    EXPECT_TRUE(several.input({16, 16}));
    EXPECT_FALSE(several.input({1, 17}));
    while (several.input({16, 16})) continue;
    EXPECT_LE(several.elements(), 4096);
}

TEST(MatrixPlan, ExecutionChecksItsOperands) {
    MatrixPlan plan(DType::F64, Dims{2});
    const Value a = *plan.input({2, 2});
    plan.set_outputs({*plan.multiply({a, a, false, false, false})});
    const auto backend = CpuBackend::with_threads(1);
    const Tensor good = Tensor::zeros(DType::F64, {2, 2, 2}), other = Tensor::zeros(DType::F64, {2, 2, 3}),
                 narrow = Tensor::zeros(DType::F32, {2, 2, 2});
    backend->with_backend_session([&](BackendSession& s) {
        const auto run = [&](std::vector<TensorRead> in, const TensorWrite& out) {
            return s.execute_matrix_plan_into(plan, in, {&out, 1});
        };
        Tensor result = Tensor::zeros(DType::F64, {2, 2, 2}), wrong = Tensor::zeros(DType::F64, {2, 3, 2});
        EXPECT_TRUE(run({good}, result.write()));
        EXPECT_ERROR((void)run({}, result.write()), InvalidArgument,
                     "matrix_plan: 0 inputs and 1 outs, but the plan has 1 and 1");
        EXPECT_ERROR((void)run({narrow}, result.write()), DTypeMismatch,
                     "matrix_plan: input 0 has dtype f32 but the plan takes f64");
        EXPECT_ERROR((void)run({other}, result.write()), ShapeMismatch, "input 0");
        EXPECT_ERROR((void)run({good}, wrong.write()), ShapeMismatch, "matrix_plan: out");
        EXPECT_ERROR((void)run({result}, result.write()), InvalidArgument,
                     "matrix_plan: out overlaps the memory of an input");
    });
    ReferenceBackend().with_backend_session([&](BackendSession& s) {
        Tensor result = Tensor::zeros(DType::F64, {2, 2, 2});
        const TensorRead in[] = {good};
        const TensorWrite out[] = {result.write()};
        EXPECT_FALSE(s.execute_matrix_plan_into(plan, in, out));
    });
}

}}  // namespace tenferro
