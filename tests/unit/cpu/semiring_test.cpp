// The public contraction engine against the loop that defines it: values and winners of several algebras over
// drawn shapes and layouts, shapes that lead to each path, every instruction set, and special values.
#include <gtest/gtest.h>

#include "tenferro/cpu/contraction/highway_targets.hpp"

#include <hwy/targets.h>

#include "cpu/kernels/contraction/gemm_kernels.hpp"
#include "support/expect_error.hpp"
#include "support/instruction_sets.hpp"
#include "tenferro/cpu/contraction/contract.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/reference/reference_backend.hpp"
#include "tenferro/testing/tolerance.hpp"
#include "unit/cpu/algebras.hpp"
#include "unit/cpu/contract_support.hpp"

namespace tenferro::testing { namespace {

template <class S>
concept HasWinners = requires(typename S::Element x) {
    S::times(x, x);
};

template <class T>
bool is_same(T x, T y) {
    return x == y || (x != x && y != y);
}

/// Small integers, so that optima are attained often, and special values where `wild`.
template <class S>
typename S::Element draw_element(Generator& random, bool wild) {
    using T = typename S::Element;
    if (draw(random, 0, 15) != 0) return static_cast<T>(draw(random, -9, 9));
    if constexpr (std::is_floating_point_v<T>) {
        constexpr T kInfinity = std::numeric_limits<T>::infinity();
        const T specials[] = {S::zero(), -kInfinity, kInfinity, std::numeric_limits<T>::quiet_NaN(),
                              T{0},      -T{0}};
        return specials[wild ? draw(random, 0, 5) : 0];
    }
    return S::zero();
}

/// Values and winners by their definition.
template <class S>
void define(ContractionCase<typename S::Element>& made, Strided<typename S::Element>& out,
            Strided<Index>& winners) {
    using T = typename S::Element;
    const DotGeneralConfig& config = made.config;
    const Dims lhs_free = free_axes(made.lhs.shape.size(), config.lhs_contract, config.lhs_batch);
    const Dims rhs_free = free_axes(made.rhs.shape.size(), config.rhs_contract, config.rhs_batch);
    Dims k_shape;
    for (const Index axis : config.lhs_contract)
        k_shape.push_back(made.lhs.shape[static_cast<std::size_t>(axis)]);
    std::vector<Index> lhs(made.lhs.shape.size()), rhs(made.rhs.shape.size());
    const auto for_each_k = [&](auto&& body) {
        Index position = 0;
        for_each_index(k_shape, [&](const std::vector<Index>& k) {
            for (std::size_t i = 0; i < k.size(); ++i)
                lhs[static_cast<std::size_t>(config.lhs_contract[i])] =
                    rhs[static_cast<std::size_t>(config.rhs_contract[i])] = k[i];
            body(made.lhs.at(lhs), made.rhs.at(rhs), position++);
        });
    };
    for_each_index(out.shape, [&](const std::vector<Index>& index) {
        std::size_t next = 0;
        for (const Index axis : lhs_free) lhs[static_cast<std::size_t>(axis)] = index[next++];
        for (const Index axis : rhs_free) rhs[static_cast<std::size_t>(axis)] = index[next++];
        for (std::size_t i = 0; i < config.lhs_batch.size(); ++i)
            lhs[static_cast<std::size_t>(config.lhs_batch[i])] =
                rhs[static_cast<std::size_t>(config.rhs_batch[i])] = index[next++];
        T total = S::accumulator_identity();
        for_each_k([&](T a, T b, Index) { total = S::mac(total, a, b); });
        if constexpr (requires { S::finish(total); }) total = S::finish(total);
        out.at(index) = made.terms == 0 ? S::zero() : total;
        if constexpr (HasWinners<S>) {
            Index winner = -1;
            for_each_k([&](T a, T b, Index position) {
                if (winner < 0 && is_same<T>(S::times(a, b), total)) winner = position;
            });
            winners.at(index) = total == S::zero() || made.terms == 0 ? 0 : winner;
        }
    });
}

template <class T>
void expect_same(const Strided<T>& actual, const Strided<T>& expected, const std::string& what) {
    for (std::size_t i = 0; i < expected.memory.size(); ++i)
        ASSERT_TRUE(is_same<T>(actual.memory[i], expected.memory[i]))
            << what << ": element " << i << " is " << actual.memory[i] << ", not " << expected.memory[i];
}

/// Contractions that told where their sums come from.
template <class S>
int tracked = 0;

/// Values and winners of a drawn contraction, all memory of the results, on one thread and on two.
template <class S>
void check(Generator& random, const GroupShapes& groups, bool shuffled, LayoutKind layout, bool wild) {
    using T = typename S::Element;
    auto made = make_case<T>(random, groups, shuffled, layout, true);
    for (auto* operand : {&made.lhs, &made.rhs})
        for (T& value : operand->memory) value = draw_element<S>(random, wild);
    LayoutKind out_layout = layout;
    out_layout.repeated = false;
    Strided<Index> unset = draw_layout<Index>(random, made.out.shape, out_layout);
    if (draw(random, 0, 1) == 0) {  // winners that lie as the result does
        unset.memory.resize(made.out.memory.size());
        unset.origin = made.out.origin;
        unset.strides = made.out.strides;
    }
    std::fill(unset.memory.begin(), unset.memory.end(), Index{-7});
    Strided<T> expected = made.out;
    Strided<Index> expected_winners = unset;
    define<S>(made, expected, expected_winners);
    for (const int threads : {1, 2}) {
        CpuContext context(threads);
        Strided<T> out = made.out;
        cpu::contract(kernels_of<S>(), made.lhs.read(), made.rhs.read(), made.config, out.write(), context);
        expect_same(out, expected, text("values, ", threads, " threads, ", made.describe()));
        if (::testing::Test::HasFatalFailure()) return;
        if constexpr (HasWinners<S>) {
            Strided<Index> winners = unset;
            cpu::contract_winners(kernels_of<S>(), made.lhs.read(), made.rhs.read(), made.config, out.read(),
                                  winners.write(), context);
            expect_same(winners, expected_winners, text("winners, ", threads, " threads, ", made.describe()));
            if (::testing::Test::HasFatalFailure()) return;
            out = made.out;
            Strided<Index> origins = unset;
            if (!cpu::contract_tracked(kernels_of<S>(), made.lhs.read(), made.rhs.read(), made.config,
                                       out.write(), origins.write(), context))
                continue;
            ++tracked<S>;
            expect_same(out, expected, text("tracked values, ", threads, " threads, ", made.describe()));
            for_each_index(out.shape, [&](const std::vector<Index>& index) {
                const Index winner = expected_winners.at(index), origin = origins.at(index);
                const Index before = winner - origin;
                const bool fits = out.at(index) == S::zero()
                                      ? origin >= 0 && origin < static_cast<Index>(made.terms)
                                      : before >= 0 && before < cpu::tracked_depth(sizeof(T));
                EXPECT_TRUE(fits) << "winner " << winner << " but origin " << origin << ", "
                                  << made.describe();
            });
            if (::testing::Test::HasFailure()) return;
        }
    }
}

template <class S>
class Semirings : public ::testing::Test {
protected:
    const unsigned seed_ = std::random_device{}();
    Generator random_{seed_};

