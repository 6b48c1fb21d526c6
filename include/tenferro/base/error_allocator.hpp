// The allocator of containers that callers fill themselves in arguments: where there is no memory, it throws
// OutOfMemory as the functions called do.
#pragma once

#include <cstddef>
#include <limits>
#include <new>

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

    friend bool operator==(const ErrorAllocator&, const ErrorAllocator&) noexcept { return true; }
};

}}  // namespace tenferro::TENFERRO_ABI
