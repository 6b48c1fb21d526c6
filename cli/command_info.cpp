// `tenferro info`: what this build of the library is and can do.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/backend_options.hpp"
#include "cli/commands.hpp"
#include "cli/terminal_text.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/tensor/npy.hpp"

namespace tenferro::cli {
namespace {

nlohmann::ordered_json collect() {
    const auto backend = make_backend({});
    auto kinds = nlohmann::ordered_json::array();
    for (const CpuKind kind : {CpuKind::Builtin, CpuKind::Blas})
        if (CpuBackend::has_kind(kind)) kinds.push_back(kind_name(kind));
    auto dtypes = nlohmann::ordered_json::array();
    for (const DTypeInfo& row : kDTypes) dtypes.push_back({{"name", row.name}, {"bytes", row.bytes}});
    return {{"version", tenferro::version()},
            {"backend", backend->name()},
            {"kinds", kinds},
            {"default_kind", kind_name(backend->kind())},
            {"default_threads", backend->threads()},
            {"dtypes", dtypes},
            {"layout", "column-major"},
            {"alignment_bytes", kAlignment},
            {"max_elements", std::numeric_limits<Index>::max()},
            {"max_npy_header_bytes", kMaxNpyHeaderText}};
}

void print_text(const nlohmann::ordered_json& facts) {
    for (const auto& [key, value] : facts.items()) {
        std::string shown = value.is_string()  ? value.get<std::string>()
                            : value.is_array() ? ""
                                               : value.dump();
        if (value.is_array())
            for (const auto& item : value) {
                const auto& name = item.is_object() ? item.at("name") : item;
                shown += (shown.empty() ? "" : " ") + name.get<std::string>();
            }
        std::string title = key;
        std::replace(title.begin(), title.end(), '_', ' ');
        fmt::print("{:<22}{}\n", title, shown);
    }
}

}  // namespace

void add_info(CLI::App& app) {
    auto* command = app.add_subcommand("info", "Show version, backends, threads, dtypes and limits");
    const auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "Print JSON");
    command->callback([json] {
        const auto facts = collect();
        *json ? print_json(facts) : print_text(facts);
    });
}

}  // namespace tenferro::cli
