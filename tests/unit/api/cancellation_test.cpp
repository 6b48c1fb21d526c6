// Every long-running entry can be cancelled: while it computes it asks whether it is to go on, often enough,
// ends as soon as it is told, leaves nothing behind, gives the same bits as without a question, and does not
// mind what the one who is asked does with the library.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <functional>
#include <thread>

#include "support/expect_error.hpp"
#include "support/sanitized.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/base/cancellation.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/einsum/plan.hpp"
#include "tenferro/runtime/compiler.hpp"
#include "tenferro/runtime/eager_tensor.hpp"

namespace tenferro { namespace {

using tensor_network::EinsumPlan;
using tensor_network::PathOptions;
using tensor_network::RunOptions;
using tensor_network::Subscripts;

/// Computes under a token; what it computed, or nothing where there is no tensor.
using Compute = std::function<std::vector<Tensor>(const CancellationToken&)>;
struct Entry {
    std::string name;
    Compute compute;
};

Tensor numbers(const Dims& shape, DType dtype = DType::F64) {
    std::vector<double> values(static_cast<std::size_t>(element_count(shape, "test")));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<double>(i * 2654435761U % 1024) / 512 - 1;
    return default_engine().backend().cast(Tensor::from_data<double>(values, shape), dtype);
}

std::vector<Tensor> only(Tensor&& tensor) {
    std::vector<Tensor> tensors;
    tensors.push_back(std::move(tensor));
    return tensors;
}

/// The run of a plan, with options.
template <class Run>
Entry of_plan(std::string name, CpuBackend& backend, const char* text, std::vector<Dims> shapes, DType dtype,
              std::int64_t limit, const Run& run) {
    const auto plan = std::make_shared<EinsumPlan>(Subscripts::parse(text), shapes,
                                                   PathOptions{.dtype = dtype, .memory_limit_bytes = limit});
    EXPECT_EQ(plan->cost().slices > 1, limit != 0) << name;
    const auto tensors = std::make_shared<std::vector<Tensor>>();
    for (const Dims& shape : shapes) tensors->push_back(numbers(shape, dtype));
    const auto cotangent = std::make_shared<Tensor>(numbers(plan->output_shape(), dtype));
    return {std::move(name), [=, &backend](const CancellationToken& token) {
                const std::vector<TensorRead> operands(tensors->begin(), tensors->end());
                const std::vector<std::optional<TensorRead>> tangents(tensors->begin(), tensors->end());
                return backend.with_backend_session([&](BackendSession& session) {
                    return run(*plan, session, operands, tangents, *cotangent,
                               RunOptions{.cancellation = token});
                });
            }};
}

constexpr auto kRun = [](const EinsumPlan& plan, BackendSession& session, const auto& operands, const auto&,
                         const Tensor&,
                         const RunOptions& options) { return only(plan.run(session, operands, options)); };
constexpr auto kVjp = [](const EinsumPlan& plan, BackendSession& session, const auto& operands, const auto&,
                         const Tensor& cotangent, const RunOptions& options) {
    return plan.vjp(session, operands, cotangent, options);
};
constexpr auto kJvp = [](const EinsumPlan& plan, BackendSession& session, const auto& operands,
                         const auto& tangents, const Tensor&, const RunOptions& options) {
    return only(plan.jvp(session, operands, tangents, options));
};
constexpr auto kScaled = [](const EinsumPlan& plan, BackendSession& session, const auto& operands,
                            const auto&, const Tensor&, const RunOptions& options) {
    return only(plan.run_scaled(session, operands, options).mantissa);
};
constexpr auto kScaledVjp = [](const EinsumPlan& plan, BackendSession& session, const auto& operands,
                               const auto&, const Tensor& cotangent, const RunOptions& options) {
    std::vector<Tensor> gradients;
    for (auto& gradient : plan.vjp_scaled(session, operands, {cotangent.read(), 0}, options))
        gradients.push_back(std::move(gradient.mantissa));
    return gradients;
};
constexpr auto kScaledJvp = [](const EinsumPlan& plan, BackendSession& session, const auto& operands,
                               const auto& tangents, const Tensor&, const RunOptions& options) {
    return only(plan.jvp_scaled(session, operands, tangents, options).mantissa);
};

/// One contraction of each engine, and one step of everything that plans do.
std::vector<Entry> entries_of_plans(CpuBackend& backend) {
    const Dims square{400, 400}, small{60, 60, 40};
    const std::vector<Dims> pair{square, square};
    // What is several products asks often enough with smaller ones.
    const Index side = test::kSanitized ? 200 : 400, link = test::kSanitized ? 160 : 256;
    const std::vector<Dims> products(2, Dims{side, side}), chain(4, Dims{link, link});
    std::vector<Entry> entries;
    const auto add = [&](const char* name, const char* text, std::vector<Dims> shapes, DType dtype,
                         std::int64_t limit, const auto& run) {
        entries.push_back(of_plan(name, backend, text, std::move(shapes), dtype, limit, run));
    };
    add("packed product", "ij,jk->ik", pair, DType::F64, 0, kRun);
    add("complex packed product", "ij,jk->ki", pair, DType::C64, 0, kRun);
    add("direct product", "ijb,jkb->ikb", {small, small}, DType::F64, 0, kRun);
    add("inner product", "i,i->", {{1 << 21}, {1 << 21}}, DType::F64, 0, kRun);
    add("inner products", "ki,k->i", {{4096, 400}, {4096}}, DType::F64, 0, kRun);
    add("outer product", "i,j->ij", {{1500}, {1500}}, DType::F64, 0, kRun);
    add("integers", "ij,jk->ik", pair, DType::I64, 0, kRun);
    add("few columns of integers", "ij,jk->ik", {{4000, 300}, {300, 3}}, DType::I64, 0, kRun);
    add("short K", "ij,j->i", {{400000, 8}, {8}}, DType::I64, 0, kRun);
    add("sum", "ij->j", {{600, 600}}, DType::F64, 0, kRun);
    add("vjp", "ij,jk->ik", products, DType::F64, 0, kVjp);
    add("jvp", "ij,jk->ik", products, DType::F64, 0, kJvp);
    add("run_scaled", "ij,jk->ik", products, DType::F64, 0, kScaled);
    add("vjp_scaled", "ij,jk->ik", products, DType::F64, 0, kScaledVjp);
    add("jvp_scaled", "ij,jk->ik", products, DType::F64, 0, kScaledJvp);
    const Index limit = link * link * 14;
    add("run in slices", "ij,jk,kl,lm->im", chain, DType::F64, limit, kRun);
    add("vjp in slices", "ij,jk,kl,lm->im", chain, DType::F64, limit, kVjp);
    add("jvp in slices", "ij,jk,kl,lm->im", chain, DType::F64, limit, kJvp);
    add("run_scaled in slices", "ij,jk,kl,lm->im", chain, DType::F64, limit, kScaled);
    return entries;
}

/// Operations of a session, eager ones, and programs: under a scope.
std::vector<Entry> entries_of_operations(CpuBackend& backend) {
    const auto x = std::make_shared<Tensor>(numbers({600, 600}));
    const auto y = std::make_shared<Tensor>(numbers({600, 600}));
    std::vector<Entry> entries;
    const auto add = [&](const char* name, auto&& operation) {
        entries.push_back({name, [=, &backend](const CancellationToken& token) {
                               const CancellationScope scope(token, "test");
                               return backend.with_backend_session(
                                   [&](BackendSession& session) { return only(operation(session)); });
                           }});
    };
    add("exp", [=](BackendSession& s) { return s.exp_read(*x); });
    add("add", [=](BackendSession& s) { return s.add_read(*x, y->read().transpose_view({1, 0})); });
    add("greater", [=](BackendSession& s) { return s.greater_read(*x, *y); });
    add("cast", [=](BackendSession& s) { return s.cast_read(*x, DType::F32); });
    add("copy", [=](BackendSession& s) { return s.to_contiguous_read(x->read().transpose_view({1, 0})); });
    add("reduce_sum", [=](BackendSession& s) { return s.reduce_sum_read(*x, Dims{0, 1}); });
    add("reduce_max of lines", [=](BackendSession& s) { return s.reduce_max_read(*x, Dims{1}); });
    add("argmax", [=](BackendSession& s) { return s.argmax_read(*x, 0); });
    add("cumulative_sum", [=](BackendSession& s) { return s.cumulative_sum_read(*x, 0, false); });
    add("softmax", [=](BackendSession& s) { return s.softmax_read(*x, 0); });
    add("sort", [=](BackendSession& s) { return s.sort_read(*x, 1, false); });
    const auto program = [] {
        const TracedTensor a = TracedTensor::input(DType::F64, {kAnyExtent, kAnyExtent});
        const TracedTensor b = TracedTensor::input(DType::F64, {kAnyExtent, kAnyExtent});
        GraphCompiler compiler;
        return compiler.compile({exp(a * b) - a}, {a, b});
    }();
    add("program", [=](BackendSession& s) {
        return std::move(program->run(s, std::vector<TensorRead>{*x, *y})[0]);
    });
    const auto context = std::make_shared<EagerContext>(backend);
    entries.push_back({"eager and backward", [=, &backend](const CancellationToken& token) {
                           const EagerTensor leaf(*context, numbers({600, 600}), true);
                           const CancellationScope scope(token, "test");
                           reduce_sum(exp(leaf) * leaf).backward();
                           return only(backend.to_contiguous_read(leaf.grad().value()));
                       }});
    return entries;
}

/// Searches: those without a deadline, with one, and for slices.
std::vector<Entry> entries_of_searches() {
    constexpr int kTensors = test::kSanitized ? 40 : 60;
    std::vector<std::vector<int>> labels;
    for (int i = 0; i < kTensors; ++i)
        labels.push_back({i, (i + 1) % kTensors, kTensors + i % 7, kTensors + i % 11});
    const auto subscripts =
        std::make_shared<Subscripts>(Subscripts::interleaved(labels, std::vector<int>{0}));
    std::vector<Entry> entries;
    const auto add = [&](const char* name, PathOptions options) {
        entries.push_back(
            {name, [=](const CancellationToken& token) {
                 PathOptions watched = options;
                 watched.cancellation = token;
                 const EinsumPlan plan(*subscripts, std::vector<Dims>(kTensors, Dims{2, 2, 2, 2}), watched);
                 return std::vector<Tensor>();
             }});
    };
    add("search", {.threads = 1});
    add("search by the clock", {.threads = 2, .deadline = 0.2});
    add("search for slices", {.threads = 1, .memory_limit_bytes = 1 << 12});
    add("search for slices by the clock", {.threads = 2, .deadline = 0.2, .memory_limit_bytes = 1 << 12});
    return entries;
}

void expect_same(const std::vector<Tensor>& found, const std::vector<Tensor>& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_EQ(found[i].shape(), expected[i].shape());
        const auto bytes = static_cast<std::size_t>(found[i].size()) * info(found[i].dtype()).bytes;
        EXPECT_EQ(std::memcmp(found[i].data(), expected[i].data(), bytes), 0);
    }
}

/// `shared`: with other threads.
void expect_cancellable(const Entry& entry, bool shared) {
    SCOPED_TRACE(entry.name);
    const std::vector<Tensor> expected = entry.compute({});
    unsigned asked = 0;
    // Who is asked computes too, with the same working memory.
    const Tensor a = numbers({120, 120});
    const auto count = [&] {
        ++asked;
        if (std::has_single_bit(asked)) (void)default_engine().einsum("ij,jk->ik", {a, a});
        return false;
    };
    // On a busy machine the workers may have done everything before this thread gets to a piece.
    for (int attempt = 0; attempt == 0 || (shared && asked == 0 && attempt < 50); ++attempt)
        expect_same(entry.compute(CancellationToken::asking(count)), expected);
    EXPECT_GE(asked, shared ? 1U : 4U) << "too rarely to end soon";
    for (const unsigned stop : {1U, std::max(asked / 2, 1U), std::max(asked - 1, 1U)}) {
        unsigned seen = 0;
        const auto token = CancellationToken::asking([&] { return ++seen >= stop; });
        bool ended = false;
        try {
            (void)entry.compute(token);
        } catch (const Error& error) {
            ended = error.kind() == ErrorKind::Cancelled;
        }
        // Workers leave more or less of the pieces to the thread that is asked.
        EXPECT_TRUE(ended || (shared && seen < stop));
        EXPECT_EQ(seen >= stop, ended);
        EXPECT_LE(seen, stop);
    }
    const CancellationToken cancelled = CancellationToken::cancellable();
    cancelled.cancel();
    EXPECT_ERROR((void)entry.compute(cancelled), Cancelled, "cancelled by the caller");
    expect_same(entry.compute({}), expected);
}

void expect_all_cancellable(std::vector<Entry> (*entries_on)(CpuBackend&), int threads) {
    const auto backend = CpuBackend::with_threads(threads);
    for (const Entry& entry : entries_on(*backend)) {
        const std::size_t held = backend->pool_stats().bytes_in_use;
        expect_cancellable(entry, threads > 1);
        EXPECT_EQ(backend->pool_stats().bytes_in_use, held) << entry.name;
    }
}

TEST(EveryLongEntry, PlansCanBeCancelled) { expect_all_cancellable(entries_of_plans, 1); }
TEST(EveryLongEntry, PlansOnTwoThreadsCanBeCancelled) { expect_all_cancellable(entries_of_plans, 2); }
TEST(EveryLongEntry, OperationsCanBeCancelled) {
    for (const int threads : {1, 2}) expect_all_cancellable(entries_of_operations, threads);
}
TEST(EveryLongEntry, SearchesCanBeCancelled) {
    for (const Entry& entry : entries_of_searches()) expect_cancellable(entry, true);
}

TEST(EveryLongEntry, EnginesAskWhileTheySearchAndRun) {
    int asked = 0;
    const auto token = CancellationToken::asking([&] { return ++asked == 1; });
    const Tensor a = numbers({300, 300});
    const std::vector<TensorRead> operands{a, a};
    EXPECT_ERROR((void)default_engine().einsum("ij,jk->ik", operands, tensor_network::Dialect::Strict,
                                               {.cancellation = token}),
                 Cancelled, "einsum: cancelled by the caller");
}

TEST(CancellationScope, OneInsideTheOtherAndOnOtherThreads) {
    EXPECT_EQ(CancellationScope::current(), nullptr);
    const CancellationToken outer = CancellationToken::cancellable(),
                            inner = CancellationToken::cancellable();
    {
        const CancellationScope first(outer, "first");
        const CancellationScope none(CancellationToken(), "none");
        EXPECT_EQ(CancellationScope::current(), &first);
        const CancellationScope second(inner, "second");
        CancellationScope::check_current();
        outer.cancel();
        EXPECT_ERROR(CancellationScope::check_current(), Cancelled, "first: cancelled");
        inner.cancel();
        EXPECT_ERROR(CancellationScope::check_current(), Cancelled, "second: cancelled");
        std::thread([&] {
            CancellationScope::check_current();  // nothing of this thread holds there
            const CancellationScope none_there(nullptr);
            CancellationScope::check_current();
            const CancellationScope same(&first);
            EXPECT_ERROR(CancellationScope::check_current(), Cancelled, "first: cancelled");
        }).join();
    }
    EXPECT_EQ(CancellationScope::current(), nullptr);
}

}}  // namespace tenferro
