// Commands that programs of extensions add.
#include <sys/stat.h>

#include "unit/cli/command.hpp"

namespace tenferro::cli { namespace {

/// `tenferro arguments` with a folder of programs on the PATH.
class ExtensionProgram : public ::testing::Test {
protected:
    void add(const std::string& name, mode_t mode = 0755) {
        const std::string path =
            folder_.write(name, "#!/bin/sh\necho \"$0: $# words: $*\" | sed 's|.*/||'\nexit 7\n");
        ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    }
    void SetUp() override {
        path_ = std::getenv("PATH");
        ASSERT_EQ(::setenv("PATH", (folder_.path().string() + ":" + path_).c_str(), 1), 0);
    }
    void TearDown() override { ::setenv("PATH", path_.c_str(), 1); }

    test::TemporaryFolder folder_;
    std::string path_;
};

TEST_F(ExtensionProgram, RunsWithTheWordsThatFollow) {
    add("tenferro-hello");
    const Result result = run("hello --there 'two words'");
    EXPECT_EQ(result.code, 7);
    EXPECT_EQ(result.out, "tenferro-hello: 2 words: --there two words\n");
}

TEST_F(ExtensionProgram, DoesNotReplaceACommand) {
    add("tenferro-info");
    const Result result = run("info");
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.out.find("words"), std::string::npos);
}

TEST_F(ExtensionProgram, IsNoOtherFileAndNoOtherName) {
    add("tenferro-plain", 0644);
    add("tenferro-Hello");
    for (const char* word : {"plain", "absent", "Hello", "../hello", "--hello"}) {
        const Result result = run(word);
        EXPECT_EQ(result.code, 2) << word;
        EXPECT_EQ(result.out, "") << word;
        EXPECT_TRUE(result.err.starts_with("tenferro: error: ")) << result.err;
    }
}

TEST_F(ExtensionProgram, SaysWhyItCannotBeRun) {
    const std::string path = folder_.write("tenferro-broken", "#!/nowhere/interpreter\n");
    ASSERT_EQ(::chmod(path.c_str(), 0755), 0);
    const Result result = run("broken");
    EXPECT_EQ(result.code, 1);
    EXPECT_EQ(result.err, "tenferro: error: " + path + ": cannot be run: No such file or directory\n");
}

}}  // namespace tenferro::cli
