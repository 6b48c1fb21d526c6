// The list of all Mutexes and what a fork does with it. Taking them waits for none while others are held:
// one that is taken makes the fork give all back and begin again, so it cannot deadlock with threads that
// hold several.
#include "base/mutex.hpp"

#include <pthread.h>
#include <sched.h>

#include <array>
#include <mutex>
#include <type_traits>

#include "base/immortal.hpp"
#include "base/thread_value.hpp"
#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace tfe_detail {
constinit std::atomic<std::uint32_t> forks{0};
}

class ForkGate {
public:
    constexpr ForkGate() noexcept = default;

    void add(Mutex& mutex) noexcept {
        const std::lock_guard lock(list_);
        mutex.next_ = first_;
        if (first_ != nullptr) first_->previous_ = &mutex;
        first_ = &mutex;
    }

    void remove(Mutex& mutex) noexcept {
        const std::lock_guard lock(list_);
        (mutex.previous_ != nullptr ? mutex.previous_->next_ : first_) = mutex.next_;
        if (mutex.next_ != nullptr) mutex.next_->previous_ = mutex.previous_;
    }

    void close() noexcept {
        while (!try_close()) ::sched_yield();
    }

    void open() noexcept { open_up_to(nullptr); }

private:
    bool try_close() noexcept {
        list_.lock();
        for (Mutex* mutex = first_; mutex != nullptr; mutex = mutex->next_)
            if (!mutex->try_lock()) {
                open_up_to(mutex);
                return false;
            }
        return true;
    }

    void open_up_to(const Mutex* end) noexcept {
        for (Mutex* mutex = first_; mutex != end; mutex = mutex->next_) mutex->unlock();
        list_.unlock();
    }

    std::mutex list_;
    Mutex* first_ = nullptr;
};

namespace {

constinit ForkGate gate;
static_assert(std::is_trivially_destructible_v<ForkGate>);

/// How often the fork that this thread is in has closed the gate.
struct Closed {
    int times = 0;
};

void before_fork() noexcept {
    if (thread_value<Closed>().times++ == 0) gate.close();
}
void after_fork() noexcept {
    int& times = thread_value<Closed>().times;
    if (times > 0 && --times == 0) gate.open();
}
void in_child() noexcept {
    tfe_detail::forks.fetch_add(1, std::memory_order_relaxed);
    after_fork();
}

}  // namespace

void watch_forks() {
    // Without a lock, which a fork could leave taken; threads that come first at once register twice.
    static constinit std::atomic<bool> watched{false};
    if (watched.load(std::memory_order_acquire)) return;
    if (::pthread_atfork(&before_fork, &after_fork, &in_child) != 0)
        throw Error(ErrorKind::OutOfMemory, "fork", "no memory for its handlers");
    watched.store(true, std::memory_order_release);
}

Mutex::Mutex() {
    watch_forks();
    gate.add(*this);
}
Mutex::~Mutex() { gate.remove(*this); }

// Who has waited leaves the lock awaited, since others may still wait (Drepper, Futexes are tricky, 2011).
void Mutex::wait() noexcept {
    while (state_.exchange(kAwaited, std::memory_order_acquire) != kFree)
        state_.wait(kAwaited, std::memory_order_relaxed);
}
void Mutex::wake() noexcept { state_.notify_one(); }

Mutex& mutex_of(const void* object) {
    constexpr std::size_t kMutexes = 64;
    static constinit Immortal<std::array<Mutex, kMutexes>> all;
    const auto address = reinterpret_cast<std::uintptr_t>(object);
    return all.get()[(address >> 6 ^ address >> 12) % kMutexes];
}

}}  // namespace tenferro::TENFERRO_ABI
