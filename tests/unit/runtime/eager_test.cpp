// Eager tensors, backward(), and derivatives of functions at eager values.
#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/einsum/replay.hpp"
#include "tenferro/runtime/functional.hpp"
#include "values.hpp"

namespace tenferro { namespace {

using test::random_tensor;
using test::scalar_of;
using test::values_of;

class Eager : public ::testing::Test {
protected:
    EagerTensor leaf(Tensor value) { return EagerTensor(context_, std::move(value), true); }
    EagerTensor fixed(Tensor value) { return EagerTensor(context_, std::move(value)); }

    CpuBackend backend_;
    EagerContext context_{backend_};
};

TEST_F(Eager, RunsAtOnce) {
    const EagerTensor x = fixed(test::tensor_of({1, 2, 3}, {3}));
    EXPECT_EQ(values_of((x * x + 1.0).value()), (std::vector<double>{2, 5, 10}));
    EXPECT_EQ(values_of(reduce_sum(x).value()), std::vector<double>{6});
    EXPECT_FALSE(x.requires_grad());
    EXPECT_FALSE((x + x).requires_grad());
}

TEST_F(Eager, BackwardAccumulatesInLeaves) {
    EagerTensor x = leaf(test::tensor_of({1, 2, 3}, {3}));
    const EagerTensor w = fixed(test::tensor_of({4, 5, 6}, {3}));
    const EagerTensor loss = reduce_sum(x * x * w);
    EXPECT_FALSE(x.has_grad());
    loss.backward();
    EXPECT_EQ(values_of(x.grad().value()), (std::vector<double>{8, 20, 36}));
    loss.backward();
    EXPECT_EQ(values_of(x.grad().value()), (std::vector<double>{16, 40, 72}));
    EXPECT_FALSE(w.has_grad());
    x.clear_grad();
    EXPECT_FALSE(x.has_grad());
}

TEST_F(Eager, BackwardKeepsDerivativesByStructure) {
    for (int i = 0; i < 5; ++i) {
        const EagerTensor x = leaf(random_tensor({3, 4}, static_cast<unsigned>(i))),
                          y = leaf(random_tensor({4, 2}, 9));
        reduce_sum(tanh(matmul(x, y))).backward();
        EXPECT_TRUE(x.has_grad() && y.has_grad());
    }
    EXPECT_EQ(context_.backward_stats().misses, 1u);
    EXPECT_EQ(context_.backward_stats().hits, 4u);
    context_.clear();
    EXPECT_EQ(context_.backward_stats().entries, 0u);
}

TEST_F(Eager, BackwardAgreesWithTracing) {
    const Tensor a = random_tensor({3, 4}, 1), b = random_tensor({4, 3}, 2);
    const auto model = [](const auto& x, const auto& y) {
        const auto product = matmul(x, y);
        return reduce_sum(exp(product) * sin(product + transpose(product, {1, 0}))) + reduce_sum(x * x);
    };
    const EagerTensor x = leaf(a.duplicate()), y = leaf(b.duplicate());
    model(x, y).backward();

    const std::vector<EagerTensor> at{fixed(a.duplicate()), fixed(b.duplicate())};
    const std::vector<EagerTensor> traced =
        grad([&](std::span<const TracedTensor> v) { return model(v[0], v[1]); }, at);
    for (const auto& [eager, other] : {std::pair(x, traced[0]), std::pair(y, traced[1])}) {
        const std::vector<double> got = values_of(eager.grad().value()), wanted = values_of(other.value());
        for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], wanted[i], 1e-12);
    }
}

TEST_F(Eager, BackwardFromACotangent) {
    const EagerTensor x = leaf(test::tensor_of({1, 2}, {2}));
    const EagerTensor y = x * x;
    y.backward(test::tensor_of({10, 100}, {2}));
    EXPECT_EQ(values_of(x.grad().value()), (std::vector<double>{20, 400}));
}

TEST_F(Eager, GradientOfWhatDoesNotMatterIsZero) {
    const EagerTensor x = leaf(test::tensor_of({1, 2}, {2})), y = leaf(scalar_of(3));
    reduce_sum(sign(x) * 1.0 + y).backward();
    EXPECT_EQ(values_of(x.grad().value()), (std::vector<double>{0, 0}));
    EXPECT_EQ(values_of(y.grad().value()), std::vector<double>{2});
}

TEST_F(Eager, DetachStopsTheFlow) {
    const EagerTensor x = leaf(test::tensor_of({2}, {1}));
    reduce_sum(x * (x * x).detach()).backward();
    EXPECT_EQ(values_of(x.grad().value()), std::vector<double>{4});
}

