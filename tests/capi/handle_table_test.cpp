// The handle table against a model: random publishes, pins and releases, its limits, and threads that share
// it.
#include "capi/handle_table.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tenferro/base/error.hpp"

namespace tenferro::capi { namespace {

Tensor scalar(double value) { return Tensor::from_data<double>(std::span<const double>(&value, 1), {}); }

/// A table that ends with its test.
struct OwnedTable : HandleTable {
    using HandleTable::HandleTable;
    ~OwnedTable() { free_slots(); }
};

double value_of(const HandleTable::Pin& pin) { return pin ? *pin->data_as<double>() : -1; }

TEST(HandleTable, FollowsAModel) {
    auto table = std::make_unique<OwnedTable>();
    std::map<Token, double> alive;
    std::set<Token> issued;
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (int step = 0; step < 20000; ++step) {
        if (alive.empty() || random() % 5 < 3) {
            const Token token = table->publish(scalar(step));
            ASSERT_NE(token, 0u);
            ASSERT_TRUE(issued.insert(token).second) << "token issued twice";
            alive[token] = step;
        } else {
            const auto any = std::next(
                issued.begin(), static_cast<long>(random() % std::min<std::size_t>(issued.size(), 50)));
            const auto found = alive.find(*any);
            const bool is_alive = found != alive.end();
            ASSERT_EQ(static_cast<bool>(table->pin(*any)), is_alive);
            if (is_alive) {
                ASSERT_EQ(value_of(table->pin(*any)), found->second);
                alive.erase(found);
            }
            ASSERT_EQ(table->release(*any), is_alive);
        }
    }
    EXPECT_EQ(table->live(), alive.size());
    for (const auto& [token, value] : alive) {
        EXPECT_EQ(value_of(table->pin(token)), value);
        EXPECT_TRUE(table->release(token));
        EXPECT_FALSE(table->release(token));
    }
    EXPECT_EQ(table->live(), 0u);
}

// Slots of several chunks at once, so that every chunk boundary is crossed.
TEST(HandleTable, HoldsManyTensors) {
    auto table = std::make_unique<OwnedTable>();
    std::vector<Token> tokens;
    for (int i = 0; i < 5000; ++i) tokens.push_back(table->publish(scalar(i)));
    EXPECT_EQ(table->live(), tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i)
        ASSERT_EQ(value_of(table->pin(tokens[i])), static_cast<double>(i));
    for (const Token token : tokens) ASSERT_TRUE(table->release(token));
    EXPECT_EQ(table->live(), 0u);
}

TEST(HandleTable, OnePinEndsTheLifeAndOthersKeepTheTensor) {
    auto table = std::make_unique<OwnedTable>();
    const Token token = table->publish(scalar(7));
    const HandleTable::Pin reader = table->pin(token);
    HandleTable::Pin first = table->pin(token), second = table->pin(token);
    EXPECT_TRUE(table->end_life(std::move(first).detach()));
    EXPECT_FALSE(table->end_life(std::move(second).detach()));
    EXPECT_FALSE(table->pin(token));
    EXPECT_EQ(table->live(), 0u);
    EXPECT_EQ(value_of(reader), 7.0);
    EXPECT_NE(table->publish(scalar(8)) & HandleTable::kMaxSlots, token & HandleTable::kMaxSlots)
        << "the slot was given away below a pin";
}

TEST(HandleTable, PinKeepsReleasedTensorAlive) {
    auto table = std::make_unique<OwnedTable>();
    const Token token = table->publish(scalar(5));
    {
        const HandleTable::Pin pin = table->pin(token);
        EXPECT_TRUE(table->release(token));
        EXPECT_FALSE(table->pin(token));
        EXPECT_EQ(value_of(pin), 5);
        const Token other = table->publish(scalar(6));  // must not take the pinned slot
        EXPECT_EQ(value_of(pin), 5);
        EXPECT_TRUE(table->release(other));
    }
    EXPECT_EQ(table->live(), 0u);
}

TEST(HandleTable, ReportsExhaustedSlotsAndRecovers) {
    auto table = std::make_unique<OwnedTable>(3u);
    std::vector<Token> tokens;
    for (int i = 0; i < 3; ++i) tokens.push_back(table->publish(scalar(i)));
    Tensor extra = scalar(9);
    try {
        static_cast<void>(table->publish(std::move(extra)));
        FAIL() << "a fourth handle was given out";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::OutOfMemory);
        EXPECT_STREQ(error.what(), "tensor handles: all 3 handles are in use");
    }
    EXPECT_EQ(*extra.data_as<double>(), 9);  // untouched by the failure
    EXPECT_TRUE(table->release(tokens[1]));
    EXPECT_EQ(value_of(table->pin(table->publish(std::move(extra)))), 9);
    EXPECT_EQ(table->live(), 3u);
}

TEST(HandleTable, RetiresSlotsInsteadOfRepeatingTokens) {
    auto table = std::make_unique<OwnedTable>(2u, 5u);
    std::set<Token> issued;
    for (int i = 0; i < 10; ++i) {
        const Token token = table->publish(scalar(i));
        EXPECT_TRUE(issued.insert(token).second);
        EXPECT_TRUE(table->release(token));
    }
    EXPECT_THROW(static_cast<void>(table->publish(scalar(0))), Error);
    for (const Token token : issued) EXPECT_FALSE(table->pin(token));
}

// Threads publish into a common pool of tokens and release from it; each token must be released by exactly
// one of them.
TEST(HandleTable, ThreadsShareIt) {
    auto table = std::make_unique<OwnedTable>();
    constexpr int kThreads = 4, kRounds = 4000;
    std::array<std::atomic<Token>, 16> pool{};
    std::atomic<long> published{0}, released{0}, torn{0};
    const auto body = [&](unsigned seed) {
        std::mt19937 random(seed);
        for (int i = 0; i < kRounds; ++i) {
            std::atomic<Token>& cell = pool[random() % pool.size()];
            if (random() % 2 == 0) {
                const Token fresh = table->publish(scalar(42));
                ++published;
                if (table->release(cell.exchange(fresh))) ++released;
            } else {
                const Token token = cell.load();
                if (const HandleTable::Pin pin = table->pin(token); pin && value_of(pin) != 42) ++torn;
                if (random() % 2 == 0 && table->release(token)) ++released;
            }
        }
    };
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < kThreads; ++t) threads.emplace_back(body, t);
    for (std::thread& thread : threads) thread.join();
    for (auto& cell : pool)
        if (table->release(cell.load())) ++released;
    EXPECT_EQ(published.load(), released.load());
    EXPECT_EQ(torn.load(), 0);
    EXPECT_EQ(table->live(), 0u);
}

}}  // namespace tenferro::capi
