// Late and crowded lives: every family of calls of C++ in exit handlers, in destructors of static and
// thread-local objects and of pthread keys, in forked children, on small stacks, from 200 threads at once,
// with little memory and without threads. tests/capi/late.c and fork.c do the same for C.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "support/sanitized.hpp"
#include "support/test_extensions.hpp"
#include "tenferro/api/einsum.hpp"
#include "tenferro/api/evaluate.hpp"
#include "tenferro/api/extension.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/runtime/graph_json.hpp"
#include "tenferro/tensor/creation.hpp"
#include "tenferro/tensor/dlpack.hpp"
#include "tenferro/tensor/npy.hpp"
#include "tenferro/tensor/print.hpp"

namespace tenferro { namespace {

// What each family computes must be right, wherever it does.

bool of_einsums() {
    const Tensor a = full({3, 4}, 2.), b = full({4, 5}, 3.);
    const std::vector<TensorRead> operands{a, b};
    Engine& engine = default_engine();
    const Tensor c = engine.einsum("ij,jk->ik", operands), ct = full({3, 5}, 1.);
    const std::vector<Tensor> gradients = engine.einsum_vjp("ij,jk->ik", operands, ct);
    return c(2, 4) == 24 && gradients[0](0, 0) == 15 && gradients[1](3, 4) == 6;
}

bool of_plans() {
    const std::vector<Dims> shapes(5, Dims{2, 2});
    const tensor_network::EinsumPlan plan(tensor_network::Subscripts::parse("ab,bc,cd,de,ea->"), shapes);
    const Tensor x = full({2, 2}, 1.);
    return plan.run(default_engine().backend(), {x, x, x, x, x}).item() == 32;
}

bool of_products() {  // large enough for packed panels and for worker threads
    const Tensor x = full({160, 160}, 1.);
    return einsum("ij,jk->ik", {x, x})(159, 159) == 160;
}

bool of_programs() {
    const TracedTensor x = TracedTensor::input(DType::F64, {kAnyExtent}), y = reduce_sum(exp(x) * x),
                       slope = grad(y, x);
    const Tensor zeros = full({3}, 0.);
    return evaluate({y, slope}, {{x, zeros}})[1](2) == 1;
}

bool of_eager_tensors() {
    const EagerTensor x = parameter(full({4}, 3.));
    reduce_sum(x * x).backward();
    return x.grad().value()(3) == 6;
}

bool of_dlpack() {
    Tensor a = full({2, 3}, 5.);
    const Tensor b = from_dlpack(to_dlpack(std::move(a)));
    const OwnedDlpack shared = share_dlpack(b);
    return b(1, 2) == 5;
}

bool of_extensions() {
    const Tensor a = full({2}, 2.), b = full({3}, 3.);
    const std::vector<TensorRead> operands{a, b};
    return extension::apply(std::make_shared<const test::PairOp>(1), operands)[0](1, 2) == 6;
}

bool of_texts() {
    const Tensor a = full({2}, 1.5);
    std::stringstream file;
    write_npy(file, a, "memory");
    return read_npy(file, std::nullopt, "memory")(1) == 1.5 && to_string(a) == "[1.5 1.5]";
}

bool of_graphs() {
    const std::string graph = R"({"format": "tenferro-graph", "version": 1, "inputs": [{"dtype": "f64",)"
                              R"( "shape": [2]}], "nodes": [], "outputs": [0], "guards": []})";
    return !graph_runtime::graph_to_json(graph_runtime::graph_from_json(graph)).empty();
}

bool of_errors() {
    try {
        (void)einsum("ij,jk->ik", {full({2, 2}, 1.), full({3, 2}, 1.)});
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::OutOfMemory) throw;
        return error.kind() == ErrorKind::ShapeMismatch;
    }
    return false;
}

constexpr std::array kFamilies{of_einsums, of_plans,      of_products, of_programs, of_eager_tensors,
                               of_dlpack,  of_extensions, of_texts,    of_errors,   of_graphs};
/// All but graphs as JSON, whose library may end the process then.
constexpr std::size_t kWithoutMemory = kFamilies.size() - 1;

/// The number of the first family that was wrong, from 1 on, or 0.
int every_family() {
    for (std::size_t i = 0; i < kFamilies.size(); ++i)
        if (!kFamilies[i]()) return static_cast<int>(i) + 1;
    return 0;
}

/// What `body` returns in a forked child, or -1 where that died; it may end the process itself.
int in_child(const std::function<int()>& body) {
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(120);
        std::_Exit(body());
    }
    int status = 0;
    if (::waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status);
}

/// Uses the library when it goes, and says how often that went well.
struct UsesLate {
    static inline std::atomic<int> well{0};
    bool made = true;
    ~UsesLate() { use(); }
    static void use() { well += every_family() == 0 ? 1 : 0; }
};

class Lives : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        if (!lookup_extension_factory(test::PairOp::kFamilyId))
            register_extension(std::make_shared<test::Factory<test::PairOp>>());
    }
};

