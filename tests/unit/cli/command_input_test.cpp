// Where input comes from: standard input and pipes, files that lie, names that would steer a terminal, and a
// user who interrupts.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

#include "cli/interrupt.hpp"
#include "cli/program.hpp"
#include "support/sanitized.hpp"
#include "tenferro/einsum/subscripts.hpp"
#include "unit/cli/command.hpp"

namespace tenferro::cli { namespace {

TEST_F(Command, ReadsStandardInputAndPipes) {
    const std::string a = file("a.npy"), b = file("b.npy"), product = "[[19, 22],\n [43, 50]]\n";
    EXPECT_TRUE(run("einsum 'ij,jk->ik' - " + b + " <" + a).out.ends_with(product));
    EXPECT_TRUE(run("einsum 'ij,jk->ik' " + a + " - <" + b).out.ends_with(product));
    const std::string fifo = file("fifo");
    ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
    EXPECT_TRUE(run("einsum 'ij,jk->ik' " + a + " " + fifo + " & cat " + b + " >" + fifo + "; wait")
                    .out.ends_with(product));
    EXPECT_EQ(run_json("plan - <" + file("chain.json"))["flops"], 128);
    const auto whole = run_json("contract " + file("chain.json") + " --seed 5");
    const Result piped = run("contract - --seed 5 --json <" + file("chain.json"));
    EXPECT_EQ(nlohmann::json::parse(piped.out)["sum"], whole["sum"]);
    expect_failure("einsum 'ij,jk->ik' - - <" + a, 1, "'-' is given twice");
    expect_failure("contract - --tensors " + a + " - <" + a, 1, "'-' is given twice");
    expect_failure("einsum 'ij->ij' - </dev/null", 1, "standard input: is not a .npy file");
    expect_failure("einsum 'ij->ij' /dev/zero", 1, "/dev/zero: is not a .npy file");
    expect_failure("einsum 'ij->ij' " + folder_.path().string(), 1, "is a folder");
}

TEST_F(Command, TruncatedAndTrailingPipesAreRefused) {
    const std::string a = file("a.npy");
    ASSERT_EQ(std::system(("head -c -1 " + a + " >" + file("cut.npy")).c_str()), 0);
    expect_failure("einsum 'ij->ij' - <" + file("cut.npy"), 1,
                   "truncated: shape [2, 2] of f64 needs 32 bytes but the file holds 31");
    ASSERT_EQ(std::system(("(cat " + a + "; echo) >" + file("long.npy")).c_str()), 0);
    expect_failure("einsum 'ij->ij' - <" + file("long.npy"), 1, "trailing bytes");
}

TEST_F(Command, NumbersOutOfRangeInNetworkFiles) {
    for (const char* number : {"1e400", "-1e400", "99999999999999999999", "0.5", "-1"}) {
        const std::string shapes = std::string(R"({"format_string": "i->i", "shapes": [[)") + number + "]]}";
        expect_failure("plan " + folder_.write("number.json", shapes), 1, "number.json: ");
    }
    folder_.write("long.json", R"({"x": )" + std::string(1000, '9') + "}");
    expect_failure("plan " + file("long.json"), 1,
                   "long.json: the number " + std::string(60, '9') + "... is out of range");
}

TEST_F(Command, NothingSteersTheTerminal) {
    // Escape, bell, delete, C1 controls, an override of direction; é stays.
    folder_.write("name.json",
                  "{\"name\": \"\\u001b[31mred\\u0007\\u007f\\u009b2J\\u202eback é\", "
                  "\"format_string\": \"i\u202ej,jk->ik\", \"shapes\": [[2, 2, 2], [2, 2]]}");
    folder_.write("good.json",
                  "{\"name\": \"\\u001b[31mred\\u0007\\u007f\\u009b2J\\u202eback é\", "
                  "\"format_string\": \"ij,jk->ik\", \"shapes\": [[2, 2], [2, 2]]}");
    const std::string shown = "\\x1b[31mred\\x07\\x7f\\xc2\\x9b2J\\u{202e}back é\n";
    for (const char* command : {"plan ", "contract "}) {
        const Result result = run(command + file("good.json"));
        EXPECT_NE(result.out.find(shown), std::string::npos) << result.out;
        const Result json = run(command + file("good.json") + " --json");
        for (const char c : json.out) EXPECT_TRUE(c == '\n' || (c >= ' ' && c < 0x7f)) << int{c};
    }
    const std::string bad = folder_.write("name\xff\x1b[31m.npy", "x");
    expect_failure("einsum 'ij->ij' '" + bad + "'", 1, "name\\xff\\x1b[31m.npy: is not a .npy file");
    EXPECT_EQ(run("einsum 'ij->ij' " + file("a.npy") + " --json -o '" + bad + "'").code, 0);
    EXPECT_EQ(run("plan " + file("name.json")).out.find("\u202e"), std::string::npos);
}

TEST_F(Command, LargeTreesAreAbridged) {
    std::string subscripts, shapes;
    for (int i = 0; i < test::draws(5000); ++i) {
        subscripts += (i == 0 ? "" : ",") + tensor_network::label_text(U'\u4e00' + i) +
                      tensor_network::label_text(U'\u4e01' + i);
        shapes += (i == 0 ? "" : ",") + std::string("2x2");
    }
    folder_.write("args", "'" + subscripts + "->' --shapes " + shapes);
    const Result result = run("plan $(cat " + file("args") + " | tr -d \"'\")");
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_LT(std::count(result.out.begin(), result.out.end(), '\n'), 240);
    EXPECT_NE(result.out.find(" operands, "), std::string::npos) << result.out;
}

TEST_F(Command, ALackOfMemorySaysWhatHelps) {
    if (test::kSanitized) GTEST_SKIP() << "a sanitizer needs more address space than this test allows";
    save("long.npy", std::vector<double>(20000, 0), {20000});
    const Result result =
        run("info >/dev/null; ulimit -v 1500000; " TENFERRO_CLI_PROGRAM " einsum 'i,j->ij' " +
            file("long.npy") + " " + file("long.npy"));
    EXPECT_EQ(result.code, 3);
    EXPECT_NE(result.err.find("; --memory-limit BYTES contracts in slices that need less\n"),
              std::string::npos)
        << result.err;
}

TEST_F(Command, WhatDoesNotFitIsRefusedBeforeItIsDrawn) {
    if (test::kSanitized) GTEST_SKIP() << "a sanitizer's allocator has something to say too";
    folder_.write("outer.json",
                  R"({"format_string": "i,j->ij", "shapes": [[100000000], [100000000]], "dtype": "f64"})");
    expect_failure("contract " + file("outer.json"), 3,
                   "contract: 80000001600000000 bytes cannot be allocated");
}

TEST_F(Command, ResultsOutOfRangeHaveAnExponent) {
    // The product of forty numbers 1e10, and half of it: 1.5e400.
    std::string subscripts = "a", shapes = "[2]";
    for (int i = 1; i < 40; ++i) {
        subscripts += ",a";
        shapes += ",[2]";
    }
    folder_.write("large.json",
                  R"({"format_string": ")" + subscripts + R"(->", "shapes": [)" + shapes + "]}");
    save("large.npy", {1e10, 1e10}, {2});
    save("last.npy", {1e10, 0.5e10}, {2});
    std::string files;
    for (int i = 0; i < 39; ++i) files += file("large.npy") + " ";
    const std::string command =
        "contract " + file("large.json") + " --json --tensors " + files + file("last.npy");
    const auto plain = run(command);
    EXPECT_EQ(nlohmann::json::parse(plain.out).at("sum"), nullptr) << plain.err;
    for (const char* limit : {"", " --memory-limit 24"}) {
        const auto scaled = nlohmann::json::parse(run(command + " --log-scaled" + limit).out);
        const double log = 400 * std::log(10.0) + std::log(1.5);
        EXPECT_NEAR(scaled.at("log_absolute_sum").get<double>(), log, 1e-14 * log);
        EXPECT_NEAR(
            std::log(scaled.at("sum").get<double>()) + scaled.at("exponent").get<double>() * std::log(2.0),
            log, 1e-14 * log);
    }
    EXPECT_EQ(run("contract " + file("large.json") + " --log-scaled").code, 0);
    save("zero.npy", {0, 0}, {2});
    const auto zero = nlohmann::json::parse(
        run("contract " + file("large.json") + " --json --log-scaled --tensors " + files + file("zero.npy"))
            .out);
    EXPECT_EQ(zero.at("exponent"), 0);
    EXPECT_EQ(zero.at("log_absolute_sum"), nullptr);
}

/// Waits until a process handles SIGINT itself.
void wait_for_handler(pid_t process) {
    for (int i = 0; i < 2000; ++i, std::this_thread::sleep_for(std::chrono::milliseconds(5))) {
        std::ifstream status("/proc/" + std::to_string(process) + "/status");
        for (std::string line; std::getline(status, line);)
            if (line.starts_with("SigCgt:") &&
                (std::stoull(line.substr(8), nullptr, 16) >> (SIGINT - 1) & 1U) != 0)
                return;
    }
    FAIL() << "the program does not handle SIGINT";
}

/// The status with which a process ends, which is made to after 20 seconds.
int status_at_end(pid_t process) {
    int status = 0;
    for (int i = 0; i < 4000; ++i, std::this_thread::sleep_for(std::chrono::milliseconds(5)))
        if (::waitpid(process, &status, WNOHANG) == process) return status;
    ADD_FAILURE() << "the program does not end";
    ::kill(process, SIGKILL);
    ::waitpid(process, &status, 0);
    return status;
}

/// Starts the program with standard input from a pipe that never delivers, interrupts it when it is well
/// under way, and expects the end within a second.
void expect_interrupted(std::vector<std::string> arguments) {
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    std::vector<char*> argv{const_cast<char*>("tenferro")};
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        const int null = ::open("/dev/null", O_WRONLY);
        ::dup2(pipe[0], STDIN_FILENO);
        ::dup2(null, STDOUT_FILENO);
        ::dup2(null, STDERR_FILENO);
        ::execv(TENFERRO_CLI_PROGRAM, argv.data());
        ::_exit(127);
    }
    wait_for_handler(child);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(::kill(child, SIGINT), 0);
    const int status = status_at_end(child);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1)) << arguments[0];
    EXPECT_TRUE(WIFEXITED(status)) << arguments[0];
    EXPECT_EQ(WEXITSTATUS(status), 130) << arguments[0];
    ::close(pipe[0]);
    ::close(pipe[1]);
}

