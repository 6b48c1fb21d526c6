// CpuContext, BufferPool, sessions: threads, nesting, exceptions, memory that outlives its pool.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "cpu/buffer_pool.hpp"
#include "support/expect_error.hpp"
#include "tenferro/cpu/cpu_backend.hpp"

namespace tenferro { namespace {

TEST(CpuContext, EveryIndexRunsOnce) {
    CpuContext context(3);
    for (int round = 0; round < 500; ++round) {
        std::vector<std::atomic<int>> hits(static_cast<std::size_t>(round % 50));
        context.parallel_for(static_cast<Index>(hits.size()),
                             [&](Index i) { ++hits[static_cast<std::size_t>(i)]; });
        for (const auto& hit : hits) ASSERT_EQ(hit.load(), 1);
    }
}

TEST(CpuContext, TheThreadCountMayChange) {
    CpuContext context(1);
    for (int round = 0; round < 300; ++round) {
        const int threads = 1 + round % 4;
        context.set_threads(threads);
        EXPECT_EQ(context.threads(), threads);
        std::atomic<Index> total{0}, inside{0}, most{0};
        context.parallel_for(32, [&](Index i) {
            const Index now = ++inside;
            for (Index seen = most.load(); seen < now && !most.compare_exchange_weak(seen, now);) {
            }
            total += i;
            --inside;
        });
        EXPECT_EQ(total.load(), 32 * 31 / 2);
        EXPECT_LE(most.load(), threads);
    }
    EXPECT_ERROR(context.set_threads(0), InvalidArgument, "thread count is 0");
    EXPECT_ERROR(CpuBackend().set_threads(-1), InvalidArgument, "thread count is -1");
}

TEST(CpuContext, NestedAndConcurrentRegionsFinish) {
    CpuContext context(2);
    std::atomic<Index> total{0};
    const auto work = [&] {
        for (int round = 0; round < 200; ++round)
            context.parallel_for(4, [&](Index) { context.parallel_for(3, [&](Index j) { total += j; }); });
    };
    std::thread other(work);
    work();
    other.join();
    EXPECT_EQ(total.load(), 2 * 200 * 4 * 3);
}

/// The calling thread on one processor alone for as long as this lives, as a thread that computes is.
class OnProcessor {
public:
    explicit OnProcessor(std::size_t processor) {
        ::sched_getaffinity(0, sizeof allowed_, &allowed_);
        cpu_set_t one{};
        CPU_SET(processor, &one);
        EXPECT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
    }
    OnProcessor(const OnProcessor&) = delete;
    OnProcessor& operator=(const OnProcessor&) = delete;
    ~OnProcessor() { ::sched_setaffinity(0, sizeof allowed_, &allowed_); }

private:
    cpu_set_t allowed_{};
};

std::vector<std::size_t> allowed_processors() {
    cpu_set_t allowed{};
    std::vector<std::size_t> list;
    if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        for (std::size_t i = 0; i < CPU_SETSIZE; ++i)
            if (CPU_ISSET(i, &allowed)) list.push_back(i);
    return list;
}

/// The processor of the worker in a region of two tasks that wait for each other.
int processor_of_worker(CpuContext& context) {
    std::atomic<int> begun{0}, worker{-1};
    const auto caller = std::this_thread::get_id();
    context.parallel_for(2, [&](Index) {
        if (std::this_thread::get_id() != caller) worker = ::sched_getcpu();
        ++begun;
        while (begun < 2) std::this_thread::yield();
    });
    return worker;
}

TEST(CpuContext, WorkersRunElsewhereThanTheirCaller) {
    const auto processors = allowed_processors();
    if (processors.size() < 2) GTEST_SKIP() << "one processor";
    CpuContext context(2);
    (void)processor_of_worker(context);  // the worker inherits what this thread is allowed
    for (int round = 0; round < 20; ++round) {
        const std::size_t mine = processors[static_cast<std::size_t>(round / 2 % 2)];
        const OnProcessor pinned(mine);
        EXPECT_NE(processor_of_worker(context), static_cast<int>(mine)) << "round " << round;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));  // so that the worker sleeps
    }
}

TEST(CpuContext, OneProcessorIsEnough) {
    const OnProcessor pinned(allowed_processors().at(0));
    CpuContext context(2);
    for (int round = 0; round < 3; ++round) EXPECT_EQ(processor_of_worker(context), ::sched_getcpu());
}

TEST(CpuContext, ATaskMayThrow) {
    CpuContext context(2);
    for (int round = 0; round < 50; ++round)
        EXPECT_THROW(context.parallel_for(20,
                                          [](Index i) {
                                              if (i == 7) throw std::runtime_error("seven");
                                          }),
                     std::runtime_error);
    Index sum = 0;
    context.parallel_for(1, [&](Index i) { sum += i + 1; });
    EXPECT_EQ(sum, 1);
}

