// Ticks, the text grid, and that the SVG is well-formed.
#include "cli/plot.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace tenferro::cli { namespace {

Plot line_plot() {
    return {"a < b & \"c\"",
            "temperature",
            "energy",
            {"exact", {0, 1, 2}, {0, 5, 10}},
            {"points", {0, 2}, {0, 10}}};
}

TEST(Plot, TicksAreRoundAndInside) {
    EXPECT_EQ(ticks({0, 10}, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
    for (const Range range : {Range{-1.99, -0.7}, {1.36, 3.18}, {0, 1e-9}, {-1e6, 1e6}, {5, 5.5}}) {
        const auto values = ticks(range, 6);
        ASSERT_GE(values.size(), 3U);
        ASSERT_LE(values.size(), 14U);
        const double slack = (range.high - range.low) * 1e-6;
        EXPECT_GE(values.front(), range.low - slack);
        EXPECT_LE(values.back(), range.high + slack);
    }
    EXPECT_EQ(tick_text(-0.0), "0");
    EXPECT_EQ(tick_text(0.6000000000000001), "0.6");
}

TEST(Plot, TextPutsMarksAtTheCorners) {
    std::istringstream in(text_plot(line_plot()));
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    const auto bar = [](const std::string& line) { return line.find('|'); };
    std::vector<std::string> grid;
    for (const auto& line : lines)
        if (bar(line) != std::string::npos) grid.push_back(line);
    ASSERT_EQ(grid.size(), 18U);
    EXPECT_EQ(grid.back()[bar(grid.back()) + 1], 'o');
    EXPECT_EQ(grid.front().back(), 'o');
    EXPECT_EQ(grid.front().size() - bar(grid.front()), 65U);
    for (std::size_t i = 1; i + 1 < grid.size(); ++i)
        EXPECT_NE(grid[i].find('.', bar(grid[i])), std::string::npos) << grid[i];
    for (const auto& line : lines) EXPECT_LE(line.size(), 90U) << line;
}

TEST(Plot, OnePointHasARangeOfItsOwn) {
    const Plot plot{"one", "x", "y", {"curve", {}, {}}, {"points", {3}, {-2}}};
    EXPECT_LT(x_range(plot).low, 3);
    EXPECT_GT(x_range(plot).high, 3);
    EXPECT_NE(text_plot(plot).find('o'), std::string::npos);
    EXPECT_NE(svg_plot(plot).find("<circle"), std::string::npos);
}

/// Whether every tag is closed in order, every attribute quoted and no bare & or < is in the text.
void expect_well_formed(const std::string& xml) {
    std::vector<std::string> open;
    for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at + 1)) {
        const std::size_t end = xml.find('>', at);
        ASSERT_NE(end, std::string::npos);
        const std::string tag = xml.substr(at + 1, end - at - 1);
        ASSERT_EQ(tag.find('<'), std::string::npos) << tag;
        ASSERT_EQ(std::count(tag.begin(), tag.end(), '"') % 2, 0) << tag;
        const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
        if (tag[0] == '/') {
            ASSERT_FALSE(open.empty());
            ASSERT_EQ('/' + open.back(), name);
            open.pop_back();
        } else if (tag.back() != '/') {
            open.push_back(name);
        }
    }
    EXPECT_TRUE(open.empty());
    for (std::size_t at = xml.find('&'); at != std::string::npos; at = xml.find('&', at + 1))
        EXPECT_LE(xml.find(';', at), at + 6) << xml.substr(at, 10);
}

TEST(Plot, SvgIsWellFormedAndLabelled) {
    const std::string svg = svg_plot(line_plot());
    EXPECT_TRUE(svg.starts_with("<?xml"));
    expect_well_formed(svg.substr(svg.find("<svg")));
    EXPECT_NE(svg.find("a &lt; b &amp; &quot;c&quot;"), std::string::npos);
    EXPECT_NE(svg.find(">temperature<"), std::string::npos);
    EXPECT_NE(svg.find(">energy<"), std::string::npos);
    std::size_t marks = 0;
    for (std::size_t at = svg.find("<circle"); at != std::string::npos; at = svg.find("<circle", at + 1))
        ++marks;
    EXPECT_EQ(marks, 3U) << "two points and the legend";
}

}}  // namespace tenferro::cli
