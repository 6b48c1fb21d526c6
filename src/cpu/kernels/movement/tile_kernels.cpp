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

constexpr Index kPrefetchAhead =
    256;  // bytes along the source's contiguous axis, into the next tile at its end

template <std::size_t kBytes>
void move_words(const TileMove& t, Index line_begin, Index line_end, Index row_begin, Index row_end) {
    constexpr auto kWidth = static_cast<Index>(kBytes);
    constexpr Index kTogether = 4;
    const Index *const from_line = t.from_line, *const to_line = t.to_line;
    const bool adjacent = t.line_run >= line_end;
    for (Index r = row_begin; r < row_end; ++r) {
        const std::byte* const from = t.from + t.from_row[r];
        std::byte* const to = t.to + t.to_row[r];
        Index l = line_begin;
        if (adjacent)
            for (; l + kTogether <= line_end; l += kTogether) {
                std::byte words[kTogether * kBytes];
                for (Index i = 0; i < kTogether; ++i)
                    std::memcpy(words + i * kWidth, from + from_line[l + i], kBytes);
                std::memcpy(to + l * kWidth, words, sizeof(words));
            }
        for (; l < line_end; ++l) std::memcpy(to + to_line[l], from + from_line[l], kBytes);
    }
}

#if HWY_TARGET == HWY_SCALAR
template <std::size_t kBytes>
void move_tile(const TileMove& t) {
    move_words<kBytes>(t, 0, t.line, 0, t.rows);
}
#else
/// kSquares squares of words side by side, and those below them: lines l.. of the source, contiguous along
/// the rows, become rows row_begin.. of the target.
template <std::size_t kBytes, int kSquares>
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
    for (Index at = 0; at < end; at += kStep, to_row += Square::kSide) {
        TENFERRO_UNROLL
        for (int s = 0; s < kSquares; ++s) {
            const std::byte* const* const lines = from + s * Square::kSide;
            typename Square::Vec v[Square::kSide];
            TENFERRO_UNROLL
            for (int i = 0; i < Square::kSide; ++i) v[i] = hn::LoadU(d, Square::lanes(lines[i] + at));
            if (at % kCacheLine == 0) {
                TENFERRO_UNROLL
                for (int i = 0; i < Square::kSide; ++i)
                    __builtin_prefetch(lines[i] + at + kPrefetchAhead, 0, 2);
            }
            Square::transpose(v);
            TENFERRO_UNROLL
            for (int i = 0; i < Square::kSide; ++i) hn::StoreU(v[i], d, Square::lanes(to[s] + to_row[i]));
        }
    }
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
            Index l = l_run;
            if constexpr (kSide <= 4)  // more would not fit the registers
                for (; l + 2 * kSide <= l_squares; l += 2 * kSide)
                    move_squares<kBytes, 2>(t, l, r_run, r_squares);
            for (; l < l_squares; l += kSide) move_squares<kBytes, 1>(t, l, r_run, r_squares);
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

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(choose_mover);

MoveTile tile_mover(Index word) { return HWY_DYNAMIC_DISPATCH(choose_mover)(word); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
