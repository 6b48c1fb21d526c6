// All public einsum cases: result, VJP and JVP, real and complex, exactly; and every case that a dialect must
// refuse.
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "support/blas.hpp"
#include "support/einsum_cases.hpp"
#include "support/shared_data.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/einsum/plan.hpp"

namespace tenferro { namespace {

using nlohmann::json;
using tensor_network::Dialect;
using test::difference;
using test::RowMajor;

constexpr const char* kFile = "einsum-cases/einsum_public.dev.json";

/// What each dialect must accept follows from the features a case is tagged with; these few are recorded as
/// legal although the tags do not tell (an ordinary label broadcasts) or although NumPy itself refuses (an
/// ellipsis that is summed away).
const std::set<std::string> kUntaggedBroadcast = {"E1061", "E1144", "E1194", "E1195"};
const std::set<std::string> kSummedEllipsis = {"E2744"};

bool legal(const json& c, Dialect dialect) {
    const std::string id = c["id"];
    if (c["expected"] == "error" || kSummedEllipsis.contains(id)) return false;
    for (const std::string feature : c["dialect"]) {
        if (feature == "output_only_label") return false;
        if (dialect == Dialect::Strict && (feature == "implicit_output" || feature == "size1_broadcast"))
            return false;
    }
    return dialect == Dialect::NumPy || !kUntaggedBroadcast.contains(id);
}

std::vector<Dims> shapes_of(const json& c) {
    std::vector<Dims> shapes;
    for (const auto& shape : c["shapes"]) shapes.push_back(test::dims_of(shape));
    return shapes;
}

struct Counts {
    int result = 0, vjp = 0, jvp = 0, refused = 0;
};

/// Runs one legal case in element type T; `suffix` selects the recorded complex fields.
template <class T>
void run_case(const json& c, const tensor_network::EinsumPlan& plan, BackendSession& session,
              const std::string& suffix, Counts& counts) {
    const std::vector<Dims> shapes = shapes_of(c);
    std::vector<RowMajor<T>> operands, tangents;
    std::vector<TensorRead> views;
    std::vector<std::optional<TensorRead>> tangent_views;
    for (std::size_t k = 0; k < shapes.size(); ++k) operands.emplace_back(shapes[k], k, k + 100);
    for (std::size_t k = 0; k < shapes.size(); ++k) tangents.emplace_back(shapes[k], k + 200, 0);
    for (const auto& operand : operands) views.push_back(operand.view());
    for (const auto& tangent : tangents) tangent_views.emplace_back(tangent.view());

    EXPECT_EQ(difference<T>(plan.run(session, views), c["result" + suffix]), "") << "result";
    ++counts.result;
    if (c.contains("vjp" + suffix)) {
        const RowMajor<T> cotangent(plan.output_shape(), 300, 301);
        const std::vector<Tensor> gradients = plan.vjp(session, views, cotangent.view());
        const json& expected = c["vjp" + suffix];
        ASSERT_EQ(gradients.size(), expected.size());
        for (std::size_t k = 0; k < gradients.size(); ++k)
            EXPECT_EQ(difference<T>(gradients[k], expected[k]), "") << "vjp of operand " << k;
        ++counts.vjp;
    }
    if (suffix.empty() && c.contains("jvp")) {
        EXPECT_EQ(difference<T>(plan.jvp(session, views, tangent_views), c["jvp"]), "") << "jvp";
        ++counts.jvp;
    }
}

class EinsumCases : public ::testing::TestWithParam<std::tuple<Dialect, CpuKind>> {};

TEST_P(EinsumCases, MatchExactly) {
    const auto data = test::shared_json(kFile);
    TENFERRO_REQUIRE_DATA(data, kFile);
    const auto [dialect, kind] = GetParam();
    const auto backend = test::backend_or_null(2, kind);
    if (!backend) GTEST_SKIP() << test::kNoBlas;
    Counts counts;
    for (const json& c : *data) {
        SCOPED_TRACE(c["id"].get<std::string>() + " " +
                     (c["equation"].is_null() ? c["interleaved"].dump() : c["equation"].dump()));
        const std::vector<Dims> shapes = shapes_of(c);
        if (!legal(c, dialect)) {
            try {
                const tensor_network::EinsumPlan plan(test::case_subscripts(c, dialect), shapes);
                ADD_FAILURE() << "must be refused";
            } catch (const Error& error) {
                const Status status = info(error.kind()).status;
                EXPECT_TRUE(status == Status::InvalidArgument || status == Status::ShapeMismatch)
                    << error.what();
                ++counts.refused;
            }
            continue;
        }
        const tensor_network::EinsumPlan plan(test::case_subscripts(c, dialect), shapes);
        backend->with_backend_session([&](BackendSession& session) {
            run_case<double>(c, plan, session, "", counts);
            if (c.contains("result_c128")) run_case<std::complex<double>>(c, plan, session, "_c128", counts);
        });
    }
    EXPECT_GT(counts.result, 1000);
    EXPECT_GT(counts.refused, 50);
    RecordProperty("results", counts.result);
    std::printf("results %d, vjp %d, jvp %d match; %d refused\n", counts.result, counts.vjp, counts.jvp,
                counts.refused);
}

INSTANTIATE_TEST_SUITE_P(Dialects, EinsumCases,
                         ::testing::Combine(::testing::Values(Dialect::Strict, Dialect::NumPy),
                                            ::testing::Values(CpuKind::Builtin, CpuKind::Blas)));

}}  // namespace tenferro
