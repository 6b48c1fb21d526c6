// Square blocks of words transposed in registers, compiled once per instruction set: first inside the 128-bit
// blocks of the vectors, by perfect shuffles, then whole blocks across the vectors.
#if defined(TENFERRO_WORD_SQUARE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_WORD_SQUARE_INL
#undef TENFERRO_WORD_SQUARE_INL
#else
#define TENFERRO_WORD_SQUARE_INL
#endif

#include <cstddef>
#include <cstdint>

#include "tenferro/cpu/contraction/unroll.hpp"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The vectors that words of kBytes are moved in: the widest there are, but one block for the smallest words,
/// whose squares would not fit the registers.
template <std::size_t kBytes>
struct WordTag {
    using Tag = hn::ScalableTag<std::uint64_t>;
};
template <>
struct WordTag<4> {
    using Tag = hn::ScalableTag<std::uint32_t>;
};
template <>
struct WordTag<2> {
    using Tag = hn::CappedTag<std::uint16_t, 8>;
};
template <>
struct WordTag<1> {
    using Tag = hn::CappedTag<std::uint8_t, 16>;
};

/// A square of kSide x kSide words in kSide vectors.
template <std::size_t kBytes>
struct WordSquare {
    using Tag = typename WordTag<kBytes>::Tag;
    using Vec = hn::Vec<Tag>;
    using Lane = hn::TFromD<Tag>;
    static constexpr int kSide = static_cast<int>(hn::MaxLanes(Tag()) * sizeof(Lane) / kBytes);
    static constexpr int kPerBlock = static_cast<int>(16 / kBytes);
    static constexpr int kBlocks = kSide / kPerBlock;

    static HWY_INLINE const Lane* lanes(const std::byte* p) { return reinterpret_cast<const Lane*>(p); }
    static HWY_INLINE Lane* lanes(std::byte* p) { return reinterpret_cast<Lane*>(p); }

    /// Word w of vector v goes to word v of vector w.
    static HWY_INLINE void transpose(Vec* v) {
        if constexpr (kPerBlock > 1) {
            TENFERRO_UNROLL
            for (int g = 0; g < kSide; g += kPerBlock) transpose_in_blocks(v + g);
        }
        TENFERRO_UNROLL
        for (int c = 0; c < kPerBlock; ++c) transpose_blocks(v + c);
    }

private:
    static HWY_INLINE void transpose_in_blocks(Vec* v) {
        const Tag d;
        TENFERRO_UNROLL
        for (int round = 1; round < kPerBlock; round *= 2) {
            Vec shuffled[kPerBlock];
            TENFERRO_UNROLL
            for (int i = 0; i < kPerBlock / 2; ++i) {
                shuffled[2 * i] = hn::InterleaveLower(d, v[i], v[i + kPerBlock / 2]);
                shuffled[2 * i + 1] = hn::InterleaveUpper(d, v[i], v[i + kPerBlock / 2]);
            }
            TENFERRO_UNROLL
            for (int i = 0; i < kPerBlock; ++i) v[i] = shuffled[i];
        }
    }

    /// Block b of vector g * kPerBlock goes to block g of vector b * kPerBlock.
    static HWY_INLINE void transpose_blocks(Vec* v) {
        const Tag d;
        constexpr int s = kPerBlock;
        if constexpr (kBlocks == 2) {
            const Vec low = hn::ConcatLowerLower(d, v[s], v[0]), high = hn::ConcatUpperUpper(d, v[s], v[0]);
            v[0] = low;
            v[s] = high;
        } else if constexpr (kBlocks == 4) {
            const Vec low02 = hn::ConcatLowerLower(d, v[2 * s], v[0]),
                      high02 = hn::ConcatUpperUpper(d, v[2 * s], v[0]);
            const Vec low13 = hn::ConcatLowerLower(d, v[3 * s], v[s]),
                      high13 = hn::ConcatUpperUpper(d, v[3 * s], v[s]);
            v[0] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(low13), low02);
            v[s] = hn::OddEvenBlocks(low13, hn::SwapAdjacentBlocks(low02));
            v[2 * s] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(high13), high02);
            v[3 * s] = hn::OddEvenBlocks(high13, hn::SwapAdjacentBlocks(high02));
        } else {
            static_assert(kBlocks == 1);
        }
    }
};

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
#endif
