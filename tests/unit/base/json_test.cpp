// JSON values: what is written reads back, numbers keep their digits, what is no JSON is refused.
#include "tenferro/base/json.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "support/expect_error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { namespace {

std::string written(const Json& json) { return json.dump("test"); }

TEST(Json, IsWrittenInOrder) {
    const std::vector<std::vector<int>> path{{0, 1}, {}};
    const Json json = Json::object()
                          .with("b", true)
                          .with("a", Json())
                          .with("é\n\"", "text")
                          .with("path", Json::list_of(path))
                          .with("names", Json::list_of(std::array{"x", "y"}));
    EXPECT_EQ(written(json), R"({"b":true,"a":null,"é\n\"":"text","path":[[0,1],[]],"names":["x","y"]})");
    EXPECT_EQ(written(Json::parse(written(json), "test")), written(json));
    EXPECT_EQ(json.find("c"), nullptr);
    EXPECT_EQ(Json(3).find("c"), nullptr);
}

TEST(Json, NumbersKeepTheirDigits) {
    const std::pair<Json, std::string_view> cases[] = {
        {7, "7"},
        {-7, "-7"},
        {std::numeric_limits<std::int64_t>::min(), "-9223372036854775808"},
        {std::numeric_limits<std::uint64_t>::max(), "18446744073709551615"},
        {1.0, "1.0"},
        {-0.0, "-0.0"},
        {0.1, "0.1"},
        {1e15, "1000000000000000.0"},
        {1e16, "1e+16"},
        {0.0001, "0.0001"},
        {1e-5, "1e-05"},
        {1.5e300, "1.5e+300"},
        {std::numeric_limits<double>::infinity(), "null"},
        {std::nan(""), "null"}};
    for (const auto& [json, digits] : cases) EXPECT_EQ(written(json), digits);
    for (const char* const number : {"0.10", "1E5", "18446744073709551616", "-9223372036854775809"})
        EXPECT_EQ(written(Json::parse(number, "test")), number);
}

TEST(Json, DoublesReadBackAsTheSame) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE(text("seed ", seed));
    std::mt19937_64 random(seed);
    for (int i = 0; i < 20000; ++i) {
        const std::uint64_t bits = random();
        double value = 0;
        std::memcpy(&value, &bits, sizeof(value));
        if (!std::isfinite(value)) continue;
        const std::string digits = written(Json(value));
        EXPECT_EQ(std::strtod(digits.c_str(), nullptr), value) << digits;
        EXPECT_NE(Json::parse(digits, "test").as<Json::OtherNumber>(), nullptr) << digits;
    }
}

TEST(Json, IndentedIsAsciiByLines) {
    const Json json = Json::object()
                          .with("none", Json::list())
                          .with("\u00e4\t", Json::list_of(std::array{1, 2}))
                          .with("\xf0\x9d\x84\x9e", "a\xff\"z");
    EXPECT_EQ(json.dump("test", Json::Style::Indented), R"({
  "none": [],
  "\u00e4\t": [
    1,
    2
  ],
  "\ud834\udd1e": "a\ufffd\"z"
})");
}

TEST(Json, WhatIsWrongIsRefused) {
    const std::pair<std::string, std::string> cases[] = {
        {"", "file: the text is not JSON at byte "},
        {"[1, 2", "file: the text is not JSON at byte 6"},
        {"\"\xff\"", "file: the text is not JSON at byte 2"},
        {"[1e400]", "file: the number 1e400 is out of range"},
        {std::string(400, '7'), "file: the number " + std::string(60, '7') + "... is out of range"},
        {R"({"a":{"b":1,"c":2,"b":3}})", "file: the key 'b' occurs twice"},
        {std::string(513, '['), "file: the text is nested more than 512 deep"}};
    for (const auto& [json, message] : cases)
        EXPECT_ERROR((void)Json::parse(json, "file"), InvalidArgument, message);
    EXPECT_ERROR((void)Json("\xff").dump("file"), InvalidArgument, "file: the document: a text is not UTF-8");
    Json nested = Json::list();
    nested.add(1);
    nested.add(Json::object().with("a", "b").with("c", Json::object().with("d", "\xff")));
    EXPECT_ERROR((void)nested.dump("file"), InvalidArgument, "file: [1].c.d: a text is not UTF-8");
    EXPECT_ERROR((void)Json::object().with("\xff", 1).dump("file"), InvalidArgument,
                 "file: the document: a key is not UTF-8");
    Json list = Json::list(), object = Json::object();
    EXPECT_ERROR(list.add("key", 1), InvalidArgument, "'key' is added to an object, not to array");
    EXPECT_ERROR(object.add(1), InvalidArgument, "a value is added to an array, not to object");
}

}}  // namespace tenferro
