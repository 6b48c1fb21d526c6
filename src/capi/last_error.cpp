// The thread-local message buffer and the filter that keeps whatever a caller passed in (file names,
// subscripts, foreign exception texts) from breaking the promise of one line of UTF-8.
#include "capi/last_error.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <optional>

#include "base/thread_value.hpp"
#include "tenferro/base/utf8.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi {

namespace {

/// Stands for what was cut off.
constexpr std::string_view kCut = "\u2026";

struct Message {
    static constexpr std::size_t kCapacity = 16384;  // a call stack of 64 frames
    std::size_t length = 0;
    std::int32_t detail = 0;
    char text[kCapacity] = {};

    /// Appends all of `piece`, or the sign that something is missing when there is no room for both.
    bool append(std::string_view piece) noexcept {
        const bool fits = piece.size() < kCapacity - kCut.size() - length;
        if (!fits) piece = kCut;
        std::memcpy(text + length, piece.data(), piece.size());
        length += piece.size();
        text[length] = '\0';
        return fits;
    }
};

Message& current() noexcept { return thread_value<Message>(); }

/// What would start a line or steer a terminal.
bool starts_a_line(char32_t c) noexcept { return utf8::is_control(c) || c == 0x2028 || c == 0x2029; }

bool append_escaped(std::string_view bytes) noexcept {
    for (const char c : bytes) {
        const std::array escape = utf8::escaped(c);
        if (!current().append({escape.data(), escape.size()})) return false;
    }
    return true;
}

bool append_character(std::string_view& rest) noexcept {
    const std::optional<utf8::CodePoint> point = utf8::decode(rest);
    const std::string_view sequence = rest.substr(0, point ? point->bytes : 1);
    rest.remove_prefix(sequence.size());
    return !point || starts_a_line(point->value) ? append_escaped(sequence) : current().append(sequence);
}

bool append_line(std::string_view rest) noexcept {
    while (!rest.empty())
        if (!append_character(rest)) return false;
    return true;
}

}  // namespace

void set_last_error(std::initializer_list<std::string_view> parts, std::string_view backtrace,
                    std::int32_t detail) noexcept {
    current().detail = detail;
    current().length = 0;
    current().text[0] = '\0';
    for (const std::string_view part : parts)
        if (!append_line(part)) return;
    while (!backtrace.empty()) {
        const std::size_t end = std::min(backtrace.find('\n'), backtrace.size());
        if (!current().append("\n") || !append_line(backtrace.substr(0, end))) return;
        backtrace.remove_prefix(std::min(end + 1, backtrace.size()));
    }
}

std::string_view last_error() noexcept { return {current().text, current().length}; }

std::int32_t last_error_detail() noexcept { return current().detail; }

}}}  // namespace tenferro::TENFERRO_ABI::capi