/// Runs the command in a process of its own, whose main function goes on after it, and interrupts it there.
void expect_cancelled(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "tenferro");
    const pid_t child = ::fork();
    if (child == 0) {
        const int null = ::open("/dev/null", O_WRONLY);
        ::dup2(null, STDOUT_FILENO);
        ::dup2(null, STDERR_FILENO);
        install_interrupt_handler();
        const int code = run_program(static_cast<int>(arguments.size()), arguments.data());
        ::_exit(code == kInterruptedExit ? 0 : 1);
    }
    wait_for_handler(child);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_EQ(::kill(child, SIGINT), 0);
    const int status = status_at_end(child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << arguments[1] << ": " << status;
}

TEST_F(Command, AnInterruptCancelsWhatIsComputed) {
    const std::string chain = file("chain.json"), output = file("out.npy");
    const std::size_t files = folder_.file_names().size();
    expect_cancelled({"plan", "ab,bc,cd,de,ef,fg,gh,hi,ij,jk,kl,lm,ma->", "--shapes",
                      "2x2,2x2,2x2,2x2,2x2,2x2,2x2,2x2,2x2,2x2,2x2,2x2,2x2", "--deadline", "1000"});
    expect_cancelled({"contract", chain.c_str(), "--repeat", "1000000", "-o", output.c_str()});
    expect_cancelled({"demo", "--size", "10", "--temperatures", "1000"});
    expect_cancelled({"trg", "--ranks", "40", "--steps", "100"});
    EXPECT_EQ(folder_.file_names().size(), files);
}

