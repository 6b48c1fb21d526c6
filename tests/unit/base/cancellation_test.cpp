// Cancellation tokens: copies are one, questions are asked on one thread.
#include "tenferro/base/cancellation.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "support/expect_error.hpp"

namespace tenferro::test { namespace {

TEST(CancellationToken, NothingCancelsTheEmptyOne) {
    const CancellationToken never;
    never.cancel();
    EXPECT_FALSE(never.cancelled());
    never.check("op");
}

TEST(CancellationToken, CopiesAreOneTokenOnAnyThread) {
    const CancellationToken token = CancellationToken::cancellable(), copy = token;
    EXPECT_FALSE(copy.cancelled());
    std::thread([&] { token.cancel(); }).join();
    EXPECT_TRUE(copy.cancelled());
    EXPECT_ERROR(copy.check("op"), Cancelled, "cancelled by the caller");
}

TEST(CancellationToken, QuestionsAreAskedOnTheThreadThatMadeItUntilTheAnswerIsYes) {
    int asked = 0;
    const CancellationToken token = CancellationToken::asking([&] { return ++asked == 3; });
    std::thread([&] { EXPECT_FALSE(token.cancelled()); }).join();
    EXPECT_EQ(asked, 0);
    EXPECT_FALSE(token.cancelled());
    EXPECT_FALSE(token.cancelled());
    EXPECT_TRUE(token.cancelled());
    std::thread([&] { EXPECT_TRUE(token.cancelled()); }).join();
    EXPECT_TRUE(token.cancelled());
    EXPECT_EQ(asked, 3);
    const CancellationToken throws =
        CancellationToken::asking([]() -> bool { throw std::runtime_error("asked"); });
    EXPECT_THROW(static_cast<void>(throws.cancelled()), std::runtime_error);
}

TEST(CancellationToken, QuestionsWaitForTheirPatienceToPass) {
    constexpr std::chrono::milliseconds kPatience{60}, kTick{20};
    int asked = 0;
    const auto begin = std::chrono::steady_clock::now();
    const CancellationToken token = CancellationToken::asking([&] { return ++asked == 3; }, kPatience);
    while (!token.cancelled()) continue;
    EXPECT_EQ(asked, 3);
    EXPECT_GE(std::chrono::steady_clock::now() - begin, 3 * (kPatience - kTick));
    EXPECT_TRUE(token.is_due());
    const CancellationToken patient =
        CancellationToken::asking([&] { return ++asked > 0; }, std::chrono::milliseconds::max());
    EXPECT_FALSE(patient.is_due());
    EXPECT_FALSE(patient.cancelled());
    EXPECT_EQ(asked, 3);
}

TEST(CancellationScope, IsDueWhereSomebodyIsToBeAskedOrCancelled) {
    const CancellationToken outer = CancellationToken::cancellable(),
                            asking = CancellationToken::asking([] { return false; });
    const CancellationScope first(outer, "first");
    EXPECT_FALSE(first.is_due());
    {
        const CancellationScope second(asking, "second");
        EXPECT_TRUE(second.is_due());
        std::thread([&] {
            const CancellationScope theirs(&second);
            EXPECT_FALSE(theirs.is_due());
        }).join();
    }
    outer.cancel();
    const CancellationScope third(&first);
    EXPECT_TRUE(third.is_due());
}

}}  // namespace tenferro::test
