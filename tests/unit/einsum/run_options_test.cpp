// Cancelling plans and searches in C++, and the memory that reverse mode is said to need against what it
// takes.
#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/einsum/plan.hpp"

namespace tenferro::tensor_network { namespace {

/// A chain of square matrices, closed to a ring or open.
struct Chain {
    std::string subscripts;
    std::vector<Dims> shapes;

    Chain(std::size_t count, Index side, bool ring) : shapes(count, Dims{side, side}) {
        for (std::size_t i = 0; i < count; ++i) {
            subscripts += i == 0 ? "" : ",";
            subscripts += static_cast<char>('a' + i);
            subscripts += static_cast<char>('a' + (ring && i + 1 == count ? 0 : i + 1));
        }
        subscripts += ring ? "->" : text_of_ends(count);
    }
    static std::string text_of_ends(std::size_t count) {
        return {'-', '>', 'a', static_cast<char>('a' + count)};
    }
    [[nodiscard]] EinsumPlan plan(const PathOptions& options = {}) const {
        return {Subscripts::parse(subscripts), shapes, options};
    }
};

TEST(Cancellation, EndsRunsDerivativesAndSlicesBeforeAnyStep) {
    const auto backend = CpuBackend::with_threads(2);
    for (const std::int64_t limit : {std::int64_t{0}, std::int64_t{3 * 64 * 64 * 8 / 2}}) {
        const Chain chain(4, 64, false);
        const EinsumPlan plan = chain.plan({.memory_limit_bytes = limit});
        EXPECT_EQ(plan.cost().slices > 1, limit != 0);
        std::vector<Tensor> tensors;
        for (const Dims& shape : chain.shapes) tensors.push_back(backend->zeros(DType::F64, shape));
        const std::vector<TensorRead> operands(tensors.begin(), tensors.end());
        const std::vector<std::optional<TensorRead>> tangents(operands.begin(), operands.end());
        const std::size_t held = backend->pool_stats().bytes_in_use;
        backend->with_backend_session([&](BackendSession& session) {
            const Tensor cotangent = plan.run(session, operands);
            for (int after = 0; after < 3; ++after) {
                int left = after;
                const RunOptions options{.cancellation =
                                             CancellationToken::asking([&] { return left-- == 0; })};
                const auto run = [&] { (void)plan.run(session, operands, options); };
                const auto vjp = [&] { (void)plan.vjp(session, operands, cotangent, options); };
                const auto jvp = [&] { (void)plan.jvp(session, operands, tangents, options); };
                EXPECT_ERROR(run(), Cancelled, "cancelled by the caller");
                EXPECT_ERROR(vjp(), Cancelled, "cancelled by the caller");
                EXPECT_ERROR(jvp(), Cancelled, "cancelled by the caller");
            }
        });
        EXPECT_EQ(backend->pool_stats().bytes_in_use, held);
    }
}

TEST(Cancellation, EndsSearches) {
    const CancellationToken cancelled = CancellationToken::cancellable();
    cancelled.cancel();
    const Chain chain(20, 2, true);
    EXPECT_ERROR((void)chain.plan({.cancellation = cancelled}), Cancelled, "cancelled by the caller");
}

TEST(VjpCost, IsWhatReverseModeTakes) {
    for (const bool ring : {false, true})
        for (const std::int64_t limit : {std::int64_t{0}, std::int64_t{4 << 20}}) {
            SCOPED_TRACE(testing::Message() << (ring ? "ring" : "chain") << ", limit " << limit);
            const Chain chain(6, 400, ring);
            const EinsumPlan plan = chain.plan({.memory_limit_bytes = ring ? 0 : limit});
            const auto backend = CpuBackend::with_threads(1);
            backend->set_pool_limit(0);
            std::vector<Tensor> tensors;
            for (const Dims& shape : chain.shapes) tensors.push_back(backend->zeros(DType::F64, shape));
            const std::vector<TensorRead> operands(tensors.begin(), tensors.end());
            const Tensor cotangent = backend->zeros(DType::F64, plan.output_shape());
            const std::size_t before = backend->pool_stats().bytes_in_use;
            backend->with_backend_session(
                [&](BackendSession& session) { (void)plan.vjp(session, operands, cotangent); });
            const auto taken = static_cast<double>(backend->pool_stats().peak_bytes - before);
            const double said = plan.vjp_cost().peak_bytes;
            EXPECT_LE(taken, 1.07 * said + 4096) << "blocks of the pool are at most 6.25 % larger";
            EXPECT_GE(taken, (plan.cost().slices > 1 ? 0.3 : 0.9) * said);
        }
}

}}  // namespace tenferro::tensor_network
