// Numbers as people write them: every text is the number it says or none.
#include "cli/quantities.hpp"

#include <gtest/gtest.h>

#include "cli/dtype_names.hpp"

namespace tenferro::cli { namespace {

TEST(Quantities, Seeds) {
    EXPECT_EQ(parse_seed("0"), 0U);
    EXPECT_EQ(parse_seed("18446744073709551615"), 18446744073709551615U);
    for (const char* text : {"-1", "+1", "18446744073709551616", "1e3", "0x10", "1.5", "x", "", " 1", "1 "})
        EXPECT_FALSE(parse_seed(text)) << text;
}

TEST(Quantities, Seconds) {
    EXPECT_EQ(parse_seconds("2"), 2.0);
    EXPECT_EQ(parse_seconds("0.5"), 0.5);
    EXPECT_EQ(parse_seconds("1e-3"), 1e-3);
    for (const char* text : {"nan", "inf", "-1", "0", "-0", "1e400", "2s", "", "x", "0x10"})
        EXPECT_FALSE(parse_seconds(text)) << text;
}

TEST(Quantities, Bytes) {
    EXPECT_EQ(parse_bytes("1500"), 1500);
    EXPECT_EQ(parse_bytes("1e3"), 1000);
    EXPECT_EQ(parse_bytes("1.5kB"), 1500);
    EXPECT_EQ(parse_bytes("0.02KiB"), 20);  // fractions of a byte are dropped
    EXPECT_EQ(parse_bytes("2B"), 2);
    EXPECT_EQ(parse_bytes("3mb"), 3000000);
    EXPECT_EQ(parse_bytes("4GiB"), std::int64_t{4} << 30);
    EXPECT_EQ(parse_bytes("5TB"), 5000000000000);
    EXPECT_EQ(parse_bytes("6TiB"), std::int64_t{6} << 40);
    for (const char* text :
         {"0", "-5", "nan", "inf", "0.5", "4Gib5", "4XB", "4 GB", "1e30", "9223372036854775808", "", "GB"})
        EXPECT_FALSE(parse_bytes(text)) << text;
}

TEST(Quantities, ElementTypesByEitherName) {
    for (std::size_t i = 0; i < kDTypes.size(); ++i) {
        EXPECT_EQ(dtype_named(kDTypes[i].name), kDTypes[i].dtype);
        EXPECT_EQ(dtype_named(kNumPyNames[i]), kDTypes[i].dtype);
    }
    EXPECT_FALSE(dtype_named("float16"));
    EXPECT_FALSE(dtype_named(""));
}

}}  // namespace tenferro::cli
