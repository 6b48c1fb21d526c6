// Fold: a reduction M of elements T over runs and over rows, in vectors where there is a kernel and enough to
// do. "Sum" stands for the reduction, a functor of reduction.hpp.
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "cpu/kernels/loops/watched.hpp"
#include "cpu/kernels/reduction/reduce_kernels.hpp"
#include "tenferro/tensor/reduction.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Reductions whose result does not depend on the order, so that any number of them may go on side by side.
template <class M, class T>
constexpr bool kAnyOrder = std::is_integral_v<T> || !(std::is_same_v<M, reduction::ReduceSum> ||
                                                      std::is_same_v<M, reduction::ReduceProd>);

template <class M, class T>
class Fold {
public:
    /// `elements`: of the whole input; few are not worth the search for kernels.
    Fold(OpId op, DType dtype, Index elements) {
        if (elements >= kVectorElements) kernels_ = fold_kernels(op, dtype);
    }

    /// Pairwise sum of a strided run.
    T run(const T* p, Index count, Index stride) const {
        if (count < kVectorElements) return scalar_run(p, count, stride);
        const bool vectors = stride == 1 && kernels_.line != nullptr;
        const Index leaf = vectors ? kernels_.leaf : kScalarLeaf;
        if (count >= kWatchedElements) look();
        if (count > (vectors && kAnyOrder<M, T> ? std::max(leaf, kWatchedElements) : leaf)) {
            const Index grain = vectors ? kLineElements : kLanes;
            const Index half = count / 2 / grain * grain;
            return M{}(run(p, half, stride), run(p + half * stride, count - half, stride));
        }
        if (!vectors) return scalar_run(p, count, stride);
        T total;
        kernels_.line(&total, p, count);
        return total;
    }

    /// sums[i] += p[r * row_stride + i * stride] for i < width and rows r < count in their order.
    void rows(T* sums, Index width, Index stride, const T* p, Index count, Index row_stride) const {
        if (stride == 1 && kernels_.rows != nullptr && width > 1)
            return kernels_.rows(sums, width, p, count, row_stride);
        for (Index r = 0; r < count; ++r)
            for (Index i = 0; i < width; ++i) sums[i] = M{}(sums[i], p[r * row_stride + i * stride]);
    }

private:
    static constexpr Index kScalarLeaf = 128;      // elements added plainly before pairwise summation starts
    static constexpr Index kVectorElements = 128;  // that are worth vectors
    static constexpr Index kLineElements = 64;     // that fill cache lines, whatever their type
    static constexpr Index kLanes = 8;

    static T scalar_run(const T* p, Index count, Index stride) {
        T lanes[kLanes];
        std::fill_n(lanes, kLanes, M::template identity<T>());
        Index i = 0;
        for (; i + kLanes <= count; i += kLanes)
            for (Index l = 0; l < kLanes; ++l) lanes[l] = M{}(lanes[l], p[(i + l) * stride]);
        for (; i < count; ++i) lanes[i % kLanes] = M{}(lanes[i % kLanes], p[i * stride]);
        for (Index width = kLanes / 2; width > 0; width /= 2)
            for (Index l = 0; l < width; ++l) lanes[l] = M{}(lanes[l], lanes[l + width]);
        return lanes[0];
    }

    FoldKernels kernels_;
};

/// Adds vectors of `width` elements as the leaves of a balanced binary tree, in the order they come.
template <class M, class T>
class PairwiseSum {
public:
    PairwiseSum(const Fold<M, T>& fold, Index width) : fold_(fold), width_(width) {}

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
    void add_to(T* sum, const T* term) const { fold_.rows(sum, width_, 1, term, 1, 0); }

    const Fold<M, T>& fold_;
    Index width_;
    std::uint64_t count_ = 0;
    std::vector<T> leaf_;
    std::vector<std::vector<T>> levels_;  // levels_[l] holds a sum of 2^l leaves where bit l of count_ is set
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