TEST_F(Command, AnInterruptEndsTheProgramAtOnce) {
    std::string ring = "ab";
    std::string shapes = "2x2";
    for (char c = 'b'; c < 'z'; ++c) {
        ring += std::string(",") + c + static_cast<char>(c + 1);
        shapes += ",2x2";
    }
    const std::size_t files = folder_.file_names().size();
    if (!test::kThreadSanitized) expect_interrupted({"einsum", "ij->ij", "-", "-o", file("out.npy")});
    expect_interrupted({"plan", ring + ",za->", "--shapes", shapes + ",2x2", "--deadline", "1000"});
    expect_interrupted({"contract", file("chain.json"), "--repeat", "1000000", "-o", file("out.npy")});
    EXPECT_EQ(folder_.file_names().size(), files);
}

/// A matrix of zeros that takes no room on the disk.
void write_sparse_npy(const std::string& path, int rows) {
    std::string header = "{'descr': '<f8', 'fortran_order': True, 'shape': (" + std::to_string(rows) + ", " +
                         std::to_string(rows) + "), }";
    header.resize(117, ' ');
    std::ofstream(path, std::ios::binary) << std::string("\x93NUMPY\x01\0\x76\0", 10) << header << '\n';
    std::filesystem::resize_file(path, 128 + 8 * std::uintmax_t(rows) * std::uintmax_t(rows));
}

TEST_F(Command, AnInterruptEndsAnEinsumOfAHugeFile) {
    write_sparse_npy(file("sparse.npy"), 10000);
    const std::size_t files = folder_.file_names().size();
    expect_interrupted({"einsum", "ij,jk,kl->il", file("sparse.npy"), file("sparse.npy"), file("sparse.npy"),
                        "-o", file("out.npy")});
    EXPECT_EQ(folder_.file_names().size(), files);
}

}}  // namespace tenferro::cli
