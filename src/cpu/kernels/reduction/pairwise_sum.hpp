// PairwiseSum: vectors added as the leaves of a balanced binary tree, so that errors grow with the logarithm
// of their number.
#pragma once

#include <cstdint>
#include <vector>

#include "cpu/kernels/reduction/fold.hpp"
#include "tenferro/base/error_allocator.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Adds vectors of `width` elements as the leaves of a balanced binary tree, in the order they come.
template <class M, class T>
class PairwiseSum {
public:
    PairwiseSum(const Fold<M, T>& fold, Index width) : fold_(fold), width_(width) {}

    /// A new sum, of vectors of another width; the memory stays.
    void restart(Index width) noexcept {
        width_ = width;
        count_ = 0;
    }
    /// The next leaf, still without terms, for the caller to add them.
    T* open_leaf() {
        leaf_.assign(static_cast<std::size_t>(width_), M::template identity<T>());
        return leaf_.data();
    }
    void close_leaf() {
        std::size_t level = 0;
        for (std::uint64_t carry = count_++; carry & 1; carry >>= 1, ++level)
            add_to(leaf_.data(), levels_[level].data());
        if (level == levels_.size()) levels_.emplace_back();
        levels_[level].swap(leaf_);
    }

    /// The sum of all leaves; identities if there were none.
    const T* finish() {
        T* const total = open_leaf();
        for (std::size_t level = 0; level < levels_.size(); ++level)
            if (count_ >> level & 1) add_to(total, levels_[level].data());
        return total;
    }

private:
    using Vector = std::vector<T, ErrorAllocator<T>>;

    void add_to(T* sum, const T* term) const { fold_.rows(sum, width_, 1, term, 1, 0); }

    const Fold<M, T>& fold_;
    Index width_;
    std::uint64_t count_ = 0;
    Vector leaf_;
    std::vector<Vector, ErrorAllocator<Vector>> levels_;  // [l]: a sum of 2^l leaves where count_ has bit l
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
