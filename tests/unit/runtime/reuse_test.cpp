// Results in the memory of operands that nothing else needs: how many tensors a program takes from the pool.
#include <gtest/gtest.h>

#include <functional>

#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/runtime/compiler.hpp"
#include "unit/runtime/values.hpp"

namespace tenferro { namespace {

using test::random_tensor, test::values_of;
using Function = std::function<TracedTensor(const TracedTensor&)>;

/// What a run of f on a vector of 6 takes from the pool, results included; the values agree with those of the
/// same operations one by one.
std::uint64_t tensors_of(const Function& f, bool fuse) {
    const auto backend = CpuBackend::with_threads(1);
    const TracedTensor x = TracedTensor::input(DType::F64, {6});
    GraphCompiler compiler({.fuse_elementwise = fuse});
    const TracedTensor y = f(x);
    const auto program = compiler.compile({y}, {x});
    const Tensor at = random_tensor({6}, 11);
    const auto taken = [&] { return backend->pool_stats().hits + backend->pool_stats().misses; };
    const std::uint64_t before = taken();
    const std::vector<Tensor> out = program->run(*backend, {&at.read(), 1});
    const std::uint64_t count = taken() - before;
    const std::vector<Tensor> one_by_one = backend->with_backend_session([&](BackendSession& session) {
        return program->run_unsegmented(session, {&at.read(), 1});
    });
    EXPECT_EQ(values_of(out[0]), values_of(one_by_one[0]));
    EXPECT_EQ(values_of(at), values_of(random_tensor({6}, 11))) << "an input was overwritten";
    return count;
}

TracedTensor positive(const TracedTensor& x) { return greater(x, full_like(x, 0)); }
TracedTensor index(const TracedTensor& x, double value) {
    return repeat(x.apply(tensor_ops::constant(DType::I64, value), {}), {1});
}

struct ReuseCase {
    const char* name;
    Function function;  ///< of operands that are inputs
    Function of_dying;  ///< the same with an operand that does, itself one tensor
};

TEST(Reuse, ResultsLieWhereOperandsDied) {
    const ScatterConfig windows{{}, {0}, {0}, 1};
    const auto twice = [](const TracedTensor& x) { return x + x; };
    const std::vector<ReuseCase> cases{
        {"unary", [](auto& x) { return exp(x); }, [=](auto& x) { return exp(twice(x)); }},
        {"binary, lhs", [](auto& x) { return x * x; }, [=](auto& x) { return twice(x) * x; }},
        {"binary, rhs", [](auto& x) { return x * x; }, [=](auto& x) { return x - twice(x); }},
        {"binary, twice", [](auto& x) { return x * x; },
         [=](auto& x) {
             const TracedTensor t = twice(x);
             return t * t;
         }},
        {"select", [](auto& x) { return select(positive(x), x, x); },
         [=](auto& x) { return select(positive(x), x, twice(x)); }},
        {"clamp", [](auto& x) { return clamp(x, x, x); }, [=](auto& x) { return clamp(x, twice(x), x); }},
        {"dynamic_update_slice",
         [](auto& x) { return dynamic_update_slice(x, slice(x, {0}, {2}, {1}), index(x, 3)); },
         [=](auto& x) { return dynamic_update_slice(twice(x), slice(x, {0}, {2}, {1}), index(x, 3)); }},
        {"scatter", [=](auto& x) { return scatter(x, index(x, 2), slice(x, {0}, {1}, {1}), windows); },
         [=](auto& x) { return scatter(twice(x), index(x, 2), slice(x, {0}, {1}, {1}), windows); }},
        {"scatter_add",
         [=](auto& x) { return scatter_add(x, index(x, 2), slice(x, {0}, {1}, {1}), windows); },
         [=](auto& x) { return scatter_add(twice(x), index(x, 2), slice(x, {0}, {1}, {1}), windows); }},
    };
    for (const ReuseCase& c : cases)  // twice(x) takes one tensor, where the result then lies
        EXPECT_EQ(tensors_of(c.of_dying, false), tensors_of(c.function, false)) << c.name;
}

TEST(Reuse, FusedResultsLieWhereOperandsDied) {
    const auto f = [](const TracedTensor& x) {
        const TracedTensor sums = cumulative_sum(x, 0);  // not fused; dies in what follows
        return exp(sums) * x - sums;
    };
    EXPECT_EQ(tensors_of(f, true), 1u);
    const auto still_needed = [&](const TracedTensor& x) {
        const TracedTensor sums = cumulative_sum(x, 0);
        return cumulative_sum(exp(sums) * x, 0) + sums;
    };
    EXPECT_EQ(tensors_of(still_needed, true), 3u);
}

TEST(Reuse, ViewsOfDyingOperandsStay) {
    // The view of t is read after the last use of t itself.
    const auto f = [](const TracedTensor& x) {
        const TracedTensor t = x + x, back = reverse(t, {0});
        return exp(t) + back;
    };
    for (const bool fuse : {false, true}) EXPECT_GE(tensors_of(f, fuse), 2u);
}

}}  // namespace tenferro
