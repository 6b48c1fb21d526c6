// Fold: a reduction M of elements T over runs and over rows, in vectors where there is a kernel and enough to
// do. "Sum" stands for the reduction, a functor of reduction.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <type_traits>

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
        const bool vectors = stride == 1 && kernels_.line != nullptr;
        if (count < (vectors ? kShortestVectors : kVectorElements)) return scalar_run(p, count, stride);
        if (vectors && count * static_cast<Index>(sizeof(T)) >= kLongBytes) return long_line(p, count);
        const Index leaf = vectors ? leaf_of_lines() : kScalarLeaf;
        if (count >= kWatchedElements) look();
        if (count > leaf) {
            const Index half = half_of(count, vectors ? kLineElements : kLanes);
            return M{}(run(p, half, stride), run(p + half * stride, count - half, stride));
        }
        if (!vectors) return scalar_run(p, count, stride);
        T total;
        kernels_.line(&total, p, count);
        return total;
    }

    /// Whether runs() is faster for lines of `count` elements, `stride` apart, than one run() after the
    /// other.
    [[nodiscard]] bool takes_lines(Index count, Index stride) const {
        return stride == 1 && kernels_.lines != nullptr && count >= kShortestLine &&
               count * static_cast<Index>(sizeof(T)) < kLongBytes;
    }

    /// sums[i * sum_stride] = sum of the `count` neighbours from p + i * apart, i < lines.
    void runs(T* sums, Index sum_stride, const T* p, Index lines, Index apart, Index count) const {
        const Index quarter = (lines + kLinesAtOnce - 1) / kLinesAtOnce;
        Watch watch;
        for (Index i = 0; i < quarter; ++i) {
            Lines from;
            Index at[kLinesAtOnce];
            for (int k = 0; k < kLinesAtOnce; ++k) {
                at[k] = std::min(k * quarter + i, lines - 1);  // the last one more than once, perhaps
                from[k] = p + at[k] * apart;
            }
            const auto found = lines_at_once(from, count);
            for (int k = 0; k < kLinesAtOnce; ++k) sums[at[k] * sum_stride] = found[k];
            watch.did(kLinesAtOnce * count);
        }
    }

    /// sums[i] += p[r * row_stride + i * stride] for i < width and rows r < count in their order.
    void rows(T* sums, Index width, Index stride, const T* p, Index count, Index row_stride) const {
        if (stride == 1 && kernels_.rows != nullptr && width > 1)
            return kernels_.rows(sums, width, p, count, row_stride);
        if (count > 1 && stride == count && row_stride == 1 && count <= kMostInterleaved &&
            kernels_.interleaved != nullptr)
            return kernels_.interleaved(sums, width, p, count);
        for (Index r = 0; r < count; ++r)
            for (Index i = 0; i < width; ++i) sums[i] = M{}(sums[i], p[r * row_stride + i * stride]);
    }

private:
    static constexpr Index kScalarLeaf = 128;      // elements added plainly before pairwise summation starts
    static constexpr Index kVectorElements = 128;  // that are worth vectors
    static constexpr Index kShortestVectors = sizeof(T) == 1 ? kVectorElements : 16;  // of one line alone
    static constexpr Index kShortestLine = sizeof(T) == 1 ? kVectorElements : 4;  // bytes: many lanes to join
    static constexpr Index kLineElements = 64;    // that fill cache lines, whatever their type
    static constexpr Index kLongBytes = 1 << 16;  // of a line whose quarters are summed at once
    static constexpr Index kLanes = 8;

    using Lines =
        std::array<const void*, kLinesAtOnce>;  // as kernels take them: a copy would wait for stores

    [[nodiscard]] Index leaf_of_lines() const {
        return kAnyOrder<M, T> ? std::max(kernels_.leaf, kWatchedElements) : kernels_.leaf;
    }
    static Index half_of(Index count, Index grain) { return count / 2 / grain * grain; }

    T long_line(const T* p, Index count) const {
        const Index quarter = half_of(count / 2, kLineElements);
        const auto sums = lines_at_once({p, p + quarter, p + 2 * quarter, p + 3 * quarter}, quarter);
        const T total = M{}(M{}(sums[0], sums[1]), M{}(sums[2], sums[3]));
        const Index done = kLinesAtOnce * quarter;
        return done == count ? total : M{}(total, run(p + done, count - done, 1));
    }

    std::array<T, kLinesAtOnce> lines_at_once(const Lines& from, Index count) const {
        std::array<T, kLinesAtOnce> sums;
        if (kLinesAtOnce * count >= kWatchedElements) look();
        if (count > leaf_of_lines()) {
            const Index half = half_of(count, kLineElements);
            Lines rest = from;
            for (const void*& p : rest) p = static_cast<const T*>(p) + half;
            sums = lines_at_once(from, half);
            const auto others = lines_at_once(rest, count - half);
            for (int k = 0; k < kLinesAtOnce; ++k) sums[k] = M{}(sums[k], others[k]);
        } else {
            kernels_.lines(sums.data(), from, count);
        }
        return sums;
    }

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

}}}  // namespace tenferro::TENFERRO_ABI::cpu
