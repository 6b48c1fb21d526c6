// Independent parts of a search on threads of their own: a search has no backend whose threads it could use.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "tenferro/base/cancellation.hpp"
#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// Calls lane(i) for each i below `count`, at most `threads` at once, the calling thread among them. What
/// cancels that one cancels all. The first exception is rethrown when all have ended. Threads that cannot be
/// started are done without.
template <class F>
void run_lanes(std::size_t count, int threads, const F& lane) {
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::exception_ptr failure;
    const auto work = [&]() noexcept {
        for (std::size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) {
            try {
                lane(i);
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (!failure) failure = std::current_exception();
            }
        }
    };
    const auto work_beside = [&, watch = CancellationScope::current()]() noexcept {
        const CancellationScope scope(watch);
        work();
    };
    std::vector<std::thread> others;
    try {
        for (int t = 1; t < threads && static_cast<std::size_t>(t) < count; ++t)
            others.emplace_back(work_beside);
    } catch (...) {
    }
    work();
    for (std::thread& other : others) other.join();
    if (failure) std::rethrow_exception(failure);
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