TEST_F(Lives, AreLate) {
    if (test::kThreadSanitized) GTEST_SKIP() << "a child starts threads";
    constexpr int kUses = 5;
    const int code = in_child([]() -> int {
        // The last handler to run, as the first registered: it counts those before it.
        std::atexit([] {
            UsesLate::use();
            std::_Exit(UsesLate::well == kUses ? 0 : 100 + UsesLate::well);
        });
        static const UsesLate before;  // destroyed after what the library made
        std::thread([] {
            thread_local const UsesLate of_thread;
            pthread_key_t key{};
            ::pthread_key_create(&key, [](void*) { UsesLate::use(); });
            ::pthread_setspecific(key, &key);
            (void)of_thread.made;
            (void)every_family();
        }).join();
        std::atexit(&UsesLate::use);
        std::exit(before.made ? 0 : 1);
    });
    EXPECT_EQ(code, 0) << "in fewer than " << kUses << " of the late uses all was well";
}

TEST_F(Lives, AreForked) {
    if (test::kThreadSanitized) GTEST_SKIP() << "a child starts threads";
    ASSERT_EQ(every_family(), 0);
    EXPECT_EQ(in_child([] { return every_family(); }), 0);
    EXPECT_EQ(in_child([] { return in_child([] { return every_family(); }); }), 0) << "a child's child";
}

TEST_F(Lives, HaveSmallStacks) {
    if (test::kSanitized) GTEST_SKIP() << "frames of sanitized code are several times as large";
    EXPECT_EQ(in_child([] {
                  ::pthread_attr_t attributes;
                  ::pthread_attr_init(&attributes);
                  ::pthread_attr_setstacksize(&attributes, std::size_t{64} << 10);
                  pthread_t thread{};
                  const auto body = [](void*) -> void* {
                      return reinterpret_cast<void*>(static_cast<std::intptr_t>(every_family()));
                  };
                  if (::pthread_create(&thread, &attributes, body, nullptr) != 0) return 99;
                  void* result = nullptr;
                  ::pthread_join(thread, &result);
                  return static_cast<int>(reinterpret_cast<std::intptr_t>(result));
              }),
              0);
}

TEST_F(Lives, AreCrowded) {
    std::atomic<int> wrong{0};
    std::vector<std::thread> callers;
    for (int i = 0; i < 200; ++i) callers.emplace_back([&] { wrong += every_family() != 0 ? 1 : 0; });
    for (std::thread& caller : callers) caller.join();
    EXPECT_EQ(wrong, 0);
}

/// Takes what malloc can give.
void take_all_memory() {
    for (std::size_t bytes = std::size_t{1} << 20; bytes >= sizeof(void*); bytes /= 2)
        while (void* const block = std::malloc(bytes)) static_cast<void* volatile*>(block)[0] = nullptr;
}

/// With less and less memory: right results or OutOfMemory, and no other end.
TEST_F(Lives, HaveLittleMemory) {
    if (test::kSanitized) GTEST_SKIP() << "a sanitizer reserves terabytes";
    std::vector<int> refused;
    for (const std::size_t room : {64, 32, 16, 8, 4, 2, 1, 0}) {
        refused.push_back(in_child([room] {
            dynamic_cast<CpuBackend&>(default_engine().backend()).trim_pool();
            void* volatile const kept = std::malloc((room << 20) + 1);
            std::ifstream sizes("/proc/self/statm");
            std::size_t pages = 0;
            sizes >> pages;
            const rlim_t most = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
            const rlimit limit{most, most};
            ::setrlimit(RLIMIT_AS, &limit);
            take_all_memory();
            std::free(kept);
            int failures = 0;
            for (std::size_t i = 0; i < kWithoutMemory; ++i) {
                try {
                    if (!kFamilies[i]()) return 99;
                } catch (const Error& error) {
                    if (error.root_kind() != ErrorKind::OutOfMemory) return 98;
                    ++failures;
                } catch (...) {  // what the test itself allocates
                    ++failures;
                }
            }
            return failures;
        }));
        EXPECT_GE(refused.back(), 0) << room << " MiB";
        EXPECT_LT(refused.back(), 98) << room << " MiB";
    }
    EXPECT_EQ(refused.front(), 0) << "64 MiB are enough";
    EXPECT_EQ(refused.back(), static_cast<int>(kWithoutMemory)) << "nothing is left";
}

/// Where no thread can be started, callers do all the work. Root is not limited, so it becomes somebody else.
TEST_F(Lives, HaveNoThreads) {
    if (test::kThreadSanitized) GTEST_SKIP() << "a child starts threads";
    EXPECT_EQ(in_child([] {
                  const rlimit none{1, 1};
                  if (::getuid() == 0 && ::setuid(65534) != 0) return 0;
                  ::setrlimit(RLIMIT_NPROC, &none);
                  try {
                      std::thread([] {}).join();
                      return 99;
                  } catch (const std::system_error&) {  // as it should be
                  }
                  Engine engine(CpuBackend::with_threads(4));
                  const Tensor x = full({160, 160}, 1.);
                  if (engine.einsum("ij,jk->ik", {x, x})(159, 159) != 160) return 1;
                  return every_family();
              }),
              0);
}

}}  // namespace tenferro
