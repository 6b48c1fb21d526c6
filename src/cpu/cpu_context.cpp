// A spin-then-sleep pool for one parallel region at a time. The calling thread does its share, and waits only
// for workers that have entered the region, so a pool whose workers are slow still finishes every region.
#include "tenferro/cpu/cpu_context.hpp"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <new>
#include <vector>

#include "base/immortal.hpp"
#include "base/mutex.hpp"
#include "base/thread_value.hpp"
#include "cpu/caches.hpp"
#include "cpu/kernels/loops/watched.hpp"
#include "cpu/processors.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

struct Inside {
    bool region = false;
};

/// Whether this thread is inside a parallel region of any pool; nested regions run inline.
bool& inside_region() noexcept { return thread_value<Inside>().region; }

inline void cpu_pause() noexcept {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/// One parallel region: indices are handed out one by one.
struct Region {
    Region(FunctionRef<void(Index)> each, Index tasks, const CancellationScope* scope)
        : task(each), count(tasks), watch(scope) {}

    FunctionRef<void(Index)> task;
    Index count;
    const CancellationScope* watch;  ///< of the thread that began it
    std::atomic<Index> next{0};
    std::mutex failure_mutex{};
    std::exception_ptr failure{};

    void begin() noexcept {  // on the thread that has the scope already
        inside_region() = true;
        run();
        inside_region() = false;
    }
    void join() noexcept {
        const CancellationScope scope(watch);
        begin();
    }

private:
    void run() noexcept {
        for (Index i = next.fetch_add(1); i < count; i = next.fetch_add(1)) {
            try {
                if (watch != nullptr) cpu::look_at(*watch);
                task(i);
            } catch (...) {
                const std::lock_guard lock(failure_mutex);
                if (!failure) failure = std::current_exception();
                next.store(count);
            }
        }
    }
};

/// The workers and what they share with the region that runs.
class Crew {
public:
    Crew() = default;
    ~Crew() {
        if (!is_ours()) return;
        stop_.store(true);
        wake();
        for (const pthread_t worker : workers_) ::pthread_join(worker, nullptr);
    }
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    [[nodiscard]] bool is_ours() const noexcept { return born_ == fork_count(); }
    /// Keeps the crew of the process that was forked until this one ends: others may be looking at it.
    void keep(Crew* parents) noexcept { parents_.reset(parents); }
    /// False where a region is running.
    [[nodiscard]] bool take() noexcept { return !busy_.exchange(true); }

    /// After take(). Indices run on this thread and on workers up to `threads` in all.
    void run(Index count, FunctionRef<void(Index)> task, const std::atomic<int>& threads) {
        Region region(task, count, CancellationScope::current());
        start_workers(threads);
        caller_.store(cpu::this_processor(), std::memory_order_relaxed);
        region_.store(&region);
        wake();
        region.begin();
        region_.store(nullptr);
        while (active_.load() != 0 && is_ours()) cpu_pause();
        busy_.store(false);
        if (region.failure) std::rethrow_exception(region.failure);
        if (!is_ours())
            throw Error(ErrorKind::BackendFailure, "CpuContext",
                        "the process was forked inside a parallel region");
    }

private:
    struct Start {
        Crew* crew;
        const std::atomic<int>* threads;
        int number;
    };

    void start_workers(const std::atomic<int>& threads) noexcept {
        // A thread that cannot be started is done without: the region is finished by those there are.
        try {
            while (static_cast<int>(workers_.size()) < threads.load(std::memory_order_relaxed) - 1)
                start_worker(threads);
        } catch (const std::bad_alloc&) {
        }
    }

    void start_worker(const std::atomic<int>& threads) {
        workers_.reserve(workers_.size() + 1);
        auto start = std::make_unique<Start>(Start{this, &threads, static_cast<int>(workers_.size()) + 1});
        sigset_t all, before;  // signals are for the threads of the host
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before);
        pthread_t worker{};
        const int refused = ::pthread_create(&worker, nullptr, &begin_work, start.get());
        ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
        if (refused != 0) throw std::bad_alloc();
        static_cast<void>(start.release());
        workers_.push_back(worker);
    }

    static void* begin_work(void* argument) noexcept {
        const std::unique_ptr<Start> start(static_cast<Start*>(argument));
        start->crew->work_loop(start->number, *start->threads);
        return nullptr;
    }

    void wake() noexcept {
        epoch_.fetch_add(1);
        epoch_.notify_all();
    }

    /// `number` counts the workers from 1; those at or beyond the thread count stay out of regions.
    void work_loop(int number, const std::atomic<int>& threads) noexcept {
        std::uint32_t seen = 0;
        cpu::WorkerProcessors processors;
        while (!stop_.load()) {
            active_.fetch_add(1);
            if (Region* region = region_.load(); region != nullptr && number < threads.load()) {
                if (const int caller = caller_.load(std::memory_order_relaxed);
                    caller == cpu::this_processor())
                    processors.avoid(caller);
                region->join();
            }
            active_.fetch_sub(1);
            wait_for_wake(seen, processors);
            seen = epoch_.load();
        }
    }

    /// Spins for about 30 microseconds, then sleeps, elsewhere than the last caller.
    void wait_for_wake(std::uint32_t seen, cpu::WorkerProcessors& processors) const noexcept {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::microseconds(30);
        while (std::chrono::steady_clock::now() < deadline)
            for (int i = 0; i < 32; ++i) {
                if (epoch_.load() != seen) return;
                cpu_pause();
            }
        processors.avoid(caller_.load(std::memory_order_relaxed));
        epoch_.wait(seen);
    }

    const std::uint32_t born_ = fork_count();
    std::unique_ptr<Crew> parents_;
    std::vector<pthread_t> workers_;                   // grown only by the owner of busy_
    std::atomic<bool> busy_{false};                    // a region is running
    std::atomic<Region*> region_{nullptr};             // what a worker that wakes should join
    std::atomic<int> active_{0};                       // workers that may be looking at region_
    std::atomic<std::uint32_t> epoch_{0};              // bumped at every wake
    std::atomic<int> caller_{cpu::kUnknownProcessor};  // of the thread that began the last region
    std::atomic<bool> stop_{false};
};

}  // namespace

