// Lines that are streamed, filled or reversed, compiled once per instruction set.
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
// Bytes from which on a line is read in four places: where vectors are cache lines, a processor follows one
// long stream better than four short ones side by side.
#if HWY_TARGET == HWY_AVX3
constexpr Index kLongLine = 1 << 20;
#else
constexpr Index kLongLine = 4096;
#endif

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

template <class Word, bool kStreams>
void reverse_line(std::byte* to, const std::byte* from, Index bytes) {
    constexpr Index kWord = static_cast<Index>(sizeof(Word));
    using Lane = std::conditional_t<kWord == 4, std::uint32_t, std::uint64_t>;
    const hn::ScalableTag<Lane> d;
    constexpr Index kVector = static_cast<Index>(hn::MaxLanes(d) * sizeof(Lane));
    const std::byte* const end = from + kWord;
    Index i = 0;
    const auto move_words = [&](Index until) {
        for (; i < until; i += kWord) std::memcpy(to + i, end - i - kWord, kWord);
    };
    const Index head = kStreams ? std::min(bytes_to_line(to), bytes) : 0;
    const bool streams = kStreams && head % kWord == 0 && kVector >= kWord;
    if (streams) move_words(head);
    for (; kVector >= kWord && i + kVector <= bytes; i += kVector) {
        auto v = hn::Reverse(d, hn::LoadU(d, reinterpret_cast<const Lane*>(end - i - kVector)));
#if HWY_TARGET != HWY_SCALAR
        if constexpr (kWord == 2 * sizeof(Lane)) v = hn::Shuffle01(v);
#endif
        auto* const place = reinterpret_cast<Lane*>(to + i);
        if (streams)
            hn::Stream(v, d, place);
        else
            hn::StoreU(v, d, place);
    }
    move_words(bytes);
}

template <bool kStreams>
MoveLine reverser_of(Index width) {
    struct Pair {
        std::uint64_t word[2];
    };
    return width == 4    ? reverse_line<std::uint32_t, kStreams>
           : width == 8  ? reverse_line<std::uint64_t, kStreams>
           : width == 16 ? reverse_line<Pair, kStreams>
                         : nullptr;
}
MoveLine choose_reverser(Index width, bool streams) {
    return streams ? reverser_of<true>(width) : reverser_of<false>(width);
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(choose_streamer);
HWY_EXPORT(choose_filler);
HWY_EXPORT(choose_reverser);

MoveLine line_streamer() { return HWY_DYNAMIC_DISPATCH(choose_streamer)(); }
FillLine line_filler(bool streams) { return HWY_DYNAMIC_DISPATCH(choose_filler)(streams); }
MoveLine line_reverser(Index width, bool streams) {
    return HWY_DYNAMIC_DISPATCH(choose_reverser)(width, streams);
}
void finish_streaming() noexcept { hwy::FlushStream(); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
