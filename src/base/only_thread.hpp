// Atomic changes that cost nothing while the process has one thread: a locked instruction takes as long as
// twenty others, and a small call has ten. Making a thread orders all that was done before it, so what was
// changed plainly until then is seen by both.
#pragma once

#include <atomic>

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// Whether the process surely has no thread but this one.
[[nodiscard]] inline bool is_only_thread() noexcept {
#if __has_include(<sys/single_threaded.h>)
    return __libc_single_threaded != 0;
#else
    return false;
#endif
}

/// As at.compare_exchange_strong(expected, wanted, success, std::memory_order_acquire).
template <class T>
bool exchange_if(std::atomic<T>& at, T& expected, T wanted, std::memory_order success) noexcept {
    if (!is_only_thread())
        return at.compare_exchange_strong(expected, wanted, success, std::memory_order_acquire);
    const T now = at.load(std::memory_order_relaxed);
    if (now == expected) {
        at.store(wanted, std::memory_order_relaxed);
        return true;
    }
    expected = now;
    return false;
}

/// As at.fetch_sub(amount, order).
template <class T>
T take_away(std::atomic<T>& at, T amount, std::memory_order order) noexcept {
    if (!is_only_thread()) return at.fetch_sub(amount, order);
    const T before = at.load(std::memory_order_relaxed);
    at.store(before - amount, std::memory_order_relaxed);
    return before;
}

}}  // namespace tenferro::TENFERRO_ABI
