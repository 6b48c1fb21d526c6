// From options to PathOptions.
#include "cli/search_options.hpp"

#include "cli/quantities.hpp"

namespace tenferro::cli {
namespace {

constexpr const char* kGroup = "Path search";

}  // namespace

void add_search_options(CLI::App& command, SearchOptions& options) {
    add_quantity(command, "--deadline", options.path.deadline, parse_seconds, kSecondsForm,
                 "Search a path for this many seconds; default: a share of the predicted time")
        ->type_name("SECONDS")
        ->group(kGroup);
    add_quantity(command, "--memory-limit", options.path.memory_limit_bytes, parse_bytes, kBytesForm,
                 "Most bytes alive at once, such as 500MB or 2GiB; the path is sliced to meet it")
        ->type_name("BYTES")
        ->group(kGroup);
    command
        .add_option("--objective", options.objective,
                    "What the search makes small: time (default), flops or memory")
        ->check(CLI::IsMember({"time", "flops", "memory"}))
        ->group(kGroup);
    command.add_option("--search-threads", options.path.threads, "Threads of the search; default: 1")
        ->check(CLI::Range(1, 1024))
        ->group(kGroup);
    add_quantity(command, "--search-seed", options.path.seed, parse_seed, kSeedForm,
                 "Seed of the search; one seed gives the same path everywhere")
        ->type_name("SEED")
        ->group(kGroup);
}

tensor_network::PathOptions path_options(const CLI::App& command, const SearchOptions& options,
                                         std::string& strategy) {
    bool given = false;
    for (const CLI::Option* option : command.get_options())
        given = given || (option->get_group() == kGroup && option->count() > 0);
    if (given && !strategy.empty() && strategy != "own")
        throw CLI::ValidationError("--strategy",
                                   strategy + " is a path of the file but search options were given");
    if (given) strategy = "own";
    tensor_network::PathOptions path = options.path;
    if (options.objective == "flops") path.objective = tensor_network::PathObjective::Flops;
    if (options.objective == "memory") path.objective = tensor_network::PathObjective::Memory;
    return path;
}

}  // namespace tenferro::cli
