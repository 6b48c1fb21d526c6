// Lines that are streamed or filled, compiled once per instruction set.
#include "cpu/kernels/movement/streaming.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/movement/streaming.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "tenferro/cpu/contraction/unroll.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr Index kWidestWord = 32;  // bytes
constexpr Index kLongLine = 4096;  // bytes

/// One cache line, at an aligned place.
HWY_INLINE void stream_cache_line(std::byte* to, const std::byte* from) {
    const hn::ScalableTag<std::uint64_t> d;
    constexpr Index kVector = static_cast<Index>(hn::MaxLanes(d) * sizeof(std::uint64_t));
    TENFERRO_UNROLL
    for (Index v = 0; v < kCacheLine; v += kVector)
        hn::Stream(hn::LoadU(d, reinterpret_cast<const std::uint64_t*>(from + v)), d,
                   reinterpret_cast<std::uint64_t*>(to + v));
}

/// Four places at once where the line is long: one stream of loads is too little for memory.
void stream_line(std::byte* to, const std::byte* from, Index bytes) {
    const Index head = std::min(bytes_to_line(to), bytes);
    if (head != 0) std::memcpy(to, from, static_cast<std::size_t>(head));
    Index i = head;
    if (bytes >= kLongLine) {
        constexpr int kPlaces = 4;
        const Index part = (bytes - head) / kPlaces / kCacheLine * kCacheLine;
        for (const Index end = head + part; i < end; i += kCacheLine) {
            TENFERRO_UNROLL
            for (int p = 0; p < kPlaces; ++p) stream_cache_line(to + i + p * part, from + i + p * part);
        }
        i = head + kPlaces * part;
    }
    for (; i + kCacheLine <= bytes; i += kCacheLine) stream_cache_line(to + i, from + i);
    if (i < bytes) std::memcpy(to + i, from + i, static_cast<std::size_t>(bytes - i));
}

MoveLine choose_streamer() { return stream_line; }

template <bool kStreams>
void fill_line(std::byte* to, const std::byte* word, Index width, Index bytes) {
    const hn::ScalableTag<std::uint64_t> d;
    constexpr Index kVector = static_cast<Index>(hn::MaxLanes(d) * sizeof(std::uint64_t));
    constexpr Index kLane = sizeof(std::uint64_t);
    std::uint64_t lanes[kWidestWord / kLane] = {};
    std::memcpy(lanes, word, static_cast<std::size_t>(width));
    for (Index bits = 8 * width; bits < 64; bits *= 2) lanes[0] |= lanes[0] << bits;
    const Index period = std::max<Index>(width / kLane, 1);
    alignas(kCacheLine) std::uint64_t repeated[2 * kCacheLine / kLane];
    for (Index i = 0; i < 2 * kCacheLine / kLane; ++i) repeated[i] = lanes[i & (period - 1)];
    const auto* const pattern = reinterpret_cast<const std::byte*>(repeated);
    // Every cache line after the first begins where the first leaves off in the word.
    const Index head = std::min(bytes_to_line(to), bytes);
    std::memcpy(to, pattern, static_cast<std::size_t>(head));
    const auto* const line = reinterpret_cast<const std::uint64_t*>(pattern + head);
    Index i = head;
    for (; i + kCacheLine <= bytes; i += kCacheLine) {
        TENFERRO_UNROLL
        for (Index v = 0; v < kCacheLine; v += kVector) {
            const auto vector = hn::LoadU(d, line + v / kLane);
            auto* const place = reinterpret_cast<std::uint64_t*>(to + i + v);
            if constexpr (kStreams)
                hn::Stream(vector, d, place);
            else
                hn::StoreU(vector, d, place);
        }
    }
    std::memcpy(to + i, pattern + head, static_cast<std::size_t>(bytes - i));
}

FillLine choose_filler(bool streams) { return streams ? fill_line<true> : fill_line<false>; }

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(choose_streamer);
HWY_EXPORT(choose_filler);

MoveLine line_streamer() { return HWY_DYNAMIC_DISPATCH(choose_streamer)(); }
FillLine line_filler(bool streams) { return HWY_DYNAMIC_DISPATCH(choose_filler)(streams); }
void finish_streaming() noexcept { hwy::FlushStream(); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
