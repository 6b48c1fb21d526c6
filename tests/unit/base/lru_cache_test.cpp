// The one cache: what it keeps, and that its count of bytes is that of its entries whatever fails. This file
// replaces operator new of its program, so that every allocation of a call can fail.
#include "base/lru_cache.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace {
thread_local long allocations_left = -1;  // negative: no limit
}

__attribute__((noinline)) void* operator new(std::size_t bytes) {
    if (allocations_left == 0) throw std::bad_alloc();
    if (allocations_left > 0) --allocations_left;
    if (void* const memory = std::malloc(bytes)) return memory;
    throw std::bad_alloc();
}
__attribute__((noinline)) void operator delete(void* memory) noexcept { std::free(memory); }
__attribute__((noinline)) void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace tenferro { namespace {

struct Key {
    std::string name;
    std::uint64_t number;
    [[nodiscard]] std::uint64_t hash() const noexcept { return number % 4; }  // so that hashes collide
    friend bool operator==(const Key&, const Key&) = default;
};

Key key(std::uint64_t number) { return {"a name that is longer than a string keeps inside", number}; }

using Cache = LruCache<Key, int>;
constexpr std::size_t kBytes = 10;

std::shared_ptr<const int> get(Cache& cache, std::uint64_t number) {
    return cache.get(
        key(number),
        [](const Key& made) { return std::make_shared<const int>(static_cast<int>(made.number)); },
        [](int) { return kBytes; });
}

TEST(LruCache, KeepsTheLastUsed) {
    Cache cache({3, 1000});
    for (std::uint64_t i = 0; i < 3; ++i) EXPECT_EQ(*get(cache, i), static_cast<int>(i));
    const auto first = get(cache, 0);
    EXPECT_EQ(*get(cache, 3), 3);  // 1 goes
    EXPECT_EQ(get(cache, 0), first);
    EXPECT_EQ(cache.find(key(1)), nullptr);
    EXPECT_NE(cache.find(key(2)), nullptr);
    const CacheStats stats = cache.stats();
    EXPECT_EQ(stats.entries, 3u);
    EXPECT_EQ(stats.bytes, 3 * kBytes);
    EXPECT_EQ(stats.evictions, 1u);
    EXPECT_EQ(stats.hits, 3u);
    EXPECT_EQ(stats.misses, 5u);
}

TEST(LruCache, ObeysItsBytes) {
    Cache cache({100, 2 * kBytes + 1});
    for (std::uint64_t i = 0; i < 5; ++i) get(cache, i);
    EXPECT_EQ(cache.stats().entries, 2u);
    EXPECT_EQ(cache.stats().bytes, 2 * kBytes);
    EXPECT_EQ(*cache.insert(key(9), std::make_shared<const int>(9), 2 * kBytes + 2), 9);
    EXPECT_EQ(cache.stats().entries, 2u) << "what does not fit takes nothing's place";
}

TEST(LruCache, WhatIsMadeTwiceIsKeptOnce) {
    Cache cache({100, 1000});
    const auto one = std::make_shared<const int>(1), two = std::make_shared<const int>(1);
    EXPECT_EQ(cache.insert(key(1), one, kBytes), one);
    EXPECT_EQ(cache.insert(key(1), two, kBytes), one);
    EXPECT_EQ(cache.stats().entries, 1u);
    EXPECT_EQ(cache.stats().bytes, kBytes);
}

TEST(LruCache, EveryAllocationMayFail) {
    Cache cache({4, 1000});
    int failures = 0;
    for (std::uint64_t i = 0; i < 40; ++i)
        for (long allowed = 0;; ++allowed) {
            bool made = true;
            allocations_left = allowed;
            try {
                get(cache, i);
            } catch (const std::bad_alloc&) {
                made = false;
            }
            allocations_left = -1;
            failures += !made;
            ASSERT_EQ(cache.stats().bytes, cache.stats().entries * kBytes) << i << " after " << allowed;
            ASSERT_LE(cache.stats().entries, 4u);
            if (made) break;
        }
    EXPECT_GT(failures, 40 * 3);
    for (std::uint64_t i = 36; i < 40; ++i) EXPECT_EQ(*cache.find(key(i)), static_cast<int>(i));
    EXPECT_EQ(cache.stats().evictions, 36u);
}

TEST(LruCache, IsSharedByThreads) {
    Cache cache({8, 1000});
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (std::uint64_t i = 0; i < 2000; ++i)
                ASSERT_EQ(*get(cache, (i * 7 + static_cast<std::uint64_t>(t)) % 13),
                          static_cast<int>((i * 7 + static_cast<std::uint64_t>(t)) % 13));
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(cache.stats().entries, 8u);
    EXPECT_EQ(cache.stats().bytes, 8 * kBytes);
}

}}  // namespace tenferro