    void check_listed() {
        const GroupShapes listed[] = {
            {{97}, {53}, {131}, {}},          // tiles with edges
            {{50}, {17}, {700}, {2}},         // several blocks of K
            {{30}, {17}, {2700}, {}},         // also where it is told where sums come from
            {{13, 3}, {5, 7}, {2, 25}, {2}},  // fused and unfused groups
            {{1}, {150}, {200}, {}},          // vector times matrix
            {{3}, {2}, {500}, {}},            // little but K
            {{70}, {30}, {}, {}},             // outer product
            {{}, {}, {}, {23, 45}},           // element-wise product
            {{300}, {3}, {5}, {2}},           // shallow K
            {{3}, {2}, {2}, {300}},           // many tiny slices
            {{4}, {3}, {0}, {5}},             // empty K
        };
        for (const GroupShapes& groups : listed)
            for (const bool permuted : {false, true}) {
                check<S>(random_, groups, permuted, {permuted, permuted, permuted, false}, permuted);
                if (this->HasFatalFailure()) return;
            }
        const GroupShapes in_place[] = {{{64}, {24}, {40}, {}}, {{16}, {17}, {70}, {3}}};
        for (const GroupShapes& groups : in_place)
            for (const bool wild : {false, true}) {
                check<S>(random_, groups, false, {false, false, false, false}, wild);
                if (this->HasFatalFailure()) return;
            }
    }
};
using Algebras =
    ::testing::Types<Tropical<double, 1>, MaxMul, Tropical<std::int32_t, -1>, Tropical<float, -1>, Modular>;
TYPED_TEST_SUITE(Semirings, Algebras);

TYPED_TEST(Semirings, DrawnShapesAndLayouts) {
    SCOPED_TRACE(text("seed ", this->seed_));
    for (int i = 0; i < 150 && !this->HasFatalFailure(); ++i) {
        GroupShapes groups{draw_shape(this->random_, 2, 9), draw_shape(this->random_, 2, 9),
                           draw_shape(this->random_, 2, 9), draw_shape(this->random_, 2, 4)};
        if (i % 10 == 0 && !groups.k.empty()) groups.k[0] = 0;
        if (i % 17 == 0 && !groups.m.empty()) groups.m[0] = 0;
        check<TypeParam>(this->random_, groups, i % 4 != 0, {i % 2 == 1, i % 3 == 1, i % 5 == 1, i % 7 == 1},
                         i % 3 == 0);
    }
}

TYPED_TEST(Semirings, ListedShapesOnEveryInstructionSet) {
    SCOPED_TRACE(text("seed ", this->seed_));
    testing::on_every_instruction_set([&] { this->check_listed(); });
    EXPECT_EQ(tracked<TypeParam> > 0, kernels_of<TypeParam>().multiply_tracked != nullptr);
}

TEST(Semiring, BoolMatrices) {
    constexpr Index m = 75, k = 90, n = 33;
    Generator random(5);
    auto lhs = std::make_unique<bool[]>(m * k), rhs = std::make_unique<bool[]>(k * n),
         out = std::make_unique<bool[]>(m * n);
    for (Index i = 0; i < m * k; ++i) lhs[i] = draw(random, 0, 9) == 0;
    for (Index i = 0; i < k * n; ++i) rhs[i] = draw(random, 0, 9) == 0;
    CpuContext context(1);
    cpu::contract(kernels_of<OrAnd>(), {DType::Bool, lhs.get(), {m, k}, {1, m}},
                  {DType::Bool, rhs.get(), {k, n}, {1, k}}, {{1}, {0}, {}, {}},
                  {DType::Bool, out.get(), {m, n}, {1, m}}, context);
    Index reached = 0;
    for (Index i = 0; i < m; ++i)
        for (Index j = 0; j < n; ++j) {
            bool expected = false;
            for (Index l = 0; l < k; ++l) expected = expected || (lhs[i + l * m] && rhs[l + j * k]);
            ASSERT_EQ(out[i + j * m], expected) << i << ", " << j;
            reached += expected;
        }
    EXPECT_GT(reached, 0);
    EXPECT_LT(reached, m * n);
}

TEST(Semiring, OrdinaryAlgebraIsAnInstance) {
    Generator random(11);
    for (const GroupShapes& groups : {GroupShapes{{30}, {20}, {40}, {2}}, GroupShapes{{30}, {20}, {}, {}}}) {
        auto made = make_case<double>(random, groups, true, {true, true, true, false}, false);
        Strided<double> expected = made.out, out = made.out;
        naive_contract(made, expected);
        CpuContext context(2);
        cpu::contract(cpu::gemm_kernels(DType::F64), made.lhs.read(), made.rhs.read(), made.config,
                      out.write(), context);
        for (std::size_t i = 0; i < out.memory.size(); ++i)
            ASSERT_NEAR(out.memory[i], expected.memory[i], sum_tolerance<double>(made.terms))
                << made.describe();
    }
}

TEST(Semiring, Errors) {
    CpuContext context(1);
    std::vector<double> memory(12);
    std::vector<Index> indices(4);
    const TensorRead a(DType::F64, memory.data(), {2, 2}, {1, 2}),
        b(DType::F64, memory.data() + 4, {2, 2}, {1, 2});
    const TensorRead single(DType::F32, memory.data(), {2, 2}, {1, 2});
    const TensorWrite out(DType::F64, memory.data() + 8, {2, 2}, {1, 2}),
        wide(DType::F64, memory.data() + 8, {2, 1}, {1, 2});
    const TensorWrite over(DType::F64, memory.data() + 6, {2, 2}, {1, 2}),
        winners(DType::I64, indices.data(), {2, 2}, {1, 2});
    const DotGeneralConfig config{{1}, {0}, {}, {}};
    const auto& max_plus = kernels_of<Tropical<double, 1>>();
    EXPECT_ERROR(cpu::contract(max_plus, single, b, config, out, context), DTypeMismatch,
                 "contract: lhs has dtype f32 but the algebra is on f64");
    EXPECT_ERROR(cpu::contract(max_plus, a, b, config, wide, context), ShapeMismatch, "contract: ");
    EXPECT_ERROR(cpu::contract(max_plus, a, b, config, over, context), InvalidArgument, "contract: ");
    EXPECT_ERROR(cpu::contract(max_plus, a, b, {{1}, {}, {}, {}}, out, context), InvalidConfig,
                 "dot_general: ");
    EXPECT_ERROR(cpu::contract_winners(kernels_of<Modular>(), a, b, config, out, winners, context),
                 Unsupported, "contract_winners: the algebra has no winners");
    EXPECT_ERROR(cpu::contract_winners(max_plus, a, b, config, out, out, context), DTypeMismatch,
                 "contract_winners: ");
    const auto track = [&](const cpu::KernelTable& kernels, const TensorRead& lhs, const TensorWrite& result,
                           const TensorWrite& origins) {
        return cpu::contract_tracked(kernels, lhs, b, config, result, origins, context);
    };
    EXPECT_ERROR((void)track(max_plus, single, out, winners), DTypeMismatch,
                 "contract_tracked: lhs has dtype f32 but the algebra is on f64");
    EXPECT_ERROR((void)track(max_plus, a, wide, winners), ShapeMismatch, "contract_tracked: ");
    EXPECT_ERROR((void)track(max_plus, a, out, out), DTypeMismatch, "contract_tracked: ");
    EXPECT_ERROR((void)track(max_plus, a, over, winners), InvalidArgument, "contract_tracked: ");
}

/// A session that is not of the CPU backend has no threads to lend.
TEST(Semiring, ThreadsOfASession) {
    const auto backend = CpuBackend::with_threads(3);
    backend->with_backend_session(
        [](BackendSession& session) { EXPECT_EQ(cpu::context_of(session).threads(), 3); });
    ReferenceBackend reference;
    reference.with_backend_session([](BackendSession& session) {
        EXPECT_ERROR(static_cast<void>(cpu::context_of(session)), BackendFailure,
                     "context_of: the session is of backend reference, not of CpuBackend");
    });
}

}}  // namespace tenferro::testing