/// Whether a forked child that runs `body` ends well, and within a minute.
template <class Body>
bool child_ends_well(Body&& body) {
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(60);
        ::_exit(body() ? 0 : 1);
    }
    int status = 0;
    return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(CpuContext, WorksInAForkedChild) {
    CpuContext context(2);
    for (int round = 0; round < 200; ++round) {
        context.parallel_for(8, [](Index) {});  // workers go to sleep while the fork happens
        ASSERT_TRUE(child_ends_well([&] {
            std::atomic<int> count{0};
            for (int i = 0; i < 20; ++i) context.parallel_for(8, [&](Index) { ++count; });
            return count.load() == 160;
        }));
    }
}

TEST(CpuContext, AForkedChildHasWorkersOfItsOwn) {
    CpuContext context(2);
    context.parallel_for(8, [](Index) {});
    ASSERT_TRUE(child_ends_well([&] {
        std::atomic<int> inside{0};  // each of two tasks waits for the other
        context.parallel_for(2, [&](Index) {
            ++inside;
            while (inside.load() < 2) std::this_thread::yield();
        });
        return child_ends_well([&] {
            std::atomic<int> count{0};
            context.parallel_for(8, [&](Index) { ++count; });
            return count.load() == 8;
        });
    }));
}

TEST(CpuContext, EndsInAForkedChild) {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the sanitizer's allocator keeps locks that a thread held while the process forked";
#endif
    for (int round = 0; round < 200; ++round) {
        auto backend = CpuBackend::with_threads(3);
        const Tensor ones = backend->zeros(DType::F64, Dims{300, 300});
        static_cast<void>(backend->add_read(ones, ones));
        ASSERT_TRUE(child_ends_well([&] {
            backend.reset();
            return true;
        }));
    }
}

TEST(CpuContext, NeedsAThread) {
    EXPECT_ERROR(CpuContext(0), InvalidArgument, "CpuContext: thread count is 0");
}

TEST(BufferPool, ReusesAndAligns) {
    cpu::BufferPool pool;
    const std::byte* first = nullptr;
    {
        const Buffer buffer = pool.acquire(1000);
        first = buffer.data();
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % kAlignment, 0u);
        EXPECT_EQ(buffer.bytes(), 1000u);
    }
    EXPECT_EQ(pool.acquire(990).data(), first) << "a block of the same size class is handed out again";
    for (std::size_t bytes : {0ul, 1ul, 127ul, 128ul, 129ul, 4096ul, 5000ul, 3000000ul, 33554432ul}) {
        const Buffer buffer = pool.acquire(bytes);
        if (bytes > 0) buffer.data()[0] = buffer.data()[bytes - 1] = std::byte{1};
        EXPECT_EQ(buffer.bytes(), bytes);
    }
    EXPECT_THROW((void)pool.acquire(std::size_t{1} << 62), std::bad_alloc);
}

TEST(BufferPool, BuffersOutliveIt) {
    Buffer survivor;
    {
        cpu::BufferPool pool;
        survivor = pool.acquire(100);
    }
    survivor.data()[99] = std::byte{7};
    EXPECT_EQ(survivor.data()[99], std::byte{7});
}

TEST(Backend, TensorsOutliveIt) {
    Tensor t;
    {
        const auto backend = CpuBackend::with_threads(1);
        t = backend->zeros(DType::F64, Dims{3});
    }
    EXPECT_EQ(t.data_as<double>()[2], 0);
}

TEST(Backend, SessionsAreReentrantAndKnown) {
    const auto a = CpuBackend::with_threads(1), b = CpuBackend::with_threads(1);
    EXPECT_EQ(current_backend(), nullptr);
    a->with_backend_session([&](BackendSession& outer) {
        EXPECT_EQ(current_backend(), a.get());
        b->with_backend_session([&](BackendSession& inner) {
            EXPECT_NE(&inner, &outer);
            EXPECT_EQ(current_backend(), b.get());
            a->with_backend_session([&](BackendSession& again) {
                EXPECT_EQ(&again, &outer);
                EXPECT_EQ(current_backend(), a.get());
            });
            EXPECT_EQ(current_backend(), b.get());
        });
    });
    EXPECT_THROW(a->with_backend_session([](BackendSession&) { throw std::runtime_error("out"); }),
                 std::runtime_error);
    EXPECT_EQ(current_backend(), nullptr);
}

TEST(Backend, KindsAndThreads) {
    EXPECT_TRUE(CpuBackend::has_kind(CpuKind::Builtin));
    EXPECT_EQ(CpuBackend::with_kind(CpuKind::Builtin)->kind(), CpuKind::Builtin);
    EXPECT_EQ(CpuBackend::with_threads_and_kind(3, CpuKind::Builtin)->threads(), 3);
    EXPECT_ERROR((void)CpuBackend::with_threads(0), InvalidArgument, "thread count is 0");
    EXPECT_ERROR(CpuBackend(CpuOptions{.threads = -1}), InvalidArgument, "thread count is -1");
    EXPECT_EQ(CpuBackend().kind(), CpuKind::Builtin);
    EXPECT_EQ(CpuBackend::with_threads(2)->kind(), CpuKind::Builtin);
    if (!CpuBackend::has_kind(CpuKind::Blas)) {
        EXPECT_ERROR((void)CpuBackend::with_kind(CpuKind::Blas), Unsupported, "not compiled in");
    }
}

}}  // namespace tenferro
