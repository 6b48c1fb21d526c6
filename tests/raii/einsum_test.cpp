// Einsums and plans of the RAII layer, on every element type: values, derivatives, exponents, options,
// watching.
#include <cmath>

#include "support.hpp"

template <class T>
class RaiiEinsum : public ::testing::Test {
protected:
    const tfe::Tensor<T> a = counting<T>({2, 3}), b = counting<T>({3, 2}), seed = counting<T>({2, 2});
    const std::vector<T> product{22, 28, 49, 64};
    const std::vector<T> gradient_a{13, 18, 17, 24, 21, 30};  // seed b^T
    const std::vector<T> gradient_b{5, 11, 17, 11, 25, 39};   // a^T seed
};
TYPED_TEST_SUITE(RaiiEinsum, ElementTypes);

TYPED_TEST(RaiiEinsum, TakesOperandsOneByOneAndAsLists) {
    using T = TypeParam;
    EXPECT_EQ(elements(tfe::einsum("ij,jk->ik", this->a, this->b)), this->product);
    std::vector<tfe::Tensor<T>> both;
    both.push_back(this->a.clone());
    both.push_back(this->b.clone());
    EXPECT_EQ(elements(tfe::einsum("ij,jk->ik", both)), this->product);
    tfe::Operands<T> list;
    list.add(this->a);
    list.add(this->b);
    EXPECT_EQ(elements(tfe::einsum("ij,jk->ik", list)), this->product);
}

TYPED_TEST(RaiiEinsum, HasDerivatives) {
    using T = TypeParam;
    const auto gradients = tfe::einsum_vjp("ij,jk->ik", {this->a, this->b}, this->seed);
    ASSERT_EQ(gradients.size(), 2u);
    EXPECT_EQ(elements(gradients[0]), this->gradient_a);
    EXPECT_EQ(elements(gradients[1]), this->gradient_b);
    const auto tangent =
        tfe::einsum_jvp("ij,jk->ik", tfe::Operands{this->a, this->b}, {this->a, tfe::Tensor<T>()});
    EXPECT_EQ(elements(tangent), this->product);
    expect_error(
        [&] {
            tfe::einsum_jvp("ij,jk->ik", tfe::Operands{this->a, this->b}, {this->a});
        },
        TFE_INVALID_ARGUMENT, TFE_DETAIL_INVALID_VALUE, "jvp: 1 tangents for 2 primals");
}

TYPED_TEST(RaiiEinsum, HasPlans) {
    using T = TypeParam;
    const tfe::Plan plan("ij,jk->ik", {{2, 3}, {3, 2}});
    EXPECT_EQ(elements(plan.run(this->a, this->b)), this->product);
    const auto gradients = plan.vjp({this->a, this->b}, this->seed);
    EXPECT_EQ(elements(gradients[0]), this->gradient_a);
    EXPECT_EQ(elements(gradients[1]), this->gradient_b);
    EXPECT_EQ(elements(plan.jvp(tfe::Operands{this->a, this->b}, {tfe::Tensor<T>(), this->b})),
              this->product);
    expect_error([&] { plan.run(this->b, this->a); }, TFE_SHAPE_MISMATCH, TFE_DETAIL_SHAPE, "operand 0");
}

TYPED_TEST(RaiiEinsum, CarriesExponents) {
    using T = TypeParam;
    const tfe::Tensor<T> big({T(std::ldexp(1.F, 100))}, {1});
    const tfe::Plan plan("i,i->i", {{1}, {1}});
    const std::vector<T> half{T(0.5F)};
    for (const auto& [tensor, exponent] :
         {tfe::einsum_scaled("i,i->i", big, big), plan.run_scaled(big, big)}) {
        EXPECT_EQ(elements(tensor), half);
        EXPECT_EQ(exponent, 201);
    }
    const tfe::Operands operands{big, big};
    for (const auto& [tensor, exponent] :
         {tfe::einsum_jvp_scaled("i,i->i", operands, operands), plan.jvp_scaled(operands, operands)}) {
        EXPECT_EQ(elements(tensor), half);
        EXPECT_EQ(exponent, 202);
    }
    const auto once = tfe::einsum_vjp_scaled("i,i->i", operands, big, 1000);
    const auto planned = plan.vjp_scaled(operands, big, 1000);
    for (const auto* gradients : {&once, &planned}) {
        ASSERT_EQ(gradients->size(), 2u);
        for (const auto& [tensor, exponent] : *gradients) {
            EXPECT_EQ(elements(tensor), half);
            EXPECT_EQ(exponent, 1201);
        }
    }
}

