// The last error's buffer from inside: one line of UTF-8; what does not fit is cut between two characters,
// with a mark.
#include "capi/last_error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tenferro::capi { namespace {

constexpr std::string_view kMark = "\u2026";

TEST(LastError, IsOneLineOfUtf8) {
    set_last_error({"a\n\tb\x7f", "\xC2\x85", "\xE2\x80\xA8", "é€😀", "\xFF", "\xC3", "\xED\xA0\x80",
                    "\xC0\xAF", "\xF4\x90\x80\x80", "z"});
    EXPECT_EQ(last_error(),
              "a\\x0a\\x09b\\x7f\\xc2\\x85\\xe2\\x80\\xa8é€😀\\xff\\xc3\\xed\\xa0\\x80\\xc0\\xaf\\xf4\\x90\\x8"
              "0\\x80z");
    set_last_error({"message"}, "frame 1\nframe\t2\n");
    EXPECT_EQ(last_error(), "message\nframe 1\nframe\\x092");
}

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
