// The program as a user meets it: exit codes, one-line errors, and the numbers of every command.
#include "unit/cli/command.hpp"

#include <cmath>
#include <limits>

namespace tenferro::cli { namespace {

TEST_F(Command, HelpAndVersionSucceed) {
    EXPECT_EQ(run("--help").code, 0);
    EXPECT_EQ(run("--version").out.rfind("tenferro ", 0), 0U);
    const std::string help = run("--help").out;
    for (const char* name : {"einsum", "contract", "plan", "info", "demo"}) {
        EXPECT_NE(help.find(name), std::string::npos) << name;
        EXPECT_EQ(run(std::string(name) + " --help").code, 0) << name;
    }
}

TEST_F(Command, WrongUsageIsExitCode2) {
    expect_failure("", 2, "a command is required");
    expect_failure("frobnicate", 2, "frobnicate");
    expect_failure("einsum", 2, "required");
    expect_failure("info --frob", 2, "--frob");
    expect_failure("demo --size 1", 2, "--size");
    expect_failure("demo --size 11", 2, "--size");
    expect_failure("demo --temperatures 0", 2, "--temperatures");
    expect_failure("contract x.json --dtype f16", 2, "--dtype");
    expect_failure("contract x.json --threads 0", 2, "--threads");
    expect_failure("contract x.json --tensors a.npy --seed 3", 2, "excludes");
    expect_failure("plan 'ij,jk->ik'", 2, "--shapes");
    const std::string empty = "-o,--output: is '' but must be ";
    expect_failure("einsum ij " + file("a.npy") + " -o ''", 2, empty + "a file name");
    expect_failure("contract " + file("chain.json") + " --output ''", 2, empty + "a file name");
    expect_failure("grad ij " + file("a.npy") + " -o ''", 2, empty + "the beginning of file names");
    expect_failure("grad ij " + file("a.npy") + " --cotangent ''", 2, "--cotangent: is ''");
    expect_failure("svd " + file("a.npy") + " --left 0 -o ''", 2, empty + "the beginning of file names");
    expect_failure("demo --svg ''", 2, "--svg: is '' but must be a file name");
    expect_failure("trg --svg ''", 2, "--svg: is ''");
}

TEST_F(Command, FailuresAreExitCode1) {
    expect_failure("einsum 'ij,jk->ik' " + file("a.npy") + " " + file("none.npy"), 1,
                   "none.npy: no such file");
    expect_failure("einsum 'ij->ij' " + file("bad.npy"), 1, "bad.npy: is truncated");
    expect_failure("einsum 'ij,jk->ik' " + file("a.npy") + " " + file("f32.npy"), 1, "has dtype f64 but");
    expect_failure("einsum 'ij,jk->iz' " + file("a.npy") + " " + file("b.npy"), 1, "z");
    expect_failure("einsum 'ij,j->i' " + file("a.npy") + " " + file("v.npy"), 1, "extent");
    expect_failure("contract " + file("bad.json"), 1, "bad.json: format_string: expected a string");
    expect_failure("contract " + file("none.json"), 1, "none.json: no such file");
    expect_failure("contract " + file("chain.json") + " --strategy opt_size", 1, "no path 'opt_size'");
    expect_failure("contract " + file("chain.json") + " --tensors " + file("a.npy"), 1, "3");
    expect_failure("plan 'ij,jk->ik' --shapes 2x3", 1, "operand");
    expect_failure("plan 'ij,jk->ik' --shapes 2x3,4x5", 1, "extent");
}

TEST_F(Command, AFailedOutputLeavesNothing) {
    const std::string arguments = "einsum 'ij,jk->ik' " + file("a.npy") + " " + file("b.npy") + " -o ";
    expect_failure(arguments + file("none/c.npy"), 1, "cannot be written");
    if (std::filesystem::is_character_file("/dev/full"))
        expect_failure(arguments + "/dev/full", 1, "/dev/full");
    save("long.npy", std::vector<double>(1000, 1), {1000});
    expect_failure("einsum 'i->i' " + file("long.npy") + " -o " + file("c.npy"), 1, "File too large",
                   "ulimit -f 1; ");
    EXPECT_EQ(folder_.file_names().size(), 8U);
}

TEST_F(Command, EinsumMultipliesMatrices) {
    const std::string arguments = "einsum 'ij,jk->ik' " + file("a.npy") + " " + file("b.npy");
    EXPECT_EQ(run(arguments).out, "shape 2 x 2, dtype f64\n[[19, 22],\n [43, 50]]\n");
    const auto report = run_json(arguments);
    EXPECT_EQ(report["values"], nlohmann::json::parse("[[19.0, 22.0], [43.0, 50.0]]"));
    EXPECT_EQ(run(arguments + " -o " + file("c.npy")).code, 0);
    const Tensor c = load_npy(file("c.npy"));
    EXPECT_EQ(std::vector<double>(c.data_as<double>(), c.data_as<double>() + 4),
              (std::vector<double>{19, 43, 22, 50}));
}

TEST_F(Command, EinsumSpeaksNumPysDialect) {
    EXPECT_EQ(run_json("einsum 'ij,jk' " + file("a.npy") + " " + file("b.npy"))["values"][1][0], 43);
    EXPECT_EQ(run_json("einsum ii " + file("a.npy"))["values"], 5);
    EXPECT_EQ(run_json("einsum '[0,1]->[1,0]' " + file("a.npy"))["values"][0][1], 3);
    EXPECT_EQ(run_json("einsum '...i->...' " + file("a.npy"))["values"], nlohmann::json::parse("[3.0, 7.0]"));
}

TEST_F(Command, ContractGivesTheSameNumbersInBothOrders) {
    const auto column = run_json("contract " + file("chain.json") + " --seed 5");
    const auto row = run_json("contract " + file("chain.json") +
                              " --seed 5 --order rowmajor --strategy own --kind builtin --threads 1");
    EXPECT_EQ(column["flops"], 2 * 2 * 3 * 4 + 2 * 2 * 4 * 5);
    EXPECT_EQ(column["largest_intermediate_elements"], 10);
    EXPECT_EQ(column["path_source"], "opt_flops of the file");
    EXPECT_EQ(column["path"], nlohmann::json::parse("[[0, 1], [0, 1]]"));
    EXPECT_EQ(row["path_source"], "own search");
    EXPECT_EQ(column["shape"], (std::vector<int>{5, 2}));
    EXPECT_EQ(row["shape"], (std::vector<int>{2, 5}));
    // At most 12 products per element and 10 elements in the sum.
    const double size = column["absolute_sum"].get<double>(),
                 tolerance = 120 * std::numeric_limits<double>::epsilon() * size;
    EXPECT_GT(size, 0);
    EXPECT_NEAR(column["sum"].get<double>(), row["sum"].get<double>(), tolerance);
    EXPECT_NEAR(size, row["absolute_sum"].get<double>(), tolerance);
    EXPECT_NE(run_json("contract " + file("chain.json") + " --seed 6")["sum"], column["sum"]);
}

TEST_F(Command, ContractTakesTensorsAndWritesTheResult) {
    folder_.write("pair.json", R"({"format_string": "ij,jk->ik", "shapes": [[2, 2], [2, 2]]})");
    const std::string arguments =
        "contract " + file("pair.json") + " --tensors " + file("a.npy") + " " + file("b.npy");
    EXPECT_EQ(run_json(arguments + " -o " + file("c.npy"))["sum"], 19 + 22 + 43 + 50);
    EXPECT_EQ(load_npy(file("c.npy")).data_as<double>()[1], 43);
    EXPECT_NE(run(arguments).out.find("sum                   134\n"), std::string::npos)
        << run(arguments).out;
}

TEST_F(Command, PlanShowsTheTree) {
    const Result result = run("plan 'ij,jk->ik' --shapes 2x3,3x4");
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_NE(result.out.find("2: ik  8 elements, 48 flops\n├─ operand"), std::string::npos) << result.out;
    const auto report = run_json("plan " + file("chain.json"));
    EXPECT_EQ(report["path"], nlohmann::json::parse("[[0, 1], [0, 1]]"));
    EXPECT_EQ(report["flops"], 128);
    EXPECT_EQ(report["bytes"], 8 * (6 + 12 + 8 + 8 + 20 + 10));
    EXPECT_EQ(report["peak_bytes"], 8 * (8 + 10));
    EXPECT_EQ(report["slices"], 1);
    EXPECT_GT(report["predicted_seconds"].get<double>(), 0);
}

TEST_F(Command, SearchOptionsReachTheSearch) {
    const std::string chain = "'ij,jk,kl->il' --shapes 2x64,64x64,64x2 ";
    const auto sliced = run_json("plan " + chain + "--memory-limit 256 --objective memory --search-seed 3");
    EXPECT_LE(sliced["peak_bytes"], 256);
    EXPECT_GT(sliced["slices"], 1);
    EXPECT_FALSE(sliced["sliced_labels"].empty());
    EXPECT_NE(run("plan " + chain + "--memory-limit 256").out.find("slices                "),
              std::string::npos);
    EXPECT_EQ(run_json("plan " + file("chain.json") + " --objective flops")["path_source"], "own search");
    const auto whole = run_json("contract " + file("chain.json") + " --seed 5");
    const auto limited = run_json("contract " + file("chain.json") + " --seed 5 --memory-limit 130");
    EXPECT_GT(limited["slices"], 1);
    EXPECT_NEAR(limited["sum"].get<double>(), whole["sum"].get<double>(),
                1e-12 * whole["absolute_sum"].get<double>());
    expect_failure("plan " + chain + "--memory-limit 8", 1,
                   "the memory limit is 8 bytes but the lowest peak found is ");
    expect_failure("plan " + chain + "--objective speed", 2, "--objective");
    expect_failure("plan " + chain + "--deadline 0", 2, "--deadline");
    expect_failure("contract " + file("chain.json") + " --strategy opt_flops --memory-limit 1MB", 2,
                   "opt_flops");
}

TEST_F(Command, InfoNamesTheBuild) {
    const auto report = run_json("info");
    EXPECT_EQ(report["dtypes"].size(), 7U);
    EXPECT_EQ(report["kinds"][0], "builtin");
    EXPECT_GE(report["default_threads"].get<int>(), 1);
    EXPECT_NE(run("info").out.find("version"), std::string::npos);
}

TEST_F(Command, DemoAgreesWithTheExactSolution) {
    for (const int size : {2, 3, 4}) {
        const auto report = run_json("demo --temperatures 3 --size " + std::to_string(size));
        EXPECT_EQ(report["rows"].size(), 3U);
        EXPECT_LE(report["largest_relative_error"].get<double>(), 1e-11) << size;
    }
    const Result text = run("demo --size 4 --temperatures 1 --svg " + file("plot.svg"));
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_NE(text.out.find("2.26919"), std::string::npos) << text.out;
    EXPECT_TRUE(std::filesystem::exists(file("plot.svg")));
}

TEST_F(Command, AFullOutputIsAFailure) {
    if (!std::filesystem::is_character_file("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    EXPECT_EQ(run("info >/dev/full").code, 1);
}

}}  // namespace tenferro::cli
