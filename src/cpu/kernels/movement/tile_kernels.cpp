// Transposes in registers, compiled once per instruction set.
#include "cpu/kernels/movement/tile_kernels.hpp"

#include <algorithm>
#include <cstring>

#include "cpu/kernels/movement/streaming.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/movement/tile_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "tenferro/cpu/contraction/word_square-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
template <std::size_t kBytes>
void move_tile(const TileMove& t) {
    for (Index r = 0; r < t.rows; ++r)
        for (Index l = 0; l < t.line; ++l)
            std::memcpy(t.to + t.to_row[r] + t.to_line[l], t.from + t.from_row[r] + t.from_line[l], kBytes);
}
void move_wide_tile(const TileMove& t) { move_tile<32>(t); }
MoveTile choose_streaming_mover(Index /*word*/) { return nullptr; }
#else
template <bool kStreams, class D>
HWY_INLINE void put(hn::Vec<D> v, D d, hn::TFromD<D>* to) {
    if constexpr (kStreams)
        hn::Stream(v, d, to);
    else
        hn::StoreU(v, d, to);
}

/// As many of the words at from + offsets[0 ..] as fill a vector.
template <std::size_t kBytes, class D>
HWY_INLINE hn::Vec<D> gather_words(D d, const std::byte* from, const Index* offsets) {
    constexpr std::size_t kWidth = hn::MaxLanes(D()) * sizeof(std::uint64_t), kCount = kWidth / kBytes;
    if constexpr (kCount == 1) {
        return hn::LoadU(d, reinterpret_cast<const std::uint64_t*>(from + offsets[0]));
    } else if constexpr (kWidth == 16) {
        std::uint64_t words[2];
        TENFERRO_UNROLL
        for (std::size_t i = 0; i < kCount; ++i)
            std::memcpy(reinterpret_cast<std::byte*>(words) + i * kBytes, from + offsets[i], kBytes);
        return hn::LoadU(d, words);
    } else {
        const hn::Half<D> half;
        const auto low = gather_words<kBytes>(half, from, offsets),
                   high = gather_words<kBytes>(half, from, offsets + kCount / 2);
        return hn::Combine(d, high, low);
    }
}

/// Word by word, what is adjacent in the target in vectors.
template <std::size_t kBytes, bool kStreams>
void move_words(const TileMove& t, Index line_begin, Index line_end, Index row_begin, Index row_end) {
    constexpr std::size_t kLanes = kStreams ? 8 : std::max<std::size_t>(kBytes / 2, 2);  // a line; 4 words
    const hn::CappedTag<std::uint64_t, kLanes> d;
    constexpr auto kWord = static_cast<Index>(kBytes),
                   kTogether = static_cast<Index>(hn::MaxLanes(d) * sizeof(std::uint64_t)) / kWord;
    const Index *const from_line = t.from_line, *const to_line = t.to_line;
    for (Index r = row_begin; r < row_end; ++r) {
        const std::byte* const from = t.from + t.from_row[r];
        std::byte* const to = t.to + t.to_row[r];
        Index l = line_begin;
        if constexpr (kTogether > 0)
            for (; l + kTogether <= line_end && t.line_run >= line_end; l += kTogether) {
                put<kStreams>(gather_words<kBytes>(d, from, from_line + l), d,
                              reinterpret_cast<std::uint64_t*>(to + l * kWord));
                if constexpr (kStreams && kTogether <= 4) {
                    TENFERRO_UNROLL
                    for (Index i = 0; i < kTogether; ++i)
                        __builtin_prefetch(from + from_line[l + i] + t.ahead, 0, 2);
                }
            }
        for (; l < line_end; ++l) std::memcpy(to + to_line[l], from + from_line[l], kBytes);
    }
}

/// The side of the largest squares of which two fit the registers.
constexpr int kMostPaired = 4;

/// kSquares squares of words side by side, and those below them: lines l.. of the source, contiguous along
/// the rows, become rows row_begin.. of the target. They end with the last whole square. Asked for are the
/// lines of the target where the squares beside these end.
template <std::size_t kBytes, int kSquares, bool kStreams>
HWY_INLINE void move_squares(const TileMove& t, Index l, Index row_begin, Index row_end) {
    using Square = WordSquare<kBytes>;
    const typename Square::Tag d;
    constexpr Index kStep = Square::kSide * static_cast<Index>(kBytes);
    const std::byte* from[kSquares * Square::kSide];
    std::byte* to[kSquares];
    TENFERRO_UNROLL
    for (int i = 0; i < kSquares * Square::kSide; ++i)
        from[i] = t.from + t.from_line[l + i] + t.from_row[row_begin];
    for (int s = 0; s < kSquares; ++s) to[s] = t.to + t.to_line[l + s * Square::kSide];
    const Index* to_row = t.to_row + row_begin;
    const Index end = (row_end - row_begin) * static_cast<Index>(kBytes);
    for (Index at = 0; at + kStep <= end; at += kStep, to_row += Square::kSide) {
        TENFERRO_UNROLL
        for (int s = 0; s < kSquares; ++s) {
            const std::byte* const* const lines = from + s * Square::kSide;
            typename Square::Vec v[Square::kSide];
            TENFERRO_UNROLL
            for (int i = 0; i < Square::kSide; ++i) v[i] = hn::LoadU(d, Square::lanes(lines[i] + at));
            if (at % kCacheLine == 0) {
                TENFERRO_UNROLL
                for (int i = 0; i < Square::kSide; ++i) __builtin_prefetch(lines[i] + at + t.ahead, 0, 2);
            }
            Square::transpose(v);
            TENFERRO_UNROLL
            for (int i = 0; i < Square::kSide; ++i) put<kStreams>(v[i], d, Square::lanes(to[s] + to_row[i]));
            if (kStreams || !t.asks) continue;
            TENFERRO_UNROLL
            for (int i = 0; i < Square::kSide; ++i)
                __builtin_prefetch(to[s] + to_row[i] + (kSquares + 1) * kStep - 1, 1, 3);
        }
    }
}

