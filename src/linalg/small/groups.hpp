// The walk over a batch of small real matrices in groups, one matrix in each lane. The last group is filled
// up with its last matrix, so that every matrix of a batch is computed in a lane whatever the threads. One
// that is not finite, is scaled or is not good in its lane is computed alone, where its errors are.
#pragma once

#include "linalg/batch.hpp"
#include "linalg/kernels/matrix_kernels.hpp"
#include "linalg/small/lanes.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// The matrices [first, first + count) of a batch, in lanes.
template <class R>
struct LaneGroup {
    const LaneKernels<R>& kernels;
    Index first, count;
    const bool* plain;  ///< which of them are there
    R* a;               ///< their elements
    R* good;            ///< 1 where the result is to be used, which all are at first

    /// Calls f(matrix, lane) for the results that are to be used.
    template <class F>
    void each(F&& f) const {
        for (Index lane = 0; lane < count; ++lane)
            if (plain[lane] && good[lane] != 0) f(first + lane, lane);
    }
    /// Element i of a lane to `to`, for i below `elements`.
    template <class T>
    void take(const R* from, Index lane, Index elements, T* to) const {
        for (Index i = 0; i < elements; ++i) to[i] = static_cast<T>(from[i * kernels.lanes + lane]);
    }
};

template <class R, class Group, class Single>
std::optional<Failure> walk_in_lanes(const Slices<R>& matrices, Index first, Index last, Scratch& scratch,
                                     Group&& group, Single&& single) {
    const LaneKernels<R> kernels = lane_kernels<R>();
    const Index lanes = kernels.lanes, elements = matrices.rows() * matrices.columns();
    R *const a = scratch.take<R>(elements * lanes), *const good = scratch.take<R>(lanes),
             *const one = scratch.take<R>(elements);
    bool plain[kMostLanes];
    for (Index from = first; from < last; from += lanes) {
        const Scratch::Frame frame(scratch);
        for (Index lane = 0; lane < lanes; ++lane) {
            const auto largest = matrices.copy(std::min(from + lane, last - 1), one);
            plain[lane] = largest && *largest != 0 && scale_exponent(*largest) == 0;
            for (Index i = 0; i < elements; ++i)
                a[i * lanes + lane] = plain[lane] ? one[i] : static_cast<R>(i % (matrices.rows() + 1) == 0);
            good[lane] = 1;
        }
        group(LaneGroup<R>{kernels, from, std::min(lanes, last - from), plain, a, good}, scratch);
        for (Index i = from; i < std::min(from + lanes, last); ++i)
            if (!plain[i - from] || good[i - from] == 0) {
                const Scratch::Frame alone(scratch);
                if (MaybeProblem problem = single(i, scratch)) return Failure{i, std::move(*problem)};
            }
    }
    return std::nullopt;
}

/// for_each_matrix, in lanes where `kernels` and the matrices are such: compute(group, scratch) computes a
/// group, marks in `good` what is not, and give(group, matrix, lane) stores a result.
template <class T, class Single, class Compute>
void for_each_small(BackendSession& session, const MatrixKernelSet& kernels, std::string_view op,
                    DimsView batch, double flops, const Slices<T>& matrices, Single&& single,
                    Compute&& compute) {
    if constexpr (!is_complex<T>) {
        const Index largest = std::max(matrices.rows(), matrices.columns());
        const Index least = std::min(matrices.rows(), matrices.columns());
        if (largest <= kLargestInLanes && least > 0 && batch_count(batch) >= kFewestInLanes &&
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