TEST(RaiiPlan, OptionsCostsAndOrder) {
    tfe::PlanOptions options;
    options.order = {1, 2, 0, 1};
    const tfe::Plan plan("ij,jk,kl->il", {{2, 3}, {3, 4}, {4, 5}}, options);
    EXPECT_EQ(plan.order(), options.order);
    EXPECT_EQ(plan.cost().flops, 2 * (3 * 4 * 5 + 2 * 3 * 5));
    EXPECT_GT(plan.vjp_cost().flops, plan.cost().flops);
    options = {};
    options.max_exact = 99;
    expect_error([&] { tfe::Plan("i->i", {{2}}, options); }, TFE_INVALID_ARGUMENT, TFE_DETAIL_INVALID_VALUE,
                 "max_exact");
}

TEST(RaiiPlan, MovesAndClones) {
    static_assert(!std::is_copy_constructible_v<tfe::Plan>);
    const tfe::Tensor<double> a({1, 2}, {2});
    tfe::Plan plan("i->", {{2}});
    const tfe::Plan clone = plan.clone();
    tfe::Plan moved = std::move(plan);
    EXPECT_FALSE(plan);
    expect_error([&] { plan.run(a); }, TFE_INVALID_ARGUMENT, TFE_DETAIL_NULL_POINTER, "NULL");
    tfe_einsum_plan* handle = moved.handle();
    moved = tfe::Plan();
    EXPECT_FALSE(tfe::Plan(handle)) << "what assignment replaces is released";
    EXPECT_EQ(clone.run(a).item(), 3);
}

TEST(RaiiPlan, TakesLabels) {
    const auto plan = tfe::Plan::from_labels({{1, 7}, {7, -3}}, {{2, 3}, {3, 2}}, {1, -3});
    EXPECT_EQ(elements(plan.run(counting<double>({2, 3}), counting<double>({3, 2}))),
              (std::vector<double>{22, 28, 49, 64}));
    expect_error(
        [] {
            tfe::Plan::from_labels({{1}}, {{2, 3}}, {1});
        },
        TFE_SHAPE_MISMATCH, TFE_DETAIL_SHAPE, "from_labels: operand 0 has 1 labels for 2 axes");
    expect_error(
        [] {
            tfe::Plan::from_labels({{1}}, {{2}, {3}}, {1});
        },
        TFE_SHAPE_MISMATCH, TFE_DETAIL_SHAPE, "from_labels: labels of 1 operands, 2 shapes");
}

TEST(RaiiErrors, CarryWhatTheLibrarySays) {
    const tfe::Tensor<double> a = counting<double>({2, 3}), b = counting<double>({4});
    expect_error([&] { tfe::einsum("ij,j->i", a, b); }, TFE_SHAPE_MISMATCH, TFE_DETAIL_SHAPE,
                 "label j has extent 3");
    expect_error([&] { tfe::einsum("ij->z", a); }, TFE_INVALID_ARGUMENT, TFE_DETAIL_INVALID_VALUE, "z");
}

TEST(RaiiWatch, SeesCancelsAndPassesExceptionsOn) {
    const tfe::Tensor<double> a = counting<double>({2, 2});
    const auto contract = [&] { return tfe::einsum("ij,jk,kl->il", a, a, a); };
    const std::vector<double> value = elements(contract());
    int asked = 0;
    {
        const tfe::Watch outer([&](const tfe_progress& progress) {
            EXPECT_EQ(progress.struct_size, sizeof progress);
            ++asked;
            return true;
        });
        EXPECT_EQ(elements(contract()), value);
        EXPECT_GT(asked, 0);
        {
            const tfe::Watch inner([](const tfe_progress&) { return false; });
            const int before = asked;
            expect_error(contract, TFE_INTERNAL_ERROR, TFE_DETAIL_CANCELLED, "cancelled");
            EXPECT_EQ(asked, before);
        }
        const int before = asked;
        EXPECT_EQ(elements(contract()), value);
        EXPECT_GT(asked, before) << "the outer watch is asked again";
        const tfe::Watch thrower([](const tfe_progress&) -> bool { throw std::domain_error("stop"); });
        EXPECT_THROW(contract(), std::domain_error);
        EXPECT_THROW(contract(), std::domain_error);
    }
    asked = 0;
    EXPECT_EQ(elements(contract()), value);
    EXPECT_EQ(asked, 0);
}