class CpuContext::Pool {
public:
    Pool(int threads, Index bytes) : stream_bytes(bytes), threads_(threads) { watch_forks(); }
    ~Pool() { delete crew_.load(); }
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    [[nodiscard]] int threads() const noexcept { return threads_.load(std::memory_order_relaxed); }
    void set_threads(int threads) noexcept { threads_.store(threads, std::memory_order_relaxed); }

    void run(Index count, FunctionRef<void(Index)> task) {
        if (threads() > 1 && count > 1 && !inside_region())
            if (Crew* const ours = crew(); ours != nullptr && ours->take())
                return ours->run(count, task, threads_);
        const CancellationScope* const watch = count > 1 ? CancellationScope::current() : nullptr;
        for (Index i = 0; i < count; ++i) {
            if (watch != nullptr) cpu::look_at(*watch);
            task(i);
        }
    }

    std::atomic<Index> stream_bytes;

private:
    /// The crew of this process: a forked child gets its own at its first region. Null without memory for it.
    [[nodiscard]] Crew* crew() noexcept {
        for (;;) {
            Crew* const known = crew_.load();
            if (known != nullptr && known->is_ours()) return known;
            std::unique_ptr<Crew> fresh(new (std::nothrow) Crew);
            if (!fresh) return nullptr;
            Crew* expected = known;
            if (crew_.compare_exchange_strong(expected, fresh.get())) {
                fresh->keep(known);
                return fresh.release();
            }
        }
    }

    std::atomic<int> threads_;
    std::atomic<Crew*> crew_{nullptr};
};

namespace {
void check_threads(int threads) {
    if (threads < 1)
        throw Error(ErrorKind::InvalidArgument, "CpuContext",
                    text("thread count is ", threads, " but must be at least 1"));
}

/// What the user says, or else what the machine's caches are.
Index default_stream_bytes() {
    if (const char* const value = std::getenv("TENFERRO_STREAM_BYTES"); value != nullptr)
        return cpu::parse_stream_bytes(value);
    static constinit Immortal<const Index> of_machine;
    return of_machine.get(
        [] { return std::make_unique<const Index>(cpu::stream_bytes_for(cpu::read_caches())); });
}
}  // namespace

CpuContext::CpuContext(int threads) try {
    check_threads(threads);
    pool_ = std::make_unique<Pool>(threads, default_stream_bytes());
} catch (const std::bad_alloc&) {
    throw_out_of_memory("CpuContext");
}
CpuContext::~CpuContext() = default;

int CpuContext::threads() const noexcept { return pool_->threads(); }
void CpuContext::set_threads(int threads) {
    check_threads(threads);
    pool_->set_threads(threads);
}
Index CpuContext::stream_bytes() const noexcept {
    return pool_->stream_bytes.load(std::memory_order_relaxed);
}
void CpuContext::set_stream_bytes(Index bytes) {
    if (bytes < 1)
        throw Error(ErrorKind::InvalidArgument, "CpuContext",
                    text("stream bytes are ", bytes, " but must be at least 1"));
    pool_->stream_bytes.store(bytes, std::memory_order_relaxed);
}
void CpuContext::parallel_for(Index count, FunctionRef<void(Index)> task) { pool_->run(count, task); }

}}  // namespace tenferro::TENFERRO_ABI
