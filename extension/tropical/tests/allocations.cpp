// Every form of operator new, counted, and failing on demand.
#include "allocations.h"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

constinit thread_local long countdown = 0;
constinit thread_local bool forever = false, failed = false;
constinit std::atomic<long> live = 0;

void* allocate(std::size_t bytes, std::size_t alignment) {
    if (countdown > 0 && --countdown == 0) {
        failed = true;
        if (forever) countdown = 1;
        throw std::bad_alloc();
    }
    void* const memory = std::aligned_alloc(alignment, (bytes / alignment + 1) * alignment);
    if (memory == nullptr) throw std::bad_alloc();
    ++live;
    return memory;
}
void deallocate(void* memory) noexcept {
    if (memory != nullptr) --live;
    std::free(memory);
}

constexpr std::size_t kAlignment = alignof(std::max_align_t);

}  // namespace

void* operator new(std::size_t bytes) { return allocate(bytes, kAlignment); }
void* operator new[](std::size_t bytes) { return allocate(bytes, kAlignment); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return allocate(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    try {
        return allocate(bytes, kAlignment);
    } catch (...) {
        return nullptr;
    }
}
void operator delete(void* memory) noexcept { deallocate(memory); }
void operator delete[](void* memory) noexcept { deallocate(memory); }
void operator delete(void* memory, std::size_t) noexcept { deallocate(memory); }
void operator delete[](void* memory, std::size_t) noexcept { deallocate(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { deallocate(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { deallocate(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { deallocate(memory); }

void fail_allocation(long the_countdown, int for_ever) {
    countdown = the_countdown;
    forever = for_ever != 0;
    failed = false;
}
int stop_failing() {
    countdown = 0;
    return failed ? 1 : 0;
}
long live_allocations() { return live; }
