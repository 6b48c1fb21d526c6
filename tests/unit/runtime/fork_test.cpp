// Children forked while other threads differentiate, compile and look up extensions: no cache and no registry
// of theirs is left locked or half changed.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "support/sanitized.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/ops/extension_op.hpp"
#include "tenferro/ops/functions.hpp"
#include "tenferro/runtime/eager_tensor.hpp"
#include "values.hpp"

namespace tenferro { namespace {

/// Gradients of expressions of `length` steps: for every length another program.
bool use_caches(EagerContext& context, int length) {
    const EagerTensor x(context, test::tensor_of({1, 2, 3}, {3}), true);
    EagerTensor y = x;
    for (int i = 0; i < length; ++i) y = y + x;
    for (int i = 0; i < 2; ++i) reduce_sum(y).backward();
    return x.has_grad() && test::values_of(x.grad().value())[0] == 2.0 * (length + 1) &&
           !lookup_extension_factory("tenferro.nothing.v1");
}

TEST(Fork, LeavesNoCacheLocked) {
    if (test::kSanitized) GTEST_SKIP() << "the sanitizer's allocator does not survive a fork under load";
    const auto made = CpuBackend::with_threads(2);
    EagerContext context(*made);
    std::atomic<bool> stop{false}, good{true};
    std::vector<std::thread> others;
    for (int t = 0; t < 3; ++t)
        others.emplace_back([&, t] {
            for (int i = t; !stop; ++i)
                if (!use_caches(context, i % 40)) good = false;
        });
    int bad_children = 0;
    for (int i = 0; i < 200 && bad_children == 0; ++i) {
        const pid_t child = ::fork();
        if (child == 0) {
            ::alarm(60);
            ::_exit(use_caches(context, i % 40) && use_caches(context, 41) ? 0 : 1);
        }
        int status = 0;
        if (::waitpid(child, &status, 0) != child || status != 0) ++bad_children;
    }
    stop = true;
    for (std::thread& other : others) other.join();
    EXPECT_EQ(bad_children, 0);
    EXPECT_TRUE(good);
}

}}  // namespace tenferro
