// Arithmetic on known extents, evaluation, comparison and copies take no memory. Counts every allocation of
// this program.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "tenferro/tensor_core/sym_dim.hpp"

namespace {
thread_local std::size_t allocations = 0;
}

// Not inlined: compilers take free on a pointer from new for a mistake.
__attribute__((noinline)) void* operator new(std::size_t bytes) {
    ++allocations;
    if (void* p = std::malloc(bytes ? bytes : 1)) return p;
    throw std::bad_alloc();
}
__attribute__((noinline)) void operator delete(void* p) noexcept { std::free(p); }
__attribute__((noinline)) void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace tenferro { namespace {

TEST(SymDimAllocation, OnlyExpressionsAllocateAndOnlyWhenBuilt) {
    std::size_t before = allocations;
    const SymDim a = SymDim::input(0, 0), b = SymDim::input(0, 1);
    const SymDim extent = exact_div(a * b, 2) + min(a, 3) * 4, equal = min(3, a) * 4 + exact_div(b * a, 2);
    EXPECT_GT(allocations, before);

    before = allocations;
    const SymDim x = 6, y = 3;
    const SymDim result = exact_div(min(x, y) * 4 + max(x, y) - y, SymDim(3)) + x;
    const bool differs = result != x && result.hash() != x.hash();
    const Index number = result.evaluate([](DimSymbol) -> Index { return 0; });
    const Index value = extent.evaluate([](DimSymbol symbol) -> Index { return symbol.axis == 0 ? 2 : 5; });
    const SymDim copy = extent;
    const bool same = copy == extent && extent == equal;
    EXPECT_EQ(allocations, before);

    EXPECT_TRUE(differs);
    EXPECT_TRUE(same);
    EXPECT_EQ(number, 11);
    EXPECT_EQ(value, 13);
}

}}  // namespace tenferro
