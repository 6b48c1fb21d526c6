// The last error's buffer from inside: what does not fit is cut between two characters, with a mark.
#include "capi/last_error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tenferro::capi { namespace {

constexpr std::string_view kMark = "\u2026";

TEST(LastError, WhatFitsIsWhole) {
    const std::string text(10000, 'x');
    set_last_error({"f: ", text}, "first frame\nsecond frame\n", 7);
    EXPECT_EQ(last_error(), "f: " + text + "\nfirst frame\nsecond frame");
    EXPECT_EQ(last_error_detail(), 7);
}

TEST(LastError, WhatIsCutBearsAMark) {
    for (const std::string piece : {"x", "\u00E9", "\u20AC", "\U0001F600", "\x01"}) {
        std::string text;
        for (int i = 0; i < 20000; ++i) text += piece;
        set_last_error({text});
        const std::string_view cut = last_error();
        ASSERT_TRUE(cut.ends_with(kMark));
        const std::string_view kept = cut.substr(0, cut.size() - kMark.size());
        EXPECT_GT(kept.size(), 16000u);
        if (piece != "\x01") {
            EXPECT_EQ(kept, text.substr(0, kept.size()));
            EXPECT_EQ(kept.size() % piece.size(), 0u) << "between two characters";
        }
    }
    set_last_error({"short"}, std::string(20000, 'x'));
    EXPECT_TRUE(last_error().starts_with("short\n") && last_error().ends_with(kMark));
}

}}  // namespace tenferro::capi
