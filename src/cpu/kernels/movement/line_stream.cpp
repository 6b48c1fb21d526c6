// Streaming copies, compiled once per instruction set.
#include "cpu/kernels/movement/line_stream.hpp"

#include <unistd.h>

#include <cstring>

#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/movement/line_stream.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/cache_control.h>

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Whole cache lines; `to` is aligned to them.
void stream_cache_lines(std::byte* to, const std::byte* from, std::size_t bytes) {
    const hn::ScalableTag<std::uint8_t> d;
    const auto* source = reinterpret_cast<const std::uint8_t*>(from);
    auto* target = reinterpret_cast<std::uint8_t*>(to);
    for (std::size_t i = 0; i < bytes; i += hn::Lanes(d)) hn::Stream(hn::LoadU(d, source + i), d, target + i);
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(stream_cache_lines);

bool worth_streaming(const TensorRead& out) {
    constexpr Index kDefaultCache = Index{16} << 20;
    static const Index cache = [] {
#ifdef _SC_LEVEL3_CACHE_SIZE
        if (const long bytes = ::sysconf(_SC_LEVEL3_CACHE_SIZE); bytes > 0) return static_cast<Index>(bytes);
#endif
        return kDefaultCache;
    }();
    return out.size() * static_cast<Index>(info(out.dtype()).bytes) > cache / 2;
}

void stream_line(std::byte* to, const std::byte* from, Index bytes) {
    constexpr std::size_t kLine = 64;
    std::size_t rest = static_cast<std::size_t>(bytes);
    const std::size_t head = std::min((kLine - reinterpret_cast<std::uintptr_t>(to) % kLine) % kLine, rest);
    std::memcpy(to, from, head);
    rest -= head;
    const std::size_t body = rest - rest % kLine;
    HWY_DYNAMIC_DISPATCH(stream_cache_lines)(to + head, from + head, body);
    std::memcpy(to + head + body, from + head + body, rest - body);
}

void finish_lines() { hwy::FlushStream(); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
