// Einsum, its gradients and its tangent on drawn strided operands, lent by DLPack or not, on every
// instruction set: what the reference backend gives.
#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "conformance/comparison.hpp"
#include "conformance/instruction_sets.hpp"
#include "conformance/samples.hpp"
#include "support/blas.hpp"
#include "support/sanitized.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/einsum/plan.hpp"
#include "tenferro/reference/reference_backend.hpp"

namespace tenferro::conformance { namespace {

constexpr const char* kEquations[] = {
    "ij,jk->ik",      "ij,jk->ki", "bij,bjk->bik", "bij,jk->ikb",  "ij,ij->ij",   "ij,ij->",
    "ii->i",          "ii->",      "iij,jk->ik",   "ij->ji",       "ijk->j",      "i,j->ij",
    "ij,j->i",        "aij,ja->a", "ijij->ij",     "ij,jk,kl->il", "ij,jk,kl->i", "a,ab,b->",
    "abc,bd,cd->adb", ",ij->ij",   "i,i,i->i",     "abij,bk->ak",  "iij,jkk->ik",
};

/// The result, then the gradients, then the tangent along the operands themselves.
std::vector<Tensor> results(TensorBackend& backend, const char* equation, DType dtype, Draw& draw) {
    const tensor_network::Subscripts subscripts =
        tensor_network::Subscripts::parse(equation, tensor_network::Dialect::Strict);
    std::map<char, Index> extents;
    std::vector<Dims> shapes{Dims{}};
    for (const char* label = equation; *label != '-'; ++label) {
        if (*label == ',') {
            shapes.emplace_back();
            continue;
        }
        if (!extents.contains(*label)) extents[*label] = draw.integer(0, 9) == 0 ? 0 : draw.integer(1, 6);
        shapes.back().push_back(extents[*label]);
    }
    std::vector<Operand> operands;
    for (const Dims& shape : shapes) operands.emplace_back(draw, dtype, shape);
    const std::vector<TensorRead> views(operands.begin(), operands.end());
    const std::vector<std::optional<TensorRead>> tangents(views.begin(), views.end());
    const tensor_network::EinsumPlan plan(subscripts, shapes);
    const Operand cotangent(draw, dtype, plan.output_shape());
    return backend.with_backend_session([&](BackendSession& session) {
        std::vector<Tensor> list = plan.vjp(session, views, cotangent);
        list.push_back(plan.run(session, views));
        list.push_back(plan.jvp(session, views, tangents));
        return list;
    });
}

/// All numbers are small integers, so that results are exact in any order of summation.
void compare_equations(TensorBackend& backend, Operands operands, std::uint64_t draws) {
    ReferenceBackend reference;
    int cases = 0;
    for (const char* equation : kEquations)
        for (const DTypeInfo& dtype : kDTypes) {
            if (dtype.dtype == DType::Bool) continue;
            for (std::uint64_t seed = 0; seed < draws; ++seed, ++cases) {
                SCOPED_TRACE(text(equation, " ", dtype.name, " seed ", seed));
                Draw draw(seed, operands), same_draw(seed, operands.own());
                const std::vector<Tensor> actual = results(backend, equation, dtype.dtype, draw),
                                          expected = results(reference, equation, dtype.dtype, same_draw);
                ASSERT_EQ(actual.size(), expected.size());
                for (std::size_t i = 0; i < actual.size(); ++i) expect_same(actual[i], expected[i], 0);
                if (::testing::Test::HasFatalFailure()) return;
            }
        }
    std::printf("agree: einsum %d\n", cases);
}

class EinsumConformance : public ::testing::TestWithParam<std::tuple<CpuKind, bool>> {};

TEST_P(EinsumConformance, CpuAgreesWithReference) {
    const auto [kind, lent] = GetParam();
    const auto backend = test::backend_or_null(2, kind);
    if (!backend) GTEST_SKIP() << test::kNoBlas;
    compare_equations(*backend, {false, lent, lent}, TENFERRO_DRAWS / 2);
}
INSTANTIATE_TEST_SUITE_P(Backends, EinsumConformance,
                         ::testing::Combine(::testing::Values(CpuKind::Builtin, CpuKind::Blas),
                                            ::testing::Bool()));

/// Several hundred rows, columns and summands: the engines for large products.
TEST(EinsumConformanceSuite, LargeProductsAgree) {
    const auto cpu = CpuBackend::with_threads_and_kind(2, CpuKind::Builtin);
    ReferenceBackend reference;
    std::uint64_t seed = 0;
    for (const char* const equation : {"ij,jk->ik", "ji,kj->ki"})
        for (const DTypeInfo& dtype : kDTypes) {
            if (dtype.dtype == DType::Bool) continue;
            // Under sanitizers a dtype has one of the equations.
            if (test::kSanitized && (static_cast<int>(dtype.dtype) % 2 == 0) == (equation[1] == 'j'))
                continue;
            SCOPED_TRACE(text(equation, " ", dtype.name, " seed ", ++seed));
            Draw draw(seed, {});
            const Index m = draw.integer(100, 250), n = draw.integer(100, 250),
                        k = draw.integer(200, test::kSanitized ? 300 : 600);
            const bool plain = equation[0] == 'i';
            const Operand a(draw, dtype.dtype, plain ? Dims{m, k} : Dims{k, m});
            const Operand b(draw, dtype.dtype, plain ? Dims{k, n} : Dims{n, k});
            const std::vector<TensorRead> views{a, b};
            const std::vector<Dims> shapes{views[0].shape(), views[1].shape()};
            const tensor_network::EinsumPlan plan(tensor_network::Subscripts::parse(equation), shapes);
            const auto run = [&](TensorBackend& backend) {
                return backend.with_backend_session(
                    [&](BackendSession& session) { return plan.run(session, views); });
            };
            expect_same(run(*cpu), run(reference), 0);
        }
}

TEST(EinsumConformanceSuite, EveryInstructionSetAgrees) {
    const auto cpu = CpuBackend::with_threads_and_kind(2, CpuKind::Builtin);
    for_each_instruction_set([&](const char* name) {
        SCOPED_TRACE(name);
        std::printf("%s ", name);
        compare_equations(*cpu, {}, TENFERRO_DRAWS / 4);
    });
}

}}  // namespace tenferro::conformance
