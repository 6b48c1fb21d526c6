// std::from_chars takes no sign '+', no white space and no locale; what follows the number is the unit.
#include "cli/quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace tenferro::cli {
namespace {

struct Unit {
    std::string_view name;  ///< in lower case
    double bytes;
};
constexpr std::array<Unit, 10> kUnits{{{"", 1},
                                       {"b", 1},
                                       {"kb", 1e3},
                                       {"mb", 1e6},
                                       {"gb", 1e9},
                                       {"tb", 1e12},
                                       {"kib", 0x1p10},
                                       {"mib", 0x1p20},
                                       {"gib", 0x1p30},
                                       {"tib", 0x1p40}}};

/// The finite number at the front, which is removed from `text`.
std::optional<double> take_number(std::string_view& text) {
    double value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc{} || !std::isfinite(value)) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

}  // namespace

std::optional<std::uint64_t> parse_seed(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<double> parse_seconds(std::string_view text) {
    const auto value = take_number(text);
    return value && *value > 0 && text.empty() ? value : std::nullopt;
}

std::optional<std::int64_t> parse_bytes(std::string_view text) {
    const auto value = take_number(text);
    if (!value) return std::nullopt;
    std::string name(text);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    const auto unit =
        std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& u) { return u.name == name; });
    if (unit == kUnits.end()) return std::nullopt;
    const double bytes = std::floor(*value * unit->bytes);
    if (!(bytes >= 1 && bytes < 0x1p63)) return std::nullopt;
    return static_cast<std::int64_t>(bytes);
}

std::string bytes_text(double bytes) {
    constexpr std::array kNames{"bytes", "kB", "MB", "GB", "TB", "PB"};
    std::size_t name = 0;
    for (; bytes >= 1000 && name + 1 < kNames.size(); ++name) bytes /= 1000;
    return fmt::format("{:.4g} {}", bytes, kNames[name]);
}

std::optional<std::vector<std::size_t>> parse_axes(std::string_view text) {
    std::vector<std::size_t> axes;
    for (bool more = !text.empty(); more;) {
        const std::size_t comma = text.find(',');
        const auto axis = parse_seed(text.substr(0, comma));
        if (!axis) return std::nullopt;
        axes.push_back(*axis);
        more = comma != std::string_view::npos;
        if (more) text.remove_prefix(comma + 1);
    }
    return axes;
}

std::optional<double> parse_number(std::string_view text) {
    const auto value = take_number(text);
    return text.empty() ? value : std::nullopt;
}

std::optional<std::string> parse_file_name(std::string_view text) {
    return text.empty() ? std::nullopt : std::optional<std::string>(text);
}

}  // namespace tenferro::cli
