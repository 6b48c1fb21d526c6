// The walk over a batch of small real matrices in groups, one matrix in each lane. The last group is filled
// up with its last matrix, so that every matrix of a batch is computed in a lane whatever the threads. One
// that is not finite, is scaled or is not good in its lane is computed alone, where its errors are.
#pragma once

#include "linalg/batch.hpp"
#include "linalg/kernels/matrix_kernels.hpp"
#include "linalg/small/lanes.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// Packs slices [first, first + count), the last repeated.
template <class R>
void pack(const LaneKernels<R>& kernels, const Slices<R>& slices, Index first, Index count,
          const Index* offsets, R* to, R* largest) {
    const R* from[kMostLanes];
    for (Index lane = 0; lane < kernels.lanes; ++lane)
        from[lane] = slices.at(first + std::min(lane, count - 1));
    kernels.pack(slices.rows() * slices.columns(), from, offsets, to, largest);
}

/// The matrices [first, first + count) of a batch, in lanes.
template <class R>
struct LaneGroup {
    const LaneKernels<R>& kernels;
    Index first, count;
    Scratch& scratch;
    bool* plain;  ///< which of them are there
    R* good;      ///< 1 where the result is to be used, which all are at first
    R* a;         ///< their elements

    /// Calls f(matrix, lane) for the results that are to be used.
    template <class F>
    void each(F&& f) const {
        for (Index lane = 0; lane < count; ++lane)
            if (plain[lane] && good[lane] != 0) f(first + lane, lane);
    }
    /// Marks lanes that `f`(matrix) does not hold for as not there.
    template <class F>
    void require(F&& f) const {
        for (Index lane = 0; lane < count; ++lane) plain[lane] = plain[lane] && f(first + lane);
    }
    /// Element i of a lane to `to`, for i below `elements`.
    template <class T>
    void take(const R* from, Index lane, Index elements, T* to) const {
        for (Index i = 0; i < elements; ++i) to[i] = static_cast<T>(from[i * kernels.lanes + lane]);
    }
    template <class T>
    [[nodiscard]] T* room(Index elements) const {
        return scratch.take<T>(elements * kernels.lanes);
    }
    /// The slices of the same numbers of another operand, whose rows are its columns with `transposed`. Lanes
    /// whose slice is not finite, or too large or small, are not there.
    [[nodiscard]] R* operand(const Slices<R>& slices, bool transposed = false) const {
        R* const packed = room<R>(slices.rows() * slices.columns());
        R largest[kMostLanes];
        pack(kernels, slices, first, count, slices.offsets(transposed, scratch), packed, largest);
        for (Index lane = 0; lane < kernels.lanes; ++lane)
            plain[lane] = plain[lane] && std::isfinite(largest[lane]) && scale_exponent(largest[lane]) == 0;
        return packed;
    }
};

template <class R, class Group, class Single>
std::optional<Failure> walk_in_lanes(const Slices<R>& matrices, Index first, Index last, Scratch& scratch,
                                     Group&& group, Single&& single) {
    const LaneKernels<R> kernels = lane_kernels<R>();
    const Index lanes = kernels.lanes, elements = matrices.rows() * matrices.columns();
    const Index* const offsets = matrices.offsets(false, scratch);
    R *const a = scratch.take<R>(elements * lanes), *const good = scratch.take<R>(lanes);
    bool plain[kMostLanes];
    R largest[kMostLanes];
    for (Index from = first; from < last; from += lanes) {
        const Scratch::Frame frame(scratch);
        const Index count = std::min(lanes, last - from);
        pack(kernels, matrices, from, count, offsets, a, largest);
        for (Index lane = 0; lane < lanes; ++lane) {
            plain[lane] =
                std::isfinite(largest[lane]) && largest[lane] != 0 && scale_exponent(largest[lane]) == 0;
            good[lane] = 1;
            if (plain[lane]) continue;
            for (Index i = 0; i < elements; ++i)
                a[i * lanes + lane] = static_cast<R>(i % (matrices.rows() + 1) == 0);
        }
        group(LaneGroup<R>{kernels, from, count, scratch, plain, good, a});
        for (Index i = from; i < from + count; ++i)
            if (!plain[i - from] || good[i - from] == 0) {
                const Scratch::Frame alone(scratch);
                if (MaybeProblem problem = single(i, scratch)) return Failure{i, std::move(*problem)};
            }
    }
    return std::nullopt;
}

/// for_each_matrix, in lanes where `kernels` and the matrices, of at most `largest` rows and columns, are
/// such: compute(group) computes a group and stores its results, and marks in `good` what is not.
template <class T, class Single, class Compute>
void for_each_small(BackendSession& session, const MatrixKernelSet& kernels, std::string_view op,
                    DimsView batch, double flops, const Slices<T>& matrices, Single&& single,
                    Compute&& compute, Index largest = kLargestInLanes) {
    if constexpr (!is_complex<T>) {
        if (std::max(matrices.rows(), matrices.columns()) <= largest && matrices.rows() > 0 &&
            matrices.columns() > 0 && batch_count(batch) >= kFewestInLanes &&
            &kernels != &reference_kernels()) {
            for_each_range(session, op, batch, flops, [&](Index first, Index last, Scratch& scratch) {
                return walk_in_lanes<T>(matrices, first, last, scratch, compute, single);
            });
            return;
        }
    }
    for_each_matrix(session, op, batch, flops, single);
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