/// The rows that are left below the squares of move_squares: the last ones of a square that ends with them.
template <std::size_t kBytes, bool kStreams>
HWY_INLINE void move_last_rows(const TileMove& t, Index l, Index row_begin, Index row_end) {
    using Square = WordSquare<kBytes>;
    const typename Square::Tag d;
    const Index first = row_end - Square::kSide,
                skipped = Square::kSide - (row_end - row_begin) % Square::kSide;
    if (skipped == Square::kSide) return;
    typename Square::Vec v[Square::kSide];
    TENFERRO_UNROLL
    for (int i = 0; i < Square::kSide; ++i)
        v[i] = hn::LoadU(d, Square::lanes(t.from + t.from_line[l + i] + t.from_row[first]));
    Square::transpose(v);
    TENFERRO_UNROLL
    for (int i = 0; i < Square::kSide; ++i)
        if (i >= skipped) put<kStreams>(v[i], d, Square::lanes(t.to + t.to_line[l] + t.to_row[first + i]));
}

/// Lines l to end of the source and the rows of one run. Streamed, each line of a square is a cache line; a
/// last square that is not aligned is not streamed.
template <std::size_t kBytes, bool kStreams>
void move_lines(const TileMove& t, Index l, Index l_end, Index row_begin, Index row_end) {
    constexpr Index kSide = WordSquare<kBytes>::kSide;
    if constexpr (kSide <= kMostPaired)
        for (; l + 2 * kSide <= l_end; l += 2 * kSide) {
            move_squares<kBytes, 2, kStreams>(t, l, row_begin, row_end);
            move_last_rows<kBytes, kStreams>(t, l, row_begin, row_end);
            move_last_rows<kBytes, kStreams>(t, l + kSide, row_begin, row_end);
        }
    for (; l + kSide <= l_end; l += kSide) {
        move_squares<kBytes, 1, kStreams>(t, l, row_begin, row_end);
        move_last_rows<kBytes, kStreams>(t, l, row_begin, row_end);
    }
    if (l == l_end) return;
    move_squares<kBytes, 1, false>(t, l_end - kSide, row_begin, row_end);
    move_last_rows<kBytes, false>(t, l_end - kSide, row_begin, row_end);
}

template <std::size_t kBytes, bool kStreams = false>
void move_tile(const TileMove& t) {
    constexpr Index kSide = WordSquare<kBytes>::kSide;
    for (Index l = 0; l < t.line; l += t.line_run) {
        const Index l_end = std::min(l + t.line_run, t.line);
        for (Index r = 0; r < t.rows; r += t.row_run) {
            const Index r_end = std::min(r + t.row_run, t.rows);
            if (l_end - l < kSide || r_end - r < kSide)
                move_words<kBytes, kStreams>(t, l, l_end, r, r_end);
            else
                move_lines<kBytes, kStreams>(t, l, l_end, r, r_end);
        }
    }
}

template <bool kStreams = false>
void move_wide_tile(const TileMove& t) {
    move_words<32, kStreams>(t, 0, t.line, 0, t.rows);
}

/// Where each cache line of the target is stored at once: in one vector, or in two of squares side by side.
template <std::size_t kBytes>
MoveTile streamer_of() {
    constexpr int kSide = WordSquare<kBytes>::kSide, kAtOnce = kSide <= kMostPaired ? 2 * kSide : kSide;
    if constexpr (kAtOnce * kBytes >= kCacheLine) return move_tile<kBytes, true>;
    return nullptr;
}

MoveTile choose_streaming_mover(Index word) {
    switch (word) {
        case 4: return streamer_of<4>();
        case 8: return streamer_of<8>();
        case 16: return streamer_of<16>();
        case 32: return hn::MaxLanes(hn::ScalableTag<std::uint8_t>()) < 32 ? nullptr : move_wide_tile<true>;
        default: return nullptr;
    }
}
#endif

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

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(choose_mover);
HWY_EXPORT(choose_streaming_mover);

MoveTile tile_mover(Index word) { return HWY_DYNAMIC_DISPATCH(choose_mover)(word); }
MoveTile tile_streamer(Index word) { return HWY_DYNAMIC_DISPATCH(choose_streaming_mover)(word); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
