// Mutex: who holds it holds it alone, and who waits is woken.
#include "base/mutex.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

namespace tenferro { namespace {

TEST(Mutex, KeepsThreadsApart) {
    Mutex mutex;
    int inside = 0, entries = 0, together = 0;
    constexpr int kThreads = 4, kEach = 20000;
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < kEach; ++i) {
                const std::lock_guard lock(mutex);
                together += ++inside != 1;
                if (i % 64 == 0) std::this_thread::yield();  // the others find it taken
                ++entries;
                --inside;
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(together, 0);
    EXPECT_EQ(entries, kThreads * kEach);
}

TEST(Mutex, WakesAllWhoWait) {
    Mutex mutex;
    mutex.lock();
    EXPECT_FALSE(mutex.try_lock());
    std::atomic<int> served{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t)
        threads.emplace_back([&] {
            const std::lock_guard lock(mutex);
            ++served;
        });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));  // long enough for them to sleep
    EXPECT_EQ(served, 0);
    mutex.unlock();
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(served, 3);
    EXPECT_TRUE(mutex.try_lock());
    mutex.unlock();
}

}}  // namespace tenferro
