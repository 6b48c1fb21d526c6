// The allocator of containers that callers fill themselves in arguments: where there is no memory, it throws
// OutOfMemory as the functions called do. Numbers that are given no value have none: a list that is filled
// next is not filled with zeros before, in one go that nobody can interrupt.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <utility>

#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

template <class T>
struct ErrorAllocator {
    using value_type = T;

    ErrorAllocator() noexcept = default;
    template <class U>
    ErrorAllocator(const ErrorAllocator<U>&) noexcept {}  // NOLINT(google-explicit-constructor)

    [[nodiscard]] T* allocate(std::size_t count) {
        constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max() / sizeof(T);
        void* const memory = count <= kMost ? ::operator new(count * sizeof(T), std::nothrow) : nullptr;
        if (memory == nullptr) throw_out_of_memory("a list", count <= kMost ? count * sizeof(T) : kMost);
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t) noexcept { ::operator delete(memory); }

    template <class U>
    void construct(U* place) noexcept(noexcept(U())) {
        ::new (static_cast<void*>(place)) U;
    }
    template <class U, class... Args>
    void construct(U* place, Args&&... args) {
        std::construct_at(place, std::forward<Args>(args)...);
    }

    friend bool operator==(const ErrorAllocator&, const ErrorAllocator&) noexcept { return true; }
};

}}  // namespace tenferro::TENFERRO_ABI
