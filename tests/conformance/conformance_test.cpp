// The conformance suite: every operation of the table, on every dtype that a backend says it computes it on,
// on drawn operands, gives what the reference backend gives; on every other dtype it is the typed error.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "conformance/comparison.hpp"
#include "conformance/instruction_sets.hpp"
#include "conformance/samples.hpp"
#include "cpu/kernels/contraction/gemm_kernels.hpp"
#include "support/blas.hpp"
#include "support/expect_error.hpp"
#include "support/machines.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/reference/reference_backend.hpp"

namespace tenferro::conformance { namespace {

struct Family {
    std::string_view name;
    const std::vector<Sample>& samples;
};

std::vector<Family> families() {
    return {{"elementwise", elementwise_samples()},
            {"structural", structural_samples()},
            {"reduction", reduction_samples()},
            {"indexing", indexing_samples()},
            {"regular", regular_samples()}};
}

std::vector<Sample> all_samples() {
    std::vector<Sample> samples;
    for (const Family& family : families())
        samples.insert(samples.end(), family.samples.begin(), family.samples.end());
    return samples;
}

/// One sample on both backends; the reference always gets memory of its own.
void compare(TensorBackend& backend, const Sample& sample, DType dtype, Operands operands,
             std::uint64_t seed) {
    ReferenceBackend reference;
    const auto run = [&](TensorBackend& on, Draw& draw) {
        return on.with_backend_session([&](BackendSession& s) { return sample.run(draw, dtype, s); });
    };
    Draw draw(seed, operands), same_draw(seed, operands.own());
    const std::vector<Tensor> actual = run(backend, draw), expected = run(reference, same_draw);
    ASSERT_EQ(actual.size(), expected.size());
    const double ulps = sample.approximate.contains(dtype) ? sample.ulps : std::min(sample.ulps, 0.0);
    for (std::size_t i = 0; i < actual.size(); ++i) expect_same(actual[i], expected[i], ulps);
}

/// Every operation and dtype; prints how many cases agree per family.
void compare_all(TensorBackend& backend, Operands operands, std::uint64_t draws) {
    std::string counts;
    for (const Family& family : families()) {
        int cases = 0;
        for (const Sample& sample : family.samples)
            for (const DTypeInfo& dtype : kDTypes) {
                if (backend.capability(sample.op, dtype.dtype) != Capability::Native) continue;
                Operands values = operands;
                if (dtype.is_complex && !sample.special_complex) values.special = false;
                for (std::uint64_t seed = 0; seed < draws; ++seed, ++cases) {
                    SCOPED_TRACE(text(info(sample.op).name, " ", dtype.name, " seed ", seed));
                    compare(backend, sample, dtype.dtype, values, seed);
                    if (::testing::Test::HasFatalFailure()) return;
                }
            }
        counts += text(" ", family.name, " ", cases);
    }
    std::printf("agree:%s\n", counts.c_str());
}

class Conformance : public ::testing::TestWithParam<std::tuple<CpuKind, int, bool, bool>> {};

TEST_P(Conformance, CpuAgreesWithReference) {
    const auto [kind, threads, special, lent] = GetParam();
    const auto cpu = test::backend_or_null(threads, kind);
    if (!cpu) GTEST_SKIP() << test::kNoBlas;
    cpu->set_stream_bytes(threads == 1 ? testing::kHugeCaches : testing::kSmallCaches);
    compare_all(*cpu, {special, lent, lent}, TENFERRO_DRAWS);
}

std::string configuration(const ::testing::TestParamInfo<Conformance::ParamType>& parameters) {
    const auto [kind, threads, special, lent] = parameters.param;
    return text(kind == CpuKind::Builtin ? "Builtin" : "Blas", threads, special ? "Special" : "Small",
                lent ? "Lent" : "Own");
}
INSTANTIATE_TEST_SUITE_P(Backends, Conformance,
                         ::testing::Combine(::testing::Values(CpuKind::Builtin, CpuKind::Blas),
                                            ::testing::Values(1, 2), ::testing::Bool(), ::testing::Bool()),
                         configuration);

TEST(ConformanceSuite, EveryInstructionSetAgrees) {
    const auto cpu = CpuBackend::with_threads_and_kind(2, CpuKind::Builtin);
    std::set<const cpu::KernelTable*> kernels;
    for_each_instruction_set([&](const char* name) {
        EXPECT_TRUE(kernels.insert(&cpu::gemm_kernels(DType::F64)).second) << "dispatched as before";
        SCOPED_TRACE(name);
        std::printf("%s ", name);
        compare_all(*cpu, {true, false, false}, TENFERRO_DRAWS / 2);
    });
}

TEST(ConformanceSuite, EveryOperationHasSamples) {
    const std::vector<Sample> samples = all_samples();
    for (const OpInfo& op : kOps)
        EXPECT_EQ(
            std::count_if(samples.begin(), samples.end(), [&](const Sample& s) { return s.op == op.id; }), 1)
            << op.name;
}

TEST(ConformanceSuite, UnsupportedDTypesAreTypedErrors) {
    ReferenceBackend reference;
    const auto cpu = CpuBackend::with_threads(1);
    for (TensorBackend* backend :
         {static_cast<TensorBackend*>(&reference), static_cast<TensorBackend*>(cpu.get())})
        for (const Sample& sample : all_samples())
            for (const DTypeInfo& dtype : kDTypes) {
                if (backend->capability(sample.op, dtype.dtype) == Capability::Native) continue;
                Draw draw(1, {});
                EXPECT_ERROR(backend->with_backend_session(
                                 [&](BackendSession& s) { (void)sample.run(draw, dtype.dtype, s); }),
                             Unsupported, text("dtype ", dtype.name, " is not supported"));
            }
}

}}  // namespace tenferro::conformance
