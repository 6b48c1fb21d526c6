// Transposes in registers, streamed and filled lines, compiled once per instruction set.
#include "cpu/kernels/movement/tile_kernels.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/movement/tile_kernels.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/movement/tile_transpose-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr Index kCacheLine = 64;
constexpr Index kWidestWord = 32;  // bytes
constexpr Index kPrefetchAhead =
    256;  // bytes along the source's contiguous axis, into the next tile at its end

template <std::size_t kBytes>
void move_words(const TileMove& t, Index line_begin, Index line_end, Index row_begin, Index row_end) {
    for (Index r = row_begin; r < row_end; ++r) {
        const std::byte* const from = t.from + t.from_row[r];
        std::byte* const to = t.to + t.to_row[r];
        if (t.line_run >= line_end) {
            const auto width = static_cast<Index>(kBytes);
            for (Index l = line_begin; l < line_end; ++l)
                std::memcpy(to + l * width, from + t.from_line[l], kBytes);
            continue;
        }
        for (Index l = line_begin; l < line_end; ++l)
            std::memcpy(to + t.to_line[l], from + t.from_line[l], kBytes);
    }
}

#if HWY_TARGET == HWY_SCALAR
template <std::size_t kBytes>
void move_tile(const TileMove& t) {
    move_words<kBytes>(t, 0, t.line, 0, t.rows);
}
#else
/// One square of words: lines l.. of the source, contiguous along the rows, become rows r.. of the target.
template <std::size_t kBytes>
HWY_INLINE void move_square(const TileMove& t, Index l, Index r) {
    using Square = WordSquare<kBytes>;
    const typename Square::Tag d;
    typename Square::Vec v[Square::kSide];
    TENFERRO_UNROLL
    for (int i = 0; i < Square::kSide; ++i)
        v[i] = hn::LoadU(d, Square::lanes(t.from + t.from_line[l + i] + t.from_row[r]));
    TENFERRO_UNROLL
    for (int i = 0; i < Square::kSide; ++i)
        __builtin_prefetch(t.from + t.from_line[l + i] + t.from_row[r] + kPrefetchAhead, 0, 2);
    Square::transpose(v);
    TENFERRO_UNROLL
    for (int i = 0; i < Square::kSide; ++i)
        hn::StoreU(v[i], d, Square::lanes(t.to + t.to_line[l] + t.to_row[r + i]));
}

template <std::size_t kBytes>
void move_tile(const TileMove& t) {
    constexpr Index kSide = WordSquare<kBytes>::kSide;
    if (t.line_run < kSide || t.row_run < kSide) return move_words<kBytes>(t, 0, t.line, 0, t.rows);
    for (Index l_run = 0; l_run < t.line; l_run += t.line_run) {
        const Index l_end = std::min(l_run + t.line_run, t.line),
                    l_squares = l_run + (l_end - l_run) / kSide * kSide;
        for (Index r_run = 0; r_run < t.rows; r_run += t.row_run) {
            const Index r_end = std::min(r_run + t.row_run, t.rows),
                        r_squares = r_run + (r_end - r_run) / kSide * kSide;
            for (Index l = l_run; l < l_squares; l += kSide)
                for (Index r = r_run; r < r_squares; r += kSide) move_square<kBytes>(t, l, r);
            move_words<kBytes>(t, l_squares, l_end, r_run, r_squares);
            move_words<kBytes>(t, l_run, l_end, r_squares, r_end);
        }
    }
}

#endif

void move_wide_tile(const TileMove& t) { move_words<32>(t, 0, t.line, 0, t.rows); }

MoveTile choose_mover(Index word) {
    switch (word) {
        case 1: return move_tile<1>;
        case 2: return move_tile<2>;
        case 4: return move_tile<4>;
        case 8: return move_tile<8>;
        case 16: return move_tile<16>;
        default: return move_wide_tile;
    }
}

void stream_line(std::byte* to, const std::byte* from, Index bytes) {
    const hn::ScalableTag<std::uint64_t> d;
    constexpr Index kVector = static_cast<Index>(hn::MaxLanes(d) * sizeof(std::uint64_t));
    const Index head = std::min<Index>(-reinterpret_cast<std::intptr_t>(to) & (kCacheLine - 1), bytes);
    if (head != 0) std::memcpy(to, from, static_cast<std::size_t>(head));
    Index i = head;
    for (; i + kCacheLine <= bytes; i += kCacheLine) {
        TENFERRO_UNROLL
        for (Index v = 0; v < kCacheLine; v += kVector)
            hn::Stream(hn::LoadU(d, reinterpret_cast<const std::uint64_t*>(from + i + v)), d,
                       reinterpret_cast<std::uint64_t*>(to + i + v));
    }
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
    const Index head = std::min<Index>(-reinterpret_cast<std::intptr_t>(to) & (kCacheLine - 1), bytes);
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

HWY_EXPORT(choose_mover);
HWY_EXPORT(choose_streamer);
HWY_EXPORT(choose_filler);

MoveTile tile_mover(Index word) { return HWY_DYNAMIC_DISPATCH(choose_mover)(word); }
MoveLine line_streamer() { return HWY_DYNAMIC_DISPATCH(choose_streamer)(); }
FillLine line_filler(bool streams) { return HWY_DYNAMIC_DISPATCH(choose_filler)(streams); }
void finish_streaming() noexcept { hwy::FlushStream(); }

Index streaming_threshold() noexcept {
    static const Index threshold = [] {
        constexpr Index kUsual = Index{32} << 20;
        const Index known = ::sysconf(_SC_LEVEL3_CACHE_SIZE);
        return (known > 0 ? known : kUsual) / 2;
    }();
    return threshold;
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
