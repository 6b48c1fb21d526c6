// What a person writes for a number on the command line, and reads. Every function that parses takes the
// whole text or nothing: absent means that the text is no such number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenferro::cli {

/// Decimal digits, 0 to 2^64 - 1.
[[nodiscard]] std::optional<std::uint64_t> parse_seed(std::string_view text);
inline constexpr std::string_view kSeedForm = "a whole number from 0 to 18446744073709551615";

/// A finite number above 0, such as 2, 0.5 or 1e3.
[[nodiscard]] std::optional<double> parse_seconds(std::string_view text);
inline constexpr std::string_view kSecondsForm = "a number of seconds above 0";

/// At least one byte: a number such as 1500, 1e9 or 1.5, and after it, if anything, one of B, kB, MB, GB, TB
/// (powers of 1000), KiB, MiB, GiB, TiB (powers of 1024), in any case. Fractions of a byte are dropped.
[[nodiscard]] std::optional<std::int64_t> parse_bytes(std::string_view text);
inline constexpr std::string_view kBytesForm =
    "a number of bytes from 1 to 9.2e18, such as 1500, 1e9, 500MB or 4GiB";

/// "1.5 GB" and the like, at most four digits.
[[nodiscard]] std::string bytes_text(double bytes);

/// Axes of a tensor, counted from 0 and separated by commas; none for no text.
[[nodiscard]] std::optional<std::vector<std::size_t>> parse_axes(std::string_view text);
inline constexpr std::string_view kAxesForm = "a list of axes such as 0,2,1";

/// A finite number.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);
inline constexpr std::string_view kCutoffForm = "a number such as 1e-12";

/// Any text but the empty one, which is what a shell variable without a value leaves.
[[nodiscard]] std::optional<std::string> parse_file_name(std::string_view text);
inline constexpr std::string_view kFileNameForm = "a file name";
inline constexpr std::string_view kPrefixForm = "the beginning of file names";

}  // namespace tenferro::cli
