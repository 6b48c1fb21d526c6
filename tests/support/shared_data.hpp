// Reads the public reference data beside the project; tests skip where it is absent.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace tenferro::test {

/// The JSON file at `path` below the data folder, or nullopt when the data is not there.
inline std::optional<nlohmann::json> shared_json(const std::string& path) {
    std::ifstream file(std::string(TENFERRO_SHARED_DATA) + "/" + path);
    if (!file) return std::nullopt;
    return nlohmann::json::parse(file);
}

}  // namespace tenferro::test

/// Skips the test unless `variable` (an optional) has a value.
#define TENFERRO_REQUIRE_DATA(variable, path) \
    if (!(variable)) GTEST_SKIP() << "reference data " << (path) << " is not available"
