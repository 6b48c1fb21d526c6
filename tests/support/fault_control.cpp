// The bridge from tests of faults to internals; links the static library. Every allocation of the
// program by operator new is a fault point, so that vectors and strings fail too; memory that the library
// gets otherwise has fault points of its own.
#include "support/fault_control.h"

#include <cstdlib>
#include <new>

#include "capi/handle_table.hpp"
#include "capi/matrix_functions.hpp"
#include "tenferro/base/fault.hpp"

namespace {

/// Whether this thread's allocations are fault points; not while an unexpected exception is to be thrown,
/// since that allocates its own text.
constinit thread_local bool allocations_fail = false;

void* allocate(std::size_t bytes, std::size_t alignment) {
    if (allocations_fail) tenferro::fault::point();
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    void* const memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
    if (memory == nullptr || rounded < bytes) throw std::bad_alloc();
    return memory;
}

}  // namespace

// All forms: a sanitizer's own do not call each other.
void* operator new(std::size_t bytes) { return allocate(bytes, __STDCPP_DEFAULT_NEW_ALIGNMENT__); }
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    try {
        return operator new(bytes);
    } catch (...) {
        return nullptr;
    }
}
void* operator new[](std::size_t bytes, const std::nothrow_t& nothrow) noexcept {
    return operator new(bytes, nothrow);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return allocate(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    try {
        return operator new(bytes, alignment);
    } catch (...) {
        return nullptr;
    }
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

void fault_arm(long countdown, int internal, int forever) {
    using tenferro::fault::Kind;
    tenferro::fault::arm(countdown, internal != 0 ? Kind::Internal : Kind::OutOfMemory, forever != 0);
    allocations_fail = internal == 0;
}

void fault_pause(int on) {
    static thread_local bool before = false;
    if (on != 0) before = allocations_fail;
    allocations_fail = on == 0 && before;
}

int fault_disarm() {
    allocations_fail = false;
    return tenferro::fault::disarm() ? 1 : 0;
}

size_t live_handles() { return tenferro::capi::handles().live() + tenferro::capi::plan_handles().live(); }

void forget_programs() { tenferro::capi::forget_matrix_programs(); }
