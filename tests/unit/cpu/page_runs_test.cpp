// Runs of huge pages: never two owners, contents kept while in use, and nothing lost or counted twice.
#include "cpu/page_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <new>

#include "cpu/buffer_pool.hpp"
#include "support/random_layout.hpp"

namespace tenferro::cpu { namespace {

struct Owned {
    std::byte* begin;
    std::size_t bytes;
    std::byte mark;

    void fill() const {
        for (std::size_t at = 0; at < bytes; at += 4096) begin[at] = mark;
        begin[bytes - 1] = mark;
    }
    [[nodiscard]] bool intact() const {
        bool all = begin[bytes - 1] == mark;
        for (std::size_t at = 0; at < bytes; at += 4096) all = all && begin[at] == mark;
        return all;
    }
};

TEST(PageRuns, KeepWhatIsInUse) {
    test::Draw draw(7);
    PageRuns pages;
    std::vector<Owned> in_use;
    std::size_t used = 0, most = 0;
    for (int round = 0; round < 400; ++round) {
        if (in_use.empty() || draw.integer(0, 9) < 5) {
            const std::size_t bytes = static_cast<std::size_t>(draw.integer(1, 9)) * kHugePage;
            in_use.push_back({pages.take(bytes), bytes, static_cast<std::byte>(round)});
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(in_use.back().begin) % kHugePage, 0u);
            in_use.back().fill();
            used += bytes;
        } else {
            const auto index =
                static_cast<std::size_t>(draw.integer(0, static_cast<Index>(in_use.size()) - 1));
            Owned& owned = in_use[index];
            ASSERT_TRUE(owned.intact()) << "round " << round;
            if (owned.bytes > kHugePage && draw.integer(0, 1) == 0) {
                const std::size_t rest = owned.bytes - kHugePage;
                if (pages.give_rest(owned.begin + kHugePage, rest)) {
                    owned.bytes = kHugePage;
                    owned.fill();
                    used -= rest;
                }
            } else {
                pages.give(owned.begin, owned.bytes);
                used -= owned.bytes;
                in_use.erase(in_use.begin() + static_cast<std::ptrdiff_t>(index));
            }
        }
        most = std::max(most, used);
        // Free pages serve any size, so that no more than was once in use is ever taken from the system.
        EXPECT_EQ(used + pages.free_bytes(), most);
        for (const Owned& owned : in_use) ASSERT_TRUE(owned.intact()) << "round " << round;
    }
    for (const Owned& owned : in_use) pages.give(owned.begin, owned.bytes);
    EXPECT_EQ(pages.free_bytes(), most);
    pages.release(3 * kHugePage);
    EXPECT_EQ(pages.free_bytes(), 3 * kHugePage);
    pages.release(0);
    EXPECT_EQ(pages.free_bytes(), 0u);
}

TEST(PageRuns, AnImpossibleSizeChangesNothing) {
    PageRuns pages;
    std::byte* const run = pages.take(2 * kHugePage);
    pages.give(run, 2 * kHugePage);
    EXPECT_THROW((void)pages.take(std::size_t{1} << 50), std::bad_alloc);
    EXPECT_EQ(pages.free_bytes(), 2 * kHugePage);
}

TEST(LargeBlocks, OfAnySizeComeFromFreePages) {
    constexpr std::size_t kMebibyte = std::size_t{1} << 20;
    BufferPool pool;
    {
        const Buffer a = pool.acquire(20 * kMebibyte), b = pool.acquire(30 * kMebibyte),
                     c = pool.acquire(40 * kMebibyte);
    }
    EXPECT_EQ(pool.stats().bytes_cached, 90 * kMebibyte);
    EXPECT_EQ(pool.stats().misses, 3u);
    { const Buffer all = pool.acquire(89 * kMebibyte); }
    EXPECT_EQ(pool.stats().hits, 1u);
    EXPECT_EQ(pool.stats().peak_bytes, 90 * kMebibyte);
    const Buffer kept = pool.acquire(80 * kMebibyte);
    kept.data()[17 * kMebibyte - 1] = std::byte{42};
    kept.shrink(17 * kMebibyte);
    EXPECT_EQ(kept.bytes(), 17 * kMebibyte);
    EXPECT_EQ(pool.stats().bytes_in_use, 18 * kMebibyte);
    EXPECT_EQ(pool.stats().bytes_cached, 72 * kMebibyte);
    EXPECT_EQ(kept.data()[17 * kMebibyte - 1], std::byte{42});
    pool.trim();
    EXPECT_EQ(pool.stats().bytes_cached, 0u);
    pool.set_limit(0);
    { const Buffer gone = pool.acquire(50 * kMebibyte); }
    EXPECT_EQ(pool.stats().bytes_cached, 0u);
    EXPECT_EQ(pool.stats().bytes_in_use, 18 * kMebibyte);
}

TEST(LargeBlocks, MayOutliveTheirPool) {
    Buffer last;
    {
        BufferPool pool;
        last = pool.acquire(std::size_t{64} << 20);
    }
    last.data()[(std::size_t{64} << 20) - 1] = std::byte{1};
    EXPECT_EQ(last.bytes(), std::size_t{64} << 20);
}

}}  // namespace tenferro::cpu
