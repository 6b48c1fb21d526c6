// Mutex: a lock that no fork leaves taken. A fork waits until it holds every Mutex of the process, so that
// what they guard is whole in the child, where all of them are free. Hence nothing that takes long, waits or
// calls the user happens under one. `fork_count` tells a child that the threads it knew are gone.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

class Mutex {
public:
    /// Throws OutOfMemory.
    Mutex();
    ~Mutex();
    Mutex(const Mutex&) = delete;
    Mutex& operator=(const Mutex&) = delete;

    void lock() { mutex_.lock(); }
    bool try_lock() { return mutex_.try_lock(); }
    void unlock() { mutex_.unlock(); }

private:
    friend class ForkGate;

    std::mutex mutex_;
    Mutex* previous_ = nullptr;
    Mutex* next_ = nullptr;
};

/// A Mutex for objects too many to have their own; several share one. Hold only one of them at a time.
[[nodiscard]] Mutex& mutex_of(const void* object);

namespace tfe_detail {
extern constinit std::atomic<std::uint32_t> forks;
}

/// Has forks counted from now on. Throws OutOfMemory.
void watch_forks();
/// How many forks lie between this process and the one in which they were first watched.
[[nodiscard]] inline std::uint32_t fork_count() noexcept {
    return tfe_detail::forks.load(std::memory_order_relaxed);
}

}}  // namespace tenferro::TENFERRO_ABI
