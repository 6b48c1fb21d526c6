// Windows of lines against their offsets: what a vector takes by its places is what the offsets say, and
// windows end with an element that is wanted.
#include "cpu/kernels/contraction/line_windows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "support/random_layout.hpp"

namespace tenferro::cpu { namespace {

constexpr Index kWordBytes = LineWindows::kWordBytes;

/// The offsets of a line whose axes go along the operand or repeat it.
std::vector<Index> draw_offsets(test::Draw& draw, Index most) {
    std::vector<Index> offsets{0};
    Index run = 1;
    while (static_cast<Index>(offsets.size()) * 2 <= most) {
        const Index extent = draw.integer(2, std::min<Index>(40, most / static_cast<Index>(offsets.size())));
        const Index step = draw.integer(0, 1) * run;
        const std::vector<Index> before = offsets;
        for (Index i = 1; i < extent; ++i)
            for (const Index offset : before) offsets.push_back(offset + i * step);
        if (step != 0) run *= extent;
    }
    return offsets;
}

/// Words that vector v takes, as places in the operand; -1 where it has no such window.
std::vector<Index> taken(const LineWindows& windows, Index v, Index words) {
    std::vector<Index> at;
    for (Index i = 0; i < words; ++i) {
        const Index place = windows.places[v * words + i], in_window = place % words;
        const LineWindows::Windows& window = place < words ? windows.first : windows.second;
        at.push_back(in_window < window.words[v] ? window.from[v] + in_window : -1);
    }
    return at;
}

void expect_windows(const std::vector<Index>& offsets, Index bytes, Index vector_bytes) {
    const auto windows = std::make_unique<LineWindows>();
    const auto size = static_cast<Index>(offsets.size());
    const Index width = bytes / kWordBytes, words = vector_bytes / kWordBytes,
                together = vector_bytes / bytes;
    ASSERT_TRUE(windows->fill(offsets.data(), size, bytes, vector_bytes));
    EXPECT_EQ(windows->size, size);
    EXPECT_EQ(windows->run, (*std::max_element(offsets.begin(), offsets.end()) + 1) * width);
    bool has_second = false;
    for (Index v = 0; v * together < size; ++v) {
        const Index begin = std::min(v * together, size - together);
        std::vector<Index> wanted;
        for (Index i = 0; i < words; ++i)
            wanted.push_back(offsets[static_cast<std::size_t>(begin + i / width)] * width + i % width);
        ASSERT_EQ(taken(*windows, v, words), wanted) << "vector " << v;
        for (const LineWindows::Windows* window : {&windows->first, &windows->second}) {
            ASSERT_GE(window->from[v], 0);
            ASSERT_LE(window->words[v], words);
            const Index last = window->from[v] + window->words[v] - 1;
            const bool is_wanted = std::find(wanted.begin(), wanted.end(), last) != wanted.end();
            ASSERT_TRUE(window->words[v] == 0 || is_wanted) << "window up to " << last;
        }
        has_second = has_second || windows->second.words[v] != 0;
    }
    EXPECT_EQ(windows->has_second, has_second);
}

TEST(LineWindows, HoldWhatOffsetsSay) {
    test::Draw draw(16);
    for (const Index bytes : {4, 8, 16})
        for (const Index vector_bytes : {16, 32, 64})
            for (int i = 0; i < 300; ++i) {
                const std::vector<Index> offsets = draw_offsets(draw, LineWindows::kMostLineBytes / bytes);
                if (static_cast<Index>(offsets.size()) * bytes < vector_bytes) continue;
                ASSERT_NO_FATAL_FAILURE(expect_windows(offsets, bytes, vector_bytes));
            }
}

TEST(LineWindows, AreNotMadeOfStridedElements) {
    std::vector<Index> offsets;
    for (Index i = 0; i < 64; ++i) offsets.push_back(100 * i);
    const auto windows = std::make_unique<LineWindows>();
    EXPECT_FALSE(windows->fill(offsets.data(), 64, 8, 64));
    EXPECT_TRUE(windows->fill(offsets.data(), 64, 8, 16)) << "two elements, two windows";
}

}}  // namespace tenferro::cpu
