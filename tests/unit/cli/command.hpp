// Running the program in tests: what it printed, how it ended, and a folder with small files to work on.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "tenferro/tensor/npy.hpp"
#include "unit/cli/temporary_folder.hpp"

namespace tenferro::cli {

/// How a run of the program ended.
struct Result {
    int code;
    std::string out, err;
};

/// Runs `tenferro arguments` in a shell, after `before`.
inline Result run(const std::string& arguments, const std::string& before = "") {
    const test::TemporaryFolder folder;
    const std::string err_file = (folder.path() / "err").string();
    std::FILE* pipe =
        ::popen((before + TENFERRO_CLI_PROGRAM + " " + arguments + " 2>" + err_file).c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("popen failed");
    Result result;
    for (int c; (c = std::fgetc(pipe)) != EOF;) result.out += static_cast<char>(c);
    const int status = ::pclose(pipe);
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    std::ifstream err(err_file);
    result.err.assign(std::istreambuf_iterator<char>(err), {});
    return result;
}

/// One line that contains `part`, and the exit code.
inline void expect_failure(const std::string& arguments, int code, const std::string& part,
                           const std::string& before = "") {
    const Result result = run(arguments, before);
    EXPECT_EQ(result.code, code) << arguments << "\n" << result.err;
    EXPECT_TRUE(result.err.starts_with("tenferro: error: ")) << arguments << "\n" << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_NE(result.err.find(part), std::string::npos) << arguments << "\n" << result.err;
    EXPECT_EQ(result.out, "") << arguments;
}

/// The JSON that a successful run prints.
inline nlohmann::json run_json(const std::string& arguments) {
    const Result result = run(arguments + " --json");
    EXPECT_EQ(result.code, 0) << arguments << "\n" << result.err;
    EXPECT_EQ(result.err, "") << arguments;
    return nlohmann::json::parse(result.out, nullptr, false);
}

/// A folder with A = [[1, 2], [3, 4]] and B = [[5, 6], [7, 8]] and other files.
class Command : public ::testing::Test {
protected:
    Command() {
        save("a.npy", {1, 3, 2, 4}, {2, 2});
        save("b.npy", {5, 7, 6, 8}, {2, 2});
        save("v.npy", {1, 2, 3}, {3});
        save_npy(folder_.path() / "f32.npy", Tensor::zeros(DType::F32, Dims{2, 2}));
        folder_.write(
            "chain.json",
            R"({"name": "chain", "format_string": "ij,jk,kl->il", "shapes": [[2, 3], [3, 4], [4, 5]],
            "format_string_colmajor": "ji,kj,lk->li", "shapes_colmajor": [[3, 2], [4, 3], [5, 4]],
            "paths": {"opt_flops": {"path": [[0, 1], [0, 1]]}}})");
        folder_.write("bad.npy", "\x93NUMPY\x01");
        folder_.write("bad.json", "{\"format_string\": 3}");
    }
    void save(const std::string& name, std::vector<double> values, Dims shape) const {
        save_npy(folder_.path() / name, Tensor::from_data<double>(values, shape));
    }
    [[nodiscard]] std::string file(const std::string& name) const { return (folder_.path() / name).string(); }

    test::TemporaryFolder folder_;
};

}  // namespace tenferro::cli
