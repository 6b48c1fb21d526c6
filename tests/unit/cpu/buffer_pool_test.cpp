// The buffer pool's limit and statistics, through the backend that owns it, alone and under threads.
#include <gtest/gtest.h>

#include <thread>

#include "cpu/buffer_pool.hpp"
#include "tenferro/cpu/cpu_backend.hpp"

namespace tenferro { namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

Tensor mebibytes(CpuBackend& backend, Index count) {
    return backend.empty(DType::F64, Dims{count * static_cast<Index>(kMiB / sizeof(double))});
}

TEST(PoolStats, FollowTensors) {
    const auto backend = CpuBackend::with_threads(1);
    PoolStats stats = backend->pool_stats();
    EXPECT_EQ(stats.bytes_in_use + stats.bytes_cached + stats.peak_bytes + stats.hits + stats.misses, 0u);
    EXPECT_EQ(stats.limit, 4096 * kMiB);
    std::size_t one = 0;
    {
        const Tensor a = mebibytes(*backend, 1);
        one = backend->pool_stats().bytes_in_use;
        EXPECT_GE(one, kMiB);
        EXPECT_LE(one, kMiB + kMiB / 4);
        const Tensor b = mebibytes(*backend, 1);
        stats = backend->pool_stats();
        EXPECT_EQ(stats.bytes_in_use, 2 * one);
        EXPECT_EQ(stats.misses, 2u);
        EXPECT_EQ(stats.hits, 0u);
    }
    stats = backend->pool_stats();
    EXPECT_EQ(stats.bytes_in_use, 0u);
    EXPECT_EQ(stats.bytes_cached, 2 * one);
    EXPECT_EQ(stats.peak_bytes, 2 * one);
    const Tensor c = mebibytes(*backend, 1);
    stats = backend->pool_stats();
    EXPECT_EQ(stats.hits, 1u);
    EXPECT_EQ(stats.misses, 2u);
    EXPECT_EQ(stats.bytes_cached, one);
    backend->trim_pool();
    stats = backend->pool_stats();
    EXPECT_EQ(stats.bytes_cached, 0u);
    EXPECT_EQ(stats.bytes_in_use, one);
    EXPECT_EQ(stats.peak_bytes, 2 * one);
}

TEST(PoolStats, TheLimitIsObeyed) {
    const auto backend = CpuBackend::with_threads(1);
    const auto free_some = [&] {
        std::vector<Tensor> tensors;
        for (Index count = 1; count <= 8; ++count) tensors.push_back(mebibytes(*backend, count));
    };
    free_some();
    EXPECT_GT(backend->pool_stats().bytes_cached, 30 * kMiB);
    for (const std::size_t limit : {20 * kMiB, 3 * kMiB, std::size_t{0}, 10 * kMiB}) {
        backend->set_pool_limit(limit);
        EXPECT_EQ(backend->pool_stats().limit, limit);
        EXPECT_LE(backend->pool_stats().bytes_cached, limit);
        free_some();
        EXPECT_LE(backend->pool_stats().bytes_cached, limit);
    }
    EXPECT_GT(backend->pool_stats().bytes_cached, 0u);
}

TEST(PoolStats, ALittleTooLargeIsReused) {
    cpu::BufferPool pool;
    { const Buffer six = pool.acquire(6 * kMiB), three = pool.acquire(3 * kMiB); }
    {
        const Buffer five = pool.acquire(5 * kMiB);
        EXPECT_EQ(pool.stats().hits, 1u);
        EXPECT_EQ(pool.stats().bytes_in_use, 6 * kMiB);
        EXPECT_EQ(pool.stats().bytes_cached, 3 * kMiB);
        const Buffer three = pool.acquire(3 * kMiB), other = pool.acquire(kMiB + kMiB / 2);
        EXPECT_EQ(pool.stats().hits, 2u) << "three MiB are twice what the last needs";
    }
    EXPECT_EQ(pool.stats().bytes_in_use, 0u);
    EXPECT_EQ(pool.stats().bytes_cached, 10 * kMiB + kMiB / 2);
    { const Buffer exact = pool.acquire(3 * kMiB); }
    EXPECT_EQ(pool.stats().bytes_cached, 10 * kMiB + kMiB / 2);
    pool.trim();
    EXPECT_EQ(pool.stats().bytes_cached, 0u);
}

TEST(PoolStats, AddUpUnderThreads) {
    cpu::BufferPool pool;
    pool.set_limit(kMiB);
    constexpr int kThreads = 4, kRounds = 3000;
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
        threads.emplace_back([&pool, t] {
            for (int round = 0; round < kRounds; ++round) {
                const Buffer a = pool.acquire(static_cast<std::size_t>(1000 * (t + 1))),
                             b = pool.acquire(500000);
                a.data()[0] = b.data()[499999] = std::byte{1};
                if (round % 100 == 0) pool.trim();
                EXPECT_LE(pool.stats().bytes_cached, kMiB);
            }
        });
    for (std::thread& thread : threads) thread.join();
    const PoolStats stats = pool.stats();
    EXPECT_EQ(stats.bytes_in_use, 0u);
    EXPECT_EQ(stats.hits + stats.misses, static_cast<std::uint64_t>(2 * kThreads * kRounds));
    EXPECT_GE(stats.peak_bytes, stats.bytes_cached);
    pool.trim();
    EXPECT_EQ(pool.stats().bytes_cached, 0u);
}

TEST(PoolStats, AFailedAllocationCountsNothing) {
    cpu::BufferPool pool;
    EXPECT_THROW((void)pool.acquire(std::size_t{1} << 62), std::bad_alloc);
    EXPECT_EQ(pool.stats().misses, 0u);
    EXPECT_EQ(pool.stats().bytes_in_use, 0u);
}

}}  // namespace tenferro
