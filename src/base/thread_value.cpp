// The one pthread key of the library and each thread's list of what ends with it.
#include "base/thread_value.hpp"

#include <pthread.h>

#include <atomic>
#include <utility>

#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tfe_detail {

namespace {

struct Ends {
    ThreadEnd* first = nullptr;
};

/// The system has taken the key's value away before it calls this; what is added meanwhile sets it again.
void run_ends(void* list) noexcept {
    ThreadEnd* link = std::exchange(static_cast<Ends*>(list)->first, nullptr);
    while (link != nullptr) {
        ThreadEnd& ended = *link;
        link = std::exchange(ended.next, nullptr);
        ended.run(ended);
    }
}

pthread_key_t key() {
    static constinit std::atomic<std::uint64_t> made{0};  // the key + 1
    std::uint64_t known = made.load(std::memory_order_acquire);
    if (known != 0) return static_cast<pthread_key_t>(known - 1);
    pthread_key_t fresh = 0;
    if (::pthread_key_create(&fresh, &run_ends) != 0)
        throw Error(ErrorKind::OutOfMemory, "thread", "the process has no pthread key left");
    if (made.compare_exchange_strong(known, std::uint64_t{fresh} + 1)) return fresh;
    ::pthread_key_delete(fresh);
    return static_cast<pthread_key_t>(known - 1);
}

}  // namespace

void at_thread_end(ThreadEnd& link) {
    Ends& ends = thread_value<Ends>();
    if (::pthread_setspecific(key(), &ends) != 0)
        throw Error(ErrorKind::OutOfMemory, "thread", "no memory for what ends with the thread");
    link.next = ends.first;
    ends.first = &link;
}

}}}  // namespace tenferro::TENFERRO_ABI::tfe_detail
