// The walk over a batch of small matrices in groups, one matrix in each lane. The last group is filled
// up with its last matrix, so that every matrix of a batch is computed in a lane whatever the threads. One
// that is not finite, is scaled or is not good in its lane is computed alone, where its errors are.
#pragma once

#include "linalg/batch.hpp"
#include "linalg/kernels/matrix_kernels.hpp"
#include "linalg/small/across.hpp"
#include "linalg/small/lanes.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// Packs slices [first, first + count), the last repeated.
template <class T>
void pack(const LaneKernels<RealOf<T>>& kernels, const Slices<T>& slices, Index first, Index count,
          const Index* offsets, RealOf<T>* to, RealOf<T>* largest) {
    const RealOf<T>* from[kMostLanes];
    for (Index lane = 0; lane < kernels.lanes; ++lane)
        from[lane] = reinterpret_cast<const RealOf<T>*>(slices.at(first + std::min(lane, count - 1)));
    kernels.pack(slices.rows() * slices.columns() * kernels.parts, from, offsets, to, largest);
}

/// The matrices [first, first + count) of a batch, in lanes.
template <class T>
struct LaneGroup {
    using R = RealOf<T>;

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
            if (is_used(lane)) f(first + lane, lane);
    }
    [[nodiscard]] bool is_used(Index lane) const { return lane < count && plain[lane] && good[lane] != 0; }
    /// Marks lanes that `f`(matrix, lane) does not hold for as not there.
    template <class F>
    void require(F&& f) const {
        for (Index lane = 0; lane < count; ++lane) plain[lane] = plain[lane] && f(first + lane, lane);
    }
    /// Element i of a lane, and its place.
    [[nodiscard]] T get(const R* from, Index i, Index lane) const {
        const R* const at = from + i * kernels.parts * kernels.lanes + lane;
        if constexpr (is_complex<T>)
            return {at[0], at[kernels.lanes]};
        else
            return *at;
    }
    /// Element i of all lanes.
    void copy(const R* from, Index i, R* to, Index j) const {
        const Index width = kernels.parts * kernels.lanes;
        std::copy_n(from + i * width, width, to + j * width);
    }
    /// Of one lane.
    void copy_lane(Index lane, const R* from, Index i, R* to, Index j) const {
        constexpr Index kParts = is_complex<T> ? 2 : 1;
        for (Index part = 0; part < kParts; ++part)
            to[(j * kParts + part) * kernels.lanes + lane] = from[(i * kParts + part) * kernels.lanes + lane];
    }
    void put(T value, R* to, Index i, Index lane) const {
        R* const at = to + i * kernels.parts * kernels.lanes + lane;
        at[0] = std::real(value);
        if constexpr (is_complex<T>) at[kernels.lanes] = std::imag(value);
    }
    /// The elements [0, count) of the results that are to be used, each to place(matrix).
    template <class F>
    void give(const R* from, Index elements, F&& place) const {
        R* to[kMostLanes];
        for (Index lane = 0; lane < kernels.lanes; ++lane)
            to[lane] = is_used(lane) ? reinterpret_cast<R*>(place(first + lane)) : nullptr;
        kernels.unpack(elements * kernels.parts, from, to);
    }
    /// The same of complex numbers, whatever the elements of the matrices are.
    template <class F>
    void give_complex(const R* from, Index numbers, F&& place) const {
        give(from, 2 * numbers / kernels.parts, place);
    }
    /// Room for elements, for real numbers.
    [[nodiscard]] R* room(Index elements) const {
        return scratch.take<R>(elements * kernels.parts * kernels.lanes);
    }
    [[nodiscard]] R* real_room(Index numbers) const { return scratch.take<R>(numbers * kernels.lanes); }
    /// The slices of the same numbers of another operand, whose rows are its columns with `transposed`. Lanes
    /// whose slice is not finite, or too large or small, are not there.
    [[nodiscard]] R* operand(const Slices<T>& slices, bool transposed = false) const {
        R* const packed = room(slices.rows() * slices.columns());
        R largest[kMostLanes];
        pack(kernels, slices, first, count, slices.offsets(transposed, scratch), packed, largest);
        for (Index lane = 0; lane < kernels.lanes; ++lane)
            plain[lane] = plain[lane] && (largest[lane] == 0 || is_moderate(largest[lane]));
        return packed;
    }
};

template <class T, class Group, class Single>
std::optional<Failure> walk_in_lanes(const Slices<T>& matrices, Index first, Index last, Scratch& scratch,
                                     Group&& group, Single&& single) {
    using R = RealOf<T>;
    const LaneKernels<R> kernels = lane_kernels<T>();
    const Index lanes = kernels.lanes, elements = matrices.rows() * matrices.columns();
    const Index* const offsets = matrices.offsets(false, scratch);
    R *const a = scratch.take<R>(elements * kernels.parts * lanes), *const good = scratch.take<R>(lanes);
    bool plain[kMostLanes];
    R largest[kMostLanes];
    for (Index from = first; from < last; from += lanes) {
        const Scratch::Frame frame(scratch);
        const LaneGroup<T> here{kernels, from, std::min(lanes, last - from), scratch, plain, good, a};
        pack(kernels, matrices, from, here.count, offsets, a, largest);
        for (Index lane = 0; lane < lanes; ++lane) {
            plain[lane] = is_moderate(largest[lane]);
            good[lane] = 1;
            if (plain[lane]) continue;
            for (Index i = 0; i < elements; ++i)
                here.put(i % (matrices.rows() + 1) == 0 ? T(1) : T(0), a, i, lane);
        }
        group(here);
        for (Index i = from; i < from + here.count; ++i)
            if (!plain[i - from] || good[i - from] == 0) {
                const Scratch::Frame alone(scratch);
                if (MaybeProblem problem = single(i, scratch)) return Failure{i, std::move(*problem)};
            }
    }
    return std::nullopt;
}

/// How many decompositions by rotations of matrices with k rows or columns are worth a group: real ones are
/// quick one after the other too, each across lanes.
template <class T>
[[nodiscard]] Index fewest_decomposed_in_lanes(Index k) {
    if constexpr (!is_complex<T>)
        if (k <= across_kernels<T>().lanes) return std::max(kFewestInLanes, k);
    return kFewestInLanes;
}

/// for_each_matrix, in lanes where `kernels` and the matrices, at least `fewest` of at most `largest` rows
/// and columns, are such: compute(group) computes a group and stores its results, and marks in `good` what is
/// not.
template <class T, class Single, class Compute>
void for_each_small(BackendSession& session, const MatrixKernelSet& kernels, std::string_view op,
                    DimsView batch, double flops, const Slices<T>& matrices, Single&& single,
                    Compute&& compute, Index largest = kLargestInLanes, Index fewest = kFewestInLanes) {
    const Index rows = matrices.rows(), columns = matrices.columns();
    if (std::max(rows, columns) > largest || rows == 0 || columns == 0 || batch_count(batch) < fewest ||
        &kernels == &reference_kernels())
        return for_each_matrix(session, op, batch, flops, single);
    for_each_range(session, op, batch, flops, [&](Index first, Index last, Scratch& scratch) {
        return walk_in_lanes<T>(matrices, first, last, scratch, compute, single);
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
