// Text files have a size that is read at most.
#include "cli/input_file.hpp"

#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "unit/cli/temporary_folder.hpp"

namespace tenferro::cli { namespace {

TEST(InputFile, TextBeyondTheLimitIsRefused) {
    const test::TemporaryFolder folder;
    const auto file = folder.write("a", "12345");
    EXPECT_EQ(read_text_file(file, 5), "12345");
    EXPECT_ERROR((void)read_text_file(file, 4), InvalidArgument, "has more than 4 bytes");
}

}}  // namespace tenferro::cli
