// Virtual machines tell the third cache of a whole server as that of the two processors that they own, so a
// share larger than any processor has is not believed.
#include "cpu/caches.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

constexpr Index kKiB = 1 << 10, kMiB = 1 << 20;

/// The beginning of a small file; empty where there is none.
class SmallFile {
public:
    SmallFile(const char* folder, int index, const char* name) noexcept {
        char path[256];
        const int length = std::snprintf(path, sizeof path, "%s/index%d/%s", folder, index, name);
        if (length < 0 || length >= static_cast<int>(sizeof path)) return;
        const int file = ::open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0) return;
        const auto bytes = ::read(file, text_, sizeof text_);
        size_ = bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
        ::close(file);
    }
    [[nodiscard]] std::string_view text() const noexcept { return {text_, size_}; }

private:
    char text_[256];
    std::size_t size_ = 0;
};

/// Takes a number from the front of `text`; -1 where there is none.
Index take_number(std::string_view& text) noexcept {
    Index value = -1;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
    text.remove_prefix(static_cast<std::size_t>(end.ptr - text.data()));
    return end.ec == std::errc() ? value : -1;
}

/// "2048K", "32M" or a number of bytes.
Index parse_size(std::string_view text) noexcept {
    const Index value = take_number(text);
    const Index unit = text.starts_with('K') ? kKiB : text.starts_with('M') ? kMiB : 1;
    return value > 0 && value < (Index{1} << 40) ? value * unit : 0;
}

/// The members of "0-3,8,10-11".
Index count_listed(std::string_view text) noexcept {
    Index count = 0;
    for (;;) {
        const Index first = take_number(text);
        if (first < 0) return count;
        Index last = first;
        if (text.starts_with('-')) {
            text.remove_prefix(1);
            last = take_number(text);
        }
        count += std::max<Index>(last - first + 1, 0);
        if (!text.starts_with(',')) return count;
        text.remove_prefix(1);
    }
}

}  // namespace

Caches read_caches(const char* folder) noexcept {
    constexpr int kMostCaches = 16;
    Caches caches;
    for (int index = 0; index < kMostCaches; ++index) {
        const SmallFile level(folder, index, "level"), type(folder, index, "type");
        if (level.text().empty() || type.text().starts_with("Instruction")) continue;
        const Index size = parse_size(SmallFile(folder, index, "size").text());
        if (level.text().starts_with('2')) caches.second = size;
        if (!level.text().starts_with('3')) continue;
        caches.third = size;
        caches.third_shares = count_listed(SmallFile(folder, index, "shared_cpu_list").text());
    }
    return caches;
}

Index stream_bytes_for(const Caches& caches) noexcept {
    constexpr Index kUsual = 4 * kMiB, kLeast = kMiB, kMost = 32 * kMiB;
    constexpr Index kLargestShare = 16 * kMiB;  // more than any processor has
    if (caches.second == 0 && caches.third == 0) return kUsual;
    Index share = caches.third / std::max<Index>(caches.third_shares, 1);
    // The usual ratio then: as much of the third cache as of the second.
    if (share > kLargestShare) share = caches.second > 0 ? caches.second : kUsual;
    return std::clamp(caches.second + share, kLeast, kMost);
}

Index far_bytes_for(const Caches& caches) noexcept {
    constexpr Index kLargeSecond = 2 * kMiB, kBeyondThird = 16 * kMiB;
    return caches.second >= kLargeSecond ? std::min(caches.second / 4, kBeyondThird) : kBeyondThird;
}

Index far_bytes() noexcept {
    static constinit std::atomic<Index> of_machine{0};  // 0 is not known yet
    Index bytes = of_machine.load(std::memory_order_relaxed);
    if (bytes == 0) of_machine.store(bytes = far_bytes_for(read_caches()), std::memory_order_relaxed);
    return bytes;
}

Index parse_stream_bytes(const char* value) {
    const char* const end = value + std::strlen(value);
    Index bytes = 0;
    const auto parsed = std::from_chars(value, end, bytes);
    if (parsed.ec != std::errc() || parsed.ptr != end || bytes < 1)
        throw Error(ErrorKind::InvalidArgument, "CpuContext",
                    text("TENFERRO_STREAM_BYTES is '", value, "' but must be a number of bytes, at least 1"));
    return bytes;
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
