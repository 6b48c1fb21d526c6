// Cancellation tokens: copies are one, questions are asked on one thread.
#include "tenferro/base/cancellation.hpp"

#include <gtest/gtest.h>

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

}}  // namespace tenferro::test
