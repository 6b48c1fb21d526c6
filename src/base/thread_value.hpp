// Values of a thread that serve every destructor of the process: exit handlers, static and thread-local
// objects, pthread keys. All thread-local state of the library is of this kind. A type without a destructor
// lives as long as the thread's memory. The others end by a pthread key, after the thread's own C++ objects;
// a key's destructor that runs later finds a new value, which ends in turn.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace tfe_detail {

/// A link in the list of what ends with its thread.
struct ThreadEnd {
    void (*run)(ThreadEnd&) noexcept;
    ThreadEnd* next = nullptr;
};

/// Has link.run called when the thread ends. Throws OutOfMemory where the process has no key or memory left.
void at_thread_end(ThreadEnd& link);

template <class T>
struct ThreadOwned : ThreadEnd {
    bool alive = false;
    alignas(T) std::byte storage[sizeof(T)] = {};

    constexpr ThreadOwned() noexcept : ThreadEnd{&end} {}
    [[nodiscard]] T& value() noexcept { return *std::launder(reinterpret_cast<T*>(storage)); }
    [[gnu::noinline]] void begin() {
        at_thread_end(*this);
        ::new (static_cast<void*>(storage)) T{};
        alive = true;
    }
    static void end(ThreadEnd& link) noexcept {
        auto& self = static_cast<ThreadOwned&>(link);
        self.alive = false;
        self.value().~T();
    }
};

}  // namespace tfe_detail

/// The calling thread's T, at first T{}, which must not throw. One for each type, so T is a type of its user.
template <class T>
[[nodiscard]] T& thread_value() {
    if constexpr (std::is_trivially_destructible_v<T>) {
        static constinit thread_local T value{};
        return value;
    } else {
        static_assert(std::is_nothrow_default_constructible_v<T>);
        static constinit thread_local tfe_detail::ThreadOwned<T> owned;
        if (!owned.alive) [[unlikely]]
            owned.begin();
        return owned.value();
    }
}

}}  // namespace tenferro::TENFERRO_ABI
