// Cancelling plans and searches in C++, and the memory that reverse mode is said to need against what it
// takes.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "support/expect_error.hpp"
#include "support/sanitized.hpp"
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

/// A lattice of 9 x 9 tensors: its best tree is not found at once.
struct Grid {
    Subscripts subscripts = Subscripts::interleaved(labels(), std::vector<int>{});
    std::vector<Dims> shapes;

    Grid() {
        for (const auto& own : labels()) shapes.emplace_back(own.size(), 2);
    }

private:
    static std::vector<std::vector<int>> labels() {
        constexpr int kSide = 9;
        std::vector<std::vector<int>> labels;
        for (int i = 0; i < kSide * kSide; ++i) {
            std::vector<int>& own = labels.emplace_back();
            const int x = i % kSide, y = i / kSide;
            if (x > 0) own.push_back(2 * (i - 1));
            if (x + 1 < kSide) own.push_back(2 * i);
            if (y > 0) own.push_back(2 * (i - kSide) + 1);
            if (y + 1 < kSide) own.push_back(2 * i + 1);
        }
        return labels;
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

/// Operands that share a label pairwise, of which every order is looked at.
TEST(Cancellation, EndsExactSearches) {
    const auto all_to_all = [](int count) {
        std::vector<std::vector<int>> labels(static_cast<std::size_t>(count));
        int label = 0;
        for (std::size_t i = 0; i < labels.size(); ++i)
            for (std::size_t j = 0; j < i; ++j, ++label) {
                labels[i].push_back(label);
                labels[j].push_back(label);
            }
        return labels;
    };
    for (const int count : {3, 10, 14}) {
        const auto labels = all_to_all(count);
        const std::vector<Dims> shapes(labels.size(), Dims(static_cast<std::size_t>(count - 1), 2));
        const auto subscripts = Subscripts::interleaved(labels, std::vector<int>{});
        int asked = 0;
        const auto search = [&](int stop_at) {
            asked = 0;
            const CancellationToken token = CancellationToken::asking([&] { return ++asked == stop_at; });
            (void)EinsumPlan(subscripts, shapes, {.max_exact = 16, .cancellation = token});
        };
        search(0);
        EXPECT_GE(asked, count > 10 ? 10 : 1) << count;
        for (const int stop_at : {1, asked})
            EXPECT_ERROR(search(stop_at), Cancelled, "cancelled by the caller");
    }
}

TEST(Cancellation, OfAScopeEndsSearchesOnAllTheirThreads) {
    const Grid grid;
    const auto begin = std::chrono::steady_clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    const CancellationToken token = CancellationToken::asking([&] { return seconds() > 0.3; });
    const CancellationScope scope(token, "test");
    EXPECT_ERROR(EinsumPlan(grid.subscripts, grid.shapes, {.threads = 4, .deadline = 40}), Cancelled,
                 "cancelled by the caller");
    EXPECT_LT(seconds(), 3);
}

TEST(SearchProgress, TellsTheBestOrderAndTheTimeLeftOnTheThreadThatPlans) {
    const Grid grid;
    for (const std::int64_t limit : {std::int64_t{0}, std::int64_t{4096}})
        for (const double deadline : {0.0, 0.5})
            for (const int threads : {1, 2}) {
                // Under sanitizers the half in which any two settings meet.
                if (test::kSanitized && ((limit != 0) + (deadline != 0) + (threads == 2)) % 2 == 1) continue;
                SCOPED_TRACE(testing::Message() << "limit " << limit << ", deadline " << deadline);
                const auto caller = std::this_thread::get_id();
                std::vector<tensor_network::SearchProgress> told;
                const auto watch = [&](const tensor_network::SearchProgress& now) {
                    EXPECT_EQ(std::this_thread::get_id(), caller);
                    told.push_back(now);
                };
                const SearchWatcher watcher(watch);
                const EinsumPlan plan(grid.subscripts, grid.shapes,
                                      {.threads = threads,
                                       .deadline = deadline,
                                       .memory_limit_bytes = limit,
                                       .progress = &watcher});
                ASSERT_GT(told.size(), deadline == 0 ? 1U : 0U);  // a busy machine finds little in time
                EXPECT_NEAR(told.back().best_seconds, plan.cost().seconds, 1e-3 * plan.cost().seconds);
                EXPECT_NEAR(told.back().best_flops, plan.cost().flops, 1e-3 * plan.cost().flops);
                EXPECT_EQ(told.back().best_slices, plan.cost().slices);
                for (std::size_t i = 1; i < told.size(); ++i) {
                    EXPECT_GE(told[i].elapsed, told[i - 1].elapsed);
                    EXPECT_LE(told[i].left, deadline);
                    const double before = told[i - 1].best_seconds;
                    EXPECT_TRUE(limit != 0 || before == 0 || told[i].best_seconds <= 1.001 * before);
                }
            }
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
