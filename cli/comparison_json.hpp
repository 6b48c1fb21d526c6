// A computed value beside the exact one, in reports.
#pragma once

#include <nlohmann/json.hpp>

#include "cli/ising_report.hpp"

namespace tenferro::cli {

[[nodiscard]] inline nlohmann::ordered_json comparison_json(const Comparison& value) {
    return {{"computed", value.computed}, {"exact", value.exact}, {"relative_error", value.relative_error}};
}

}  // namespace tenferro::cli
