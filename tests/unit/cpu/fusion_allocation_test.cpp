// A warmed call of a fused program on a few elements allocates nothing. This file replaces operator new of
// the test program by one that counts.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "tenferro/cpu/cpu_backend.hpp"

namespace {

std::atomic<long> allocations{0};

/// Null when there is no memory.
void* allocate(std::size_t bytes, std::align_val_t align = std::align_val_t{1}) noexcept {
    ++allocations;
    const auto alignment = static_cast<std::size_t>(align);
    if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) return std::malloc(bytes);
    return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

/// Not inlined: gcc would take the free for a mistake.
[[gnu::noinline]] void release(void* memory) noexcept { std::free(memory); }

void* checked(void* memory) {
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

}  // namespace

using std::align_val_t, std::nothrow_t, std::size_t;
void* operator new(size_t bytes) { return checked(allocate(bytes)); }
void* operator new[](size_t bytes) { return checked(allocate(bytes)); }
void* operator new(size_t bytes, align_val_t alignment) { return checked(allocate(bytes, alignment)); }
void* operator new[](size_t bytes, align_val_t alignment) { return checked(allocate(bytes, alignment)); }
void* operator new(size_t bytes, const nothrow_t&) noexcept { return allocate(bytes); }
void* operator new[](size_t bytes, const nothrow_t&) noexcept { return allocate(bytes); }
void* operator new(size_t bytes, align_val_t alignment, const nothrow_t&) noexcept {
    return allocate(bytes, alignment);
}
void* operator new[](size_t bytes, align_val_t alignment, const nothrow_t&) noexcept {
    return allocate(bytes, alignment);
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, size_t) noexcept { release(memory); }
void operator delete[](void* memory, size_t) noexcept { release(memory); }
void operator delete(void* memory, align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, align_val_t) noexcept { release(memory); }
void operator delete(void* memory, size_t, align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, size_t, align_val_t) noexcept { release(memory); }

namespace tenferro::cpu { namespace {

/// Allocations of the second of two equal calls: (((x + y) * y) + y) ... in ten steps, y of these strides.
long allocations_of_second_call(const Dims& shape, const Dims& strides, const Dims& y_strides) {
    std::vector<FusionStep> steps;
    for (std::uint16_t i = 0; i < 10; ++i) {
        const std::uint16_t last = i == 0 ? 0 : static_cast<std::uint16_t>(i + 1);
        steps.push_back({i % 2 == 0 ? OpId::Add : OpId::Mul, {last, 1}, DType::F64});
    }
    const ElementwiseFusionPlan plan({DType::F64, DType::F64}, steps, {11});
    const double x[4] = {1, 2, 3, 4}, y[4] = {1, 1, 1, 1};
    double result[4] = {};
    const TensorRead inputs[] = {{DType::F64, x, shape, strides}, {DType::F64, y, shape, y_strides}};
    const TensorWrite outs[] = {{DType::F64, result, shape, strides}};
    long counted = -1;
    CpuBackend::with_threads(1)->with_backend_session([&](BackendSession& session) {
        for (int call = 0; call < 2; ++call) {
            const long before = allocations;
            EXPECT_TRUE(session.execute_elementwise_fusion_into(plan, inputs, outs));
            counted = allocations - before;
        }
    });
    for (int i = 0; i < 4; ++i) EXPECT_EQ(result[i], x[i] + 5);
    return counted;
}

TEST(FusionAllocations, TheTestCountsThem) {
    const long before = allocations;
    const std::vector<double> values(3, 1);
    EXPECT_EQ(allocations - before, 1) << values[0];
}

TEST(FusionAllocations, SmallCallsHaveNone) {
    EXPECT_EQ(allocations_of_second_call({4}, {1}, {1}), 0) << "one layout";
    EXPECT_EQ(allocations_of_second_call({4}, {1}, {0}), 0) << "a repeated scalar";
    EXPECT_EQ(allocations_of_second_call({2, 2}, {1, 2}, {0, 1}), 0) << "a repeated row";
}

}}  // namespace tenferro::cpu
