// One vocabulary for all commands: numbers mean what they say or are refused, the same thing has the same
// name everywhere, and nothing is left out of a report in silence.
#include <fmt/format.h>

#include <complex>
#include <limits>

#include "unit/cli/command.hpp"

namespace tenferro::cli { namespace {

TEST_F(Command, NumbersMeanWhatTheySayOrAreRefused) {
    const std::string contract = "contract " + file("chain.json") + " ";
    for (const char* option : {"--seed ", "--search-seed "})
        expect_failure(contract + option + "-1", 2, "is '-1' but must be a whole number from 0 to");
    expect_failure(contract + "--deadline nan", 2, "is 'nan' but must be a number of seconds above 0");
    expect_failure(contract + "--memory-limit 0", 2, "is '0' but must be a number of bytes");
    const std::string chain = "plan 'ij,jk,kl->il' --shapes 2x64,64x64,64x2 --memory-limit ";
    expect_failure(chain + "0.02KiB", 1, "the memory limit is 20 bytes");
    EXPECT_EQ(
        run_json(contract + "--seed 18446744073709551615 --memory-limit 4GiB --deadline 1e-3")["slices"], 1);
}

TEST_F(Command, TheThreadCountOfTheEnvironment) {
    ASSERT_EQ(::setenv("TENFERRO_NUM_THREADS", "3", 1), 0);
    EXPECT_EQ(run_json("info")["default_threads"], 3);
    EXPECT_EQ(run_json("contract " + file("chain.json"))["threads"], 3);
    EXPECT_EQ(run_json("contract " + file("chain.json") + " --threads 2")["threads"], 2);
    for (const char* bad : {"0", "x", "2x", "5000"}) {
        ASSERT_EQ(::setenv("TENFERRO_NUM_THREADS", bad, 1), 0);
        expect_failure("info", 1, fmt::format("TENFERRO_NUM_THREADS is '{}'", bad));
        expect_failure("contract " + file("chain.json"), 1, fmt::format("TENFERRO_NUM_THREADS is '{}'", bad));
    }
    ::unsetenv("TENFERRO_NUM_THREADS");
}

TEST_F(Command, JsonHasEveryValue) {
    save("hundred.npy", std::vector<double>(100, 1.5), {10, 10});
    const auto report = run_json("einsum 'ij->ij' " + file("hundred.npy"));
    ASSERT_EQ(report["values"].size(), 10U);
    EXPECT_EQ(report["values"][9], nlohmann::json(std::vector<double>(10, 1.5)));
    const double inf = std::numeric_limits<double>::infinity();
    save("special.npy", {std::nan(""), inf, -inf, 1}, {4});
    EXPECT_EQ(run_json("einsum 'i->i' " + file("special.npy"))["values"],
              nlohmann::json::parse(R"(["nan", "inf", "-inf", 1.0])"));
    const std::vector<std::complex<double>> z{{inf, 2}};
    save_npy(folder_.path() / "z.npy", Tensor::from_data<std::complex<double>>(z, Dims{1}));
    EXPECT_EQ(run_json("einsum 'i->i' " + file("z.npy"))["values"],
              nlohmann::json::parse(R"([["inf", 2.0]])"));
    const auto gradients = run_json("grad 'i,i->' " + file("special.npy") + " " + file("special.npy"));
    EXPECT_EQ(gradients["gradients"][0]["values"], nlohmann::json::parse(R"(["nan", "inf", "-inf", 1.0])"));
    EXPECT_EQ(gradients["value"]["values"], "nan");
    save("long.npy", std::vector<double>(2000, 0), {2000});
    expect_failure("einsum 'i,j->ij' " + file("long.npy") + " " + file("long.npy") + " --json", 1,
                   "4000000 elements but at most 1048576 are printed as JSON; -o writes them");
}

TEST_F(Command, ReportsNameTheOutput) {
    const auto a = file("a.npy"), out = file("out.npy");
    const auto einsum = run_json("einsum 'ij->ji' " + a + " -o " + out);
    EXPECT_EQ(einsum["output"], out);
    EXPECT_FALSE(einsum.contains("values"));
    EXPECT_EQ(run_json("contract " + file("chain.json") + " -o " + out)["output"], out);
}

TEST_F(Command, OneNameForOneThing) {
    const auto contract = run_json("contract " + file("chain.json")),
               plan = run_json("plan " + file("chain.json"));
    for (const char* key :
         {"name", "operands", "shape", "path", "path_source", "plan_seconds", "flops", "log10_flops",
          "predicted_seconds", "peak_bytes", "slices", "largest_intermediate_elements"}) {
        ASSERT_TRUE(contract.contains(key) && plan.contains(key)) << key;
        if (std::string(key) != "plan_seconds") {
            EXPECT_EQ(contract[key], plan[key]) << key;
        }
    }
    // Element types by our names and by NumPy's, on the command line and in files.
    for (const auto& [ours, numpy] : {std::pair{"f32", "float32"}, {"c64", "complex128"}}) {
        const std::string text = R"({{"format_string": "ij,jk", "shapes": [[2, 2], [2, 2]], "dtype": "{}"}})";
        for (const char* name : {ours, numpy}) {
            EXPECT_EQ(run_json("contract " +
                               folder_.write("d.json", fmt::format(fmt::runtime(text), name)))["dtype"],
                      ours);
            EXPECT_EQ(run_json("contract " + file("chain.json") + " --dtype " + name)["dtype"], ours);
        }
    }
    // Implicit output, spaces and '...' in files as on the command line.
    folder_.write("implicit.json", R"({"format_string": "...ij, jk", "shapes": [[3, 2, 2], [2, 2]]})");
    EXPECT_EQ(run_json("plan " + file("implicit.json"))["shape"], (std::vector<int>{3, 2, 2}));
}

TEST_F(Command, HelpExplainsEveryCommand) {
    EXPECT_EQ(run("help").out, run("--help").out);
    EXPECT_NE(run("help").out.find("contract"), std::string::npos);
    EXPECT_EQ(run("help contract").out, run("contract --help").out);
    expect_failure("help frobnicate", 2, "frobnicate");
}

TEST_F(Command, CompletionsFollowTheOptions) {
    const auto completions = [&](const std::string& words, int current) {
        return run("info >/dev/null; cd " + folder_.path().string() +
                   "; bash -c 'eval \"$(" TENFERRO_CLI_PROGRAM " completion bash)\"; COMP_WORDS=(" + words +
                   "); COMP_CWORD=" + std::to_string(current) + "; _tenferro; echo ${COMPREPLY[*]}'")
            .out;
    };
    EXPECT_EQ(completions("tenferro co", 1), "contract completion\n");
    EXPECT_EQ(completions("tenferro contract --kind b", 3), "blas builtin\n");
    EXPECT_EQ(completions("tenferro plan --sea", 2), "--search-threads --search-seed\n");
    EXPECT_EQ(completions("tenferro einsum ij a", 3), "a.npy\n");
    EXPECT_EQ(completions("tenferro einsum -o v", 3), "v.npy\n");
    EXPECT_EQ(completions("tenferro help pl", 2), "plan\n");
    expect_failure("completion fish", 2, "fish");
    if (std::system("command -v zsh >/dev/null") == 0) {
        const std::string load = "autoload -Uz compinit; compinit -u -D; eval \"$(" TENFERRO_CLI_PROGRAM
                                 " completion zsh)\"; echo $_comps[tenferro]";
        EXPECT_EQ(run("info >/dev/null; zsh -fc '" + load + "'").out, "_tenferro\n");
    }
    const std::string zsh = run("completion zsh").out;
    EXPECT_NE(zsh.find("'--kind["), std::string::npos);
    EXPECT_NE(zsh.find(":value:(blas builtin)'"), std::string::npos);
}

TEST_F(Command, DemoErrorsAreThoseOfTheNumbersBesideThem) {
    const auto report = run_json("demo --size 3 --temperatures 5");
    for (const auto& row : report["rows"])
        for (const char* key : {"log_z_per_site", "energy_per_site"}) {
            const double computed = row[key]["computed"], exact = row[key]["exact"];
            EXPECT_EQ(row[key]["relative_error"].get<double>(), std::abs((computed - exact) / exact)) << key;
        }
}

}}  // namespace tenferro::cli
