// Every code point there and back, and what is no UTF-8.
#include "tenferro/base/utf8.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace tenferro::utf8 { namespace {

constexpr char32_t kLast = 0x10FFFF;

bool is_surrogate(char32_t c) { return c >= 0xD800 && c <= 0xDFFF; }

TEST(Utf8, EveryCodePointThereAndBack) {
    std::string text;
    for (char32_t c = 0; c <= kLast; ++c) {
        if (is_surrogate(c)) continue;
        text.assign("x");
        append(text, c);
        const auto point = decode(text, 1);
        ASSERT_TRUE(point && point->value == c && point->bytes == text.size() - 1) << std::uint32_t{c};
        for (std::size_t cut = 1; cut + 1 < text.size(); ++cut)
            ASSERT_FALSE(decode(text.substr(0, text.size() - cut), 1))
                << std::uint32_t{c} << " without " << cut << " bytes";
    }
}

TEST(Utf8, NothingElseIsRead) {
    for (char32_t c = 0xD800; c <= 0xDFFF; ++c) {
        std::string text;
        append(text, c);
        EXPECT_FALSE(decode(text)) << "surrogate " << std::uint32_t{c};
    }
    for (const char* const text : {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf",
                                   "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\xc3x", "\xe2\x82x"})
        EXPECT_FALSE(decode(text)) << text;
}

TEST(Utf8, ControlCharacters) {
    for (char32_t c = 0; c <= 0xFF; ++c)
        EXPECT_EQ(is_control(c), c <= 0x1F || (c >= 0x7F && c <= 0x9F)) << std::uint32_t{c};
}

TEST(Utf8, EscapedBytes) {
    const auto text = [](char c) { return std::string(escaped(c).data(), 4); };
    EXPECT_EQ(text('\0'), "\\x00");
    EXPECT_EQ(text('\x7f'), "\\x7f");
    EXPECT_EQ(text('\xe2'), "\\xe2");
}

}}  // namespace tenferro::utf8
