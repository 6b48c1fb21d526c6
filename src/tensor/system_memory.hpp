// Memory of the system: what is at least a huge page large begins on one and asks for them, since a walk over
// small pages waits for addresses to be translated (4 to 8 % of a copy).
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>

#include "tenferro/tensor/buffer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// A hint: failing changes nothing.
inline void ask_for_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
    if (bytes >= kHugePage) ::madvise(memory, bytes, MADV_HUGEPAGE);
#endif
}

[[nodiscard]] constexpr std::size_t system_alignment(std::size_t bytes) noexcept {
    return bytes >= kHugePage ? kHugePage : kAlignment;
}

/// Throws std::bad_alloc, also where the allocator of a sanitizer ends the process instead of throwing.
[[nodiscard]] inline std::byte* system_allocate(std::size_t bytes) {
    auto* const memory = static_cast<std::byte*>(
        ::operator new (bytes, std::align_val_t{system_alignment(bytes)}, std::nothrow));
    if (memory == nullptr) throw std::bad_alloc();
    ask_for_huge_pages(memory, bytes);
    return memory;
}

inline void system_free(std::byte* memory, std::size_t bytes) noexcept {
    ::operator delete (static_cast<void*>(memory), std::align_val_t{system_alignment(bytes)});
}

}}  // namespace tenferro::TENFERRO_ABI
