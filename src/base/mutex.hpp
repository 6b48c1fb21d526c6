// Mutex: a lock that no fork leaves taken. A fork waits until it holds every Mutex of the process, so that
// what they guard is whole in the child, where all of them are free. Hence nothing that takes long, waits or
// calls the user happens under one. It is one word, so that taking a free one is one instruction of
// the caller: small calls take three. `fork_count` tells a child that the threads it knew are
// gone.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "base/only_thread.hpp"
#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

class Mutex {
public:
    /// Throws OutOfMemory.
    Mutex();
    ~Mutex();
    Mutex(const Mutex&) = delete;
    Mutex& operator=(const Mutex&) = delete;

    void lock() noexcept {
        if (!try_lock()) [[unlikely]]
            wait();
    }
    bool try_lock() noexcept {
        std::uint32_t state = kFree;
        return exchange_if(state_, state, std::uint32_t{kTaken}, std::memory_order_acquire);
    }
    void unlock() noexcept {
        if (is_only_thread())
            state_.store(kFree, std::memory_order_relaxed);
        else if (state_.exchange(kFree, std::memory_order_release) == kAwaited) [[unlikely]]
            wake();
    }

private:
    friend class ForkGate;
    enum : std::uint32_t { kFree, kTaken, kAwaited };

    void wait() noexcept;
    void wake() noexcept;

    std::atomic<std::uint32_t> state_{kFree};
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
