// Numbers as people write them: every text is the number it says or none.
#include "cli/quantities.hpp"

#include <gtest/gtest.h>

#include "cli/dtype_names.hpp"
#include "cli/progress_bar.hpp"

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

TEST(SearchText, BestSoFarAndTimeLeft) {
    EXPECT_EQ(search_text({.elapsed = 0.2}), "searching, 0 s");
    EXPECT_EQ(search_text({12, 48.3, 0.034, 1.25e9, 3.5e6, 1}),
              "searching, 12 s, 49 s left, best 0.034 s, 1.25e+09 flops, 3.5 MB");
    EXPECT_EQ(search_text({1234, 0, 1.5, 1e12, 1.25e9, 16}),
              "searching, 1234 s, best 1.5 s, 1e+12 flops, 1.25 GB, 16 slices");
    const std::string sliced = search_text({12, 48.3, 0.034, 1.25e9, 3.5e6, 16});
    EXPECT_EQ(sliced, "searching, 12 s, 49 s left, best 0.034 s, 1.25e+09 flops, 3.5 MB, 16 slices");
    const std::string long_one = search_text({3599, 3590, 1.23e5, 1.23e15, 9.999e11, 1.05e6});
    EXPECT_EQ(long_one, "searching, 3599 s, 3590 s left, best 1.23e+05 s, 1.23e+15 flops, 999.9 GB");
    EXPECT_LE(search_text({1e9, 1e9, 1.23e25, 1.23e115, 9.999e211, 1.05e16}).size(), 79U);
}

}}  // namespace tenferro::cli
