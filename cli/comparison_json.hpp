// A computed value beside the exact one, in reports.
#pragma once

#include "cli/ising_report.hpp"
#include "tenferro/base/json.hpp"

namespace tenferro::cli {

[[nodiscard]] inline Json comparison_json(const Comparison& value) {
    return Json::object()
        .with("computed", value.computed)
        .with("exact", value.exact)
        .with("relative_error", value.relative_error);
}

}  // namespace tenferro::cli
