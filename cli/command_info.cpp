// `tenferro info`: what this build of the library is and can do.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "cli/backend_options.hpp"
#include "cli/commands.hpp"
#include "cli/terminal_text.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/tensor/npy.hpp"

namespace tenferro::cli {
namespace {

Json collect() {
    const auto backend = make_backend({});
    Json kinds = Json::list(), dtypes = Json::list();
    for (const CpuKind kind : {CpuKind::Builtin, CpuKind::Blas})
        if (CpuBackend::has_kind(kind)) kinds.add(kind_name(kind));
    for (const DTypeInfo& row : kDTypes)
        dtypes.add(Json::object().with("name", row.name).with("bytes", row.bytes));
    return Json::object()
        .with("version", tenferro::version())
        .with("backend", backend->name())
        .with("kinds", std::move(kinds))
        .with("default_kind", kind_name(backend->kind()))
        .with("default_threads", backend->threads())
        .with("dtypes", std::move(dtypes))
        .with("layout", "column-major")
        .with("alignment_bytes", kAlignment)
        .with("max_elements", std::numeric_limits<Index>::max())
        .with("max_npy_header_bytes", kMaxNpyHeaderText);
}

/// A text as it is, a list by what its elements are called.
std::string shown_text(const Json& value) {
    if (const auto* const string = value.as<std::string>()) return *string;
    const auto* const list = value.as<Json::List>();
    if (list == nullptr) return value.dump("info");
    std::string shown;
    for (const Json& item : *list) {
        const Json* const name = item.find("name");
        shown += (shown.empty() ? "" : " ") + shown_text(name == nullptr ? item : *name);
    }
    return shown;
}

void print_text(const Json& facts) {
    for (const auto& [key, value] : *facts.as<Json::Members>()) {
        std::string title = key;
        std::replace(title.begin(), title.end(), '_', ' ');
        fmt::print("{:<22}{}\n", title, shown_text(value));
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
