// The thread-local message buffer and the filter that keeps whatever a caller passed in (file names,
// subscripts, foreign exception texts) from breaking the promise of one line of UTF-8.
#include "capi/last_error.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "base/thread_value.hpp"

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

/// Length of the well-formed UTF-8 sequence at the start of `bytes` (Unicode table 3-7), 0 if there is none.
std::size_t sequence_length(std::string_view bytes) noexcept {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const unsigned lead = byte(0);
    if (lead < 0x80) return 1;
    const std::size_t length = lead >= 0xC2 && lead <= 0xDF   ? 2
                               : lead >= 0xE0 && lead <= 0xEF ? 3
                               : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                              : 0;
    if (length == 0 || bytes.size() < length) return 0;
    const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (byte(1) < low || byte(1) > high) return 0;
    for (std::size_t i = 2; i < length; ++i)
        if (byte(i) < 0x80 || byte(i) > 0xBF) return 0;
    return length;
}

/// Whether a well-formed sequence would start a line or steer a terminal: C0, DEL, C1, U+2028 and U+2029.
bool is_control(std::string_view sequence) noexcept {
    const auto lead = static_cast<unsigned char>(sequence[0]);
    if (sequence.size() == 1) return lead < 0x20 || lead == 0x7F;
    if (sequence.size() == 2) return lead == 0xC2 && static_cast<unsigned char>(sequence[1]) < 0xA0;
    return sequence == "\xE2\x80\xA8" || sequence == "\xE2\x80\xA9";
}

bool append_escaped(std::string_view bytes) noexcept {
    constexpr char kHex[] = "0123456789abcdef";
    for (const char c : bytes) {
        const auto value = static_cast<unsigned char>(c);
        const char escape[] = {'\\', 'x', kHex[value >> 4], kHex[value & 15]};
        if (!current().append({escape, sizeof escape})) return false;
    }
    return true;
}

bool append_character(std::string_view& rest) noexcept {
    const std::size_t length = sequence_length(rest);
    const std::string_view sequence = rest.substr(0, length == 0 ? 1 : length);
    rest.remove_prefix(sequence.size());
    return length == 0 || is_control(sequence) ? append_escaped(sequence) : current().append(sequence);
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
