// The command without memory: the reader of network files, and whole commands, which end with an exit code.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <vector>

#include "cli/instance.hpp"
#include "cli/program.hpp"
#include "faults/sweep.hpp"
#include "tenferro/tensor/npy.hpp"
#include "unit/cli/temporary_folder.hpp"

namespace tenferro::faults { namespace {

constexpr const char* kChain =
    R"({"name": "a chain of three matrices", "format_string": "ij,jk,kl->il",
    "shapes": [[2, 3], [3, 4], [4, 5]], "dtype": "complex64", "unread": [[[{"a": null}]], "more"],
    "paths": {"opt_flops": {"path": [[0, 1], [0, 1]]}}})";

TEST(Command, NetworkFiles) {
    sweep_of(40, {"cli::parse_instance"}, [] { (void)cli::parse_instance(kChain, "chain.json"); });
}

/// Where standard output and standard error go nowhere.
class Silence {
public:
    Silence() {
        const int nowhere = ::open("/dev/null", O_WRONLY);
        for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, stream);
        ::close(nowhere);
    }
    ~Silence() {
        std::fflush(stdout);
        ::dup2(out_, STDOUT_FILENO);
        ::dup2(error_, STDERR_FILENO);
        ::close(out_);
        ::close(error_);
    }
    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;

private:
    int out_ = ::dup(STDOUT_FILENO), error_ = ::dup(STDERR_FILENO);
};

void sweep_command(std::vector<const char*> words) {
    words.insert(words.begin(), "tenferro");
    sweep_of(100, {"cli::run_program"}, [&] {
        const Silence silence;
        const int code = cli::run_program(static_cast<int>(words.size()), words.data());
        if (code == 1) throw Error(ErrorKind::OutOfMemory, words[1], "the command failed");
        if (code != 0) throw Error(ErrorKind::InvalidArgument, words[1], "the command was used wrongly");
    });
}

TEST(Command, EndsWithAnExitCode) {
    const test::TemporaryFolder folder;
    const std::string chain = folder.write("chain.json", kChain), a = (folder.path() / "a.npy").string();
    save_npy(a, Tensor::from_data<double>(std::vector<double>{1, 2, 3, 4}, Dims{2, 2}));
    sweep_command({"info"});
    sweep_command({"plan", chain.c_str()});
    for (const char* const order : {"plan", "contract"}) sweep_command({order, chain.c_str(), "--json"});
    sweep_command({"grad", "ij,jk->ik", a.c_str(), a.c_str(), "--json"});
}

}}  // namespace tenferro::faults
