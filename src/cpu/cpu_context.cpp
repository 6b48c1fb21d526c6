// A spin-then-sleep pool for one parallel region at a time. The calling thread does its share, and waits only
// for workers that have entered the region, so a pool whose workers are slow (or gone, after fork) still
// finishes every region.
#include "tenferro/cpu/cpu_context.hpp"

#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

/// Whether this thread is inside a parallel region of any pool; nested regions run inline.
bool& inside_region() noexcept {
    thread_local bool inside = false;
    return inside;
}

inline void cpu_pause() noexcept {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/// One parallel region: indices are handed out one by one.
struct Region {
    FunctionRef<void(Index)> task;
    Index count;
    std::atomic<Index> next{0};
    std::mutex failure_mutex{};
    std::exception_ptr failure{};

    void work() noexcept {
        inside_region() = true;
        for (Index i = next.fetch_add(1); i < count; i = next.fetch_add(1)) {
            try {
                task(i);
            } catch (...) {
                const std::lock_guard lock(failure_mutex);
                if (!failure) failure = std::current_exception();
                next.store(count);
            }
        }
        inside_region() = false;
    }
};

}  // namespace

class CpuContext::Pool {
public:
    explicit Pool(int threads) : threads_(threads) {}
    ~Pool() {
        stop_.store(true);
        wake();
        for (std::thread& worker : workers_) worker.join();
    }
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    [[nodiscard]] int threads() const noexcept { return threads_.load(std::memory_order_relaxed); }
    void set_threads(int threads) noexcept { threads_.store(threads, std::memory_order_relaxed); }

    void run(Index count, FunctionRef<void(Index)> task) {
        if (threads() == 1 || count <= 1 || inside_region() || busy_.exchange(true)) {
            for (Index i = 0; i < count; ++i) task(i);
            return;
        }
        Region region{task, count};
        start_workers();
        region_.store(&region);
        wake();
        region.work();
        region_.store(nullptr);
        while (active_.load() != 0) cpu_pause();
        busy_.store(false);
        if (region.failure) std::rethrow_exception(region.failure);
    }

private:
    void start_workers() noexcept {
        // A thread that cannot be started is done without: the region is finished by those there are.
        try {
            while (static_cast<int>(workers_.size()) < threads() - 1)
                workers_.emplace_back(
                    [this, number = static_cast<int>(workers_.size()) + 1] { work_loop(number); });
        } catch (...) {
        }
    }

    void wake() noexcept {
        epoch_.fetch_add(1);
        epoch_.notify_all();
    }

    /// `number` counts the workers from 1; those at or beyond the thread count stay out of regions.
    void work_loop(int number) noexcept {
        std::uint32_t seen = 0;
        while (!stop_.load()) {
            active_.fetch_add(1);
            if (Region* region = region_.load(); region != nullptr && number < threads()) region->work();
            active_.fetch_sub(1);
            wait_for_wake(seen);
            seen = epoch_.load();
        }
    }

    /// Spins for about 30 microseconds, then sleeps.
    void wait_for_wake(std::uint32_t seen) const noexcept {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::microseconds(30);
        while (std::chrono::steady_clock::now() < deadline)
            for (int i = 0; i < 32; ++i) {
                if (epoch_.load() != seen) return;
                cpu_pause();
            }
        epoch_.wait(seen);
    }

    std::atomic<int> threads_;
    std::vector<std::thread> workers_;      // grown only by the owner of busy_
    std::atomic<bool> busy_{false};         // a region is running
    std::atomic<Region*> region_{nullptr};  // what a worker that wakes should join
    std::atomic<int> active_{0};            // workers that may be looking at region_
    std::atomic<std::uint32_t> epoch_{0};   // bumped at every wake
    std::atomic<bool> stop_{false};
};

namespace {
void check_threads(int threads) {
    if (threads < 1)
        throw Error(ErrorKind::InvalidArgument, "CpuContext",
                    text("thread count is ", threads, " but must be at least 1"));
}
}  // namespace

CpuContext::CpuContext(int threads) {
    check_threads(threads);
    pool_ = std::make_unique<Pool>(threads);
}
CpuContext::~CpuContext() = default;

int CpuContext::threads() const noexcept { return pool_->threads(); }
void CpuContext::set_threads(int threads) {
    check_threads(threads);
    pool_->set_threads(threads);
}
void CpuContext::parallel_for(Index count, FunctionRef<void(Index)> task) { pool_->run(count, task); }

}}  // namespace tenferro::TENFERRO_ABI
