// PairwiseSum: vectors added as the leaves of a balanced binary tree, so that errors grow with the logarithm
// of their number.
#pragma once

#include <bit>
#include <cstdint>

#include "cpu/kernels/loops/scratch.hpp"
#include "cpu/kernels/movement/streaming.hpp"
#include "cpu/kernels/reduction/fold.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Elements of memory that sums of `leaves` vectors of `width` elements take.
template <class T>
[[nodiscard]] constexpr Index memory_of_sum(Index width, Index leaves) noexcept {
    constexpr Index kLine = kCacheLine / static_cast<Index>(sizeof(T));
    return (width + kLine - 1) / kLine * kLine * (std::bit_width(static_cast<std::uint64_t>(leaves)) + 1);
}

/// This thread's memory for sums, until it asks again.
template <class T>
[[nodiscard]] T* sum_memory(Index elements) {
    return reinterpret_cast<T*>(scratch(ScratchUse::Lines, static_cast<std::size_t>(elements) * sizeof(T)));
}

/// Adds vectors of `width` elements as the leaves of a balanced binary tree, in the order they come.
template <class M, class T>
class PairwiseSum {
public:
    /// `memory` has memory_of_sum elements.
    PairwiseSum(const Fold<M, T>& fold, T* memory, Index width)
        : fold_(fold), top_(memory), width_(width), pitch_(memory_of_sum<T>(width, 0)) {}

    /// The next leaf, still without terms, for the caller to add them.
    T* open_leaf() {
        std::fill_n(top_, width_, M::template identity<T>());
        return top_;
    }
    void close_leaf() {
        for (std::uint64_t carry = count_++; carry & 1; carry >>= 1, top_ -= pitch_) add(top_ - pitch_, top_);
        top_ += pitch_;
    }

    /// The sum of all leaves until now; identities if there were none. Others may follow.
    const T* finish() {
        T* const total = open_leaf();
        const T* sum = total;
        for (int level = std::popcount(count_); level > 0; --level) add(total, sum -= pitch_);
        return total;
    }

private:
    void add(T* sum, const T* term) const { fold_.rows(sum, width_, 1, term, 1, pitch_); }

    const Fold<M, T>& fold_;
    T* top_;  // a stack: sums of as many leaves as the bits of count_ say, the largest first
    Index width_, pitch_;
    std::uint64_t count_ = 0;
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