TEST_F(Eager, RecordedGradientsAreDifferentiatedAgain) {
    EagerTensor x = leaf(test::tensor_of({2, 3}, {2}));
    reduce_sum(x * x * x).backward(true);
    const EagerTensor slope = x.grad();
    EXPECT_EQ(values_of(slope.value()), (std::vector<double>{12, 27}));
    x.clear_grad();
    reduce_sum(slope * slope).backward();  // 9 x^4
    EXPECT_EQ(values_of(x.grad().value()), (std::vector<double>{288, 972}));
    x.clear_grad();
    (x * x).backward(test::tensor_of({1, 10}, {2}), true);
    reduce_sum(x * x).backward();  // what was recorded stays so
    EXPECT_EQ(values_of(x.grad().value()), (std::vector<double>{8, 66}));
    const EagerTensor sum = x.grad();
    x.clear_grad();
    reduce_sum(sum).backward(true);
    EXPECT_EQ(values_of(x.grad().value()), (std::vector<double>{2, 20}));
}

TEST_F(Eager, RecordedGradientsGoWithTheLeaf) {
    const auto in_use = [&] { return backend_.pool_stats().bytes_in_use; };
    const std::size_t before = in_use();
    EagerTensor loss = fixed(scalar_of(0));
    {
        const EagerTensor x = leaf(test::tensor_of({2, 3}, {2})), y = leaf(test::tensor_of({4, 5}, {2}));
        loss = reduce_sum(x * y);
        loss.backward(true);  // each gradient is the other leaf
        reduce_sum(sin(x) * y).backward(true);
        EXPECT_EQ(values_of(x.grad().value())[0], 4 + 4 * std::cos(2.0));
        EXPECT_GT(in_use(), before);
    }
    loss.backward(true);  // for leaves that nobody can ask
    loss = fixed(scalar_of(0));
    EXPECT_EQ(in_use(), before);
}

TEST_F(Eager, LongChainsNeitherRecurseNorLeak) {
    EagerTensor x = leaf(scalar_of(1));
    EagerTensor y = x;
    for (int i = 0; i < 20000; ++i) y = -y;
    y.backward();
    EXPECT_EQ(values_of(x.grad().value()), std::vector<double>{1});
}

TEST_F(Eager, Refusals) {
    const EagerTensor x = leaf(test::tensor_of({1, 2}, {2}));
    EXPECT_ERROR((x * x).backward(), NonScalarLoss, "the loss has shape [2], not rank 0");
    EXPECT_ERROR(fixed(scalar_of(1)).backward(), InvalidArgument, "does not depend on a leaf");
    EXPECT_ERROR((x * x).backward(scalar_of(1)), TangentShapeMismatch,
                 "the cotangent has shape [] but the tensor has [2]");
    const std::int64_t one = 1;
    EXPECT_ERROR(leaf(Tensor::from_data<std::int64_t>({&one, 1}, {})), DTypeMismatch,
                 "dtype i64 has no derivatives");
    CpuBackend other_backend;
    EagerContext other(other_backend);
    EXPECT_ERROR(static_cast<void>(x + EagerTensor(other, test::tensor_of({1, 2}, {2}))), InvalidArgument,
                 "add: operand 1 is of another context");
    EXPECT_ERROR(static_cast<void>(x + fixed(test::tensor_of({1, 2, 3}, {3}))), ShapeMismatch,
                 "lhs axis 0 has extent 2 but rhs axis 0 has extent 3");
}

TEST_F(Eager, DerivativesOfFunctionsCompose) {
    const std::vector<EagerTensor> at{fixed(test::tensor_of({1, 2, 3}, {3}))},
        along{fixed(test::tensor_of({1, 0, -1}, {3}))};
    const auto cube = [](std::span<const TracedTensor> v) { return reduce_sum(v[0] * v[0] * v[0]); };
    EXPECT_EQ(values_of(grad(cube, at)[0].value()), (std::vector<double>{3, 12, 27}));
    const auto slope = [&](std::span<const TracedTensor> v) { return grad(cube(v), v); };
    EXPECT_EQ(values_of(jvp(slope, at, along)[0].value()), (std::vector<double>{6, 0, -18}));
    EXPECT_EQ(values_of(vjp(slope, at, along)[0].value()), (std::vector<double>{6, 0, -18}));
}

TEST_F(Eager, EinsumIsDifferentiable) {
    const EagerTensor a = leaf(test::tensor_of({1, 3, 2, 4}, {2, 2})),
                      b = leaf(test::tensor_of({5, 7, 6, 8}, {2, 2}));
    const EagerTensor c = einsum("ij,jk->ik", {a, b});
    EXPECT_EQ(values_of(c.value()), (std::vector<double>{19, 43, 22, 50}));
    reduce_sum(c).backward();
    EXPECT_EQ(values_of(a.grad().value()), (std::vector<double>{11, 11, 15, 15}));
    EXPECT_EQ(values_of(b.grad().value()), (std::vector<double>{4, 6, 4, 6}));
}

}}  // namespace tenferro
