// Reductions in the order of the input's memory: what the kept axes are in is put into the result's order
// last. "Sum" stands for the reduction M, a functor of reduction.hpp.
#include "cpu/kernels/reduction/reduce.hpp"

#include <algorithm>
#include <vector>

#include "cpu/kernels/loops/partition.hpp"
#include "cpu/kernels/loops/scratch.hpp"
#include "cpu/kernels/movement/copy.hpp"
#include "cpu/kernels/reduction/line_sums.hpp"
#include "tenferro/base/error_allocator.hpp"
#include "tenferro/tensor/dot_general.hpp"
#include "tenferro/tensor/reduction.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

constexpr Index kPiece = 1 << 15;       // elements of the input that are worth a task of their own
constexpr Index kManyUnits = 16;        // enough for threads to share
constexpr Index kMostPieces = 32;       // of the terms of results that are fewer
constexpr Index kLeastTerms = 64;       // of a piece: its sums are as many as its results
constexpr Index kMostTurned = 1 << 22;  // bytes of results that are put in order together

/// A dtype whose elements are as wide as T, for copies.
template <class T>
constexpr DType copied_as = sizeof(T) == 1   ? DType::Bool
                            : sizeof(T) == 4 ? DType::F32
                            : sizeof(T) == 8 ? DType::F64
                                             : DType::C64;

/// The same axes as dense ones, in their order, in tensor k.
template <std::size_t N>
void make_dense(Axes<N>& axes, std::size_t k) {
    Index size = 1;
    for (StridedAxis<N>& axis : axes) {
        axis.stride[k] = size;
        size *= axis.extent;
    }
    fuse(axes);
}

/// Units of results that threads may share.
struct Units {
    Index along_row, in_all;
};
template <class M, class T>
Units units_of(const LineSums<M, T>& line, const ReduceTask<T>& task) {
    const Index row = task.row().extent, along_row = (row + line.unit() - 1) / line.unit();
    return {along_row, task.results() / row * along_row};
}

template <class M, class T>
void reduce_units(const Fold<M, T>& fold, const ReduceTask<T>& task, CpuContext& context, bool alone) {
    const LineSums<M, T> line(fold, task);
    const Units units = units_of(line, task);
    const auto [row, stride] = task.row();
    for_each_range(context, units.in_all, alone, [&](Index begin, Index end) {
        PairwiseSum<M, T> sum(fold, 1);
        Watch watch;
        Odometer<2> rows(task.kept, begin / units.along_row, {}, 1);
        for (Index unit = begin % units.along_row; begin < end; unit = 0, rows.advance()) {
            const Index here = std::min(units.along_row - unit, end - begin), first = unit * line.unit();
            line.make(task.from + rows.in(kInput) + first * stride[kInput],
                      task.to + rows.in(kResult) + first * stride[kResult],
                      std::min(here * line.unit(), row - first), sum, watch);
            begin += here;
        }
    });
}

/// The reduced axis that is cut into pieces: the slowest one that is long enough, else the longest.
template <class T>
StridedAxis<1>& axis_to_cut(ReduceTask<T>& task, StridedAxis<1>& run, Index pieces) {
    StridedAxis<1>* longest = &run;
    for (StridedAxis<1>& axis : task.reduced.axes)
        if (axis.extent >= std::min(pieces, longest->extent + 1)) longest = &axis;
    return *longest;
}

/// Few results: pieces of their terms, which depend on shapes and not on the number of threads, and then the
/// sums of their sums.
template <class M, class T>
void reduce_in_pieces(const Fold<M, T>& fold, const ReduceTask<T>& task, Index pieces, CpuContext& context) {
    const Index results = task.results();
    std::vector<T, ErrorAllocator<T>> sums(static_cast<std::size_t>(pieces * results));
    context.parallel_for(pieces, [&](Index p) {
        ReduceTask<T> piece = task;
        StridedAxis<1> run{task.reduced.run, {task.reduced.run_stride}};
        StridedAxis<1>& cut = axis_to_cut(piece, run, pieces);
        const Range range = range_of(cut.extent, p, pieces);
        piece.from += range.begin * cut.stride[0];
        cut.extent = range.end - range.begin;
        piece.reduced.run = run.extent;
        piece.to = sums.data() + p * results;
        make_dense(piece.kept, kResult);
        reduce_units(fold, piece, context, true);
    });
    PairwiseSum<M, T> sum(fold, results);
    for (Index p = 0; p < pieces; ++p) {
        fold.rows(sum.open_leaf(), results, 1, sums.data() + p * results, 1, results);
        sum.close_leaf();
    }
    const T* total = sum.finish();
    Odometer<2> to(task.kept);
    do task.to[to.in(kResult)] = *total++;
    while (to.advance());
}

template <class M, class T>
void reduce_in_order(const Fold<M, T>& fold, const ReduceTask<T>& task, CpuContext& context) {
    const Index terms = task.reduced.terms(), elements = terms * task.results();
    if (elements >= 2 * kPiece) {
        const Index units = units_of(LineSums<M, T>(fold, task), task).in_all;
        Index longest = task.reduced.run;
        for (const auto& axis : task.reduced.axes) longest = std::max(longest, axis.extent);
        const Index pieces = std::min({kMostPieces, elements / kPiece, terms / kLeastTerms, longest});
        if (units < kManyUnits && pieces > 1) return reduce_in_pieces(fold, task, pieces, context);
    }
    reduce_units(fold, task, context, elements < kParallelElements);
}

/// Results in another order than the input's: they are summed in its order first.
template <class M, class T>
void reduce_turned(const Fold<M, T>& fold, const ReduceTask<T>& task, CpuContext& context) {
    const auto bytes = task.results() * static_cast<Index>(sizeof(T));
    if (bytes > kMostTurned) {
        ReduceTask<T> half = task;
        auto& axis = *std::max_element(half.kept.begin(), half.kept.end(),
                                       [](const auto& x, const auto& y) { return x.extent < y.extent; });
        const Index all = axis.extent;
        axis.extent = all / 2;
        reduce_turned(fold, half, context);
        half.from += axis.extent * axis.stride[kInput];
        half.to += axis.extent * axis.stride[kResult];
        axis.extent = all - axis.extent;
        return reduce_turned(fold, half, context);
    }
    ReduceTask<T> near = task;
    near.to = reinterpret_cast<T*>(scratch(ScratchUse::Tables, static_cast<std::size_t>(bytes)));
    make_dense(near.kept, kResult);
    reduce_in_order(fold, near, context);
    Dims shape, strides;
    for (const StridedAxis<2>& axis : task.kept) {
        shape.push_back(axis.extent);
        strides.push_back(axis.stride[kResult]);
    }
    copy(TensorRead(copied_as<T>, near.to, shape, column_major_strides(shape)),
         TensorWrite(copied_as<T>, task.to, shape, strides), context);
}

/// Neither kind of axis has long runs: walking the input in either order would use its cache lines badly.
template <class T>
bool is_scattered(const ReduceTask<T>& task) {
    const Reduced& reduced = task.reduced;
    return reduced.terms() * task.results() >= kPiece && reduced.terms() <= kPiece &&
           reduced.run < kShortRun && !reduced.axes.empty() && task.row().extent < kShortRun;
}

/// Copies pieces of the input, cut along its slowest kept axes, into near memory with the reduced axes
/// fastest, and sums runs there.
template <class M, class T>
void reduce_scattered(const Fold<M, T>& fold, const ReduceTask<T>& task, CpuContext& context) {
    const Reduced& reduced = task.reduced;
    Dims shape{reduced.run}, strides{reduced.run_stride};
    for (const auto& axis : reduced.axes) {
        shape.push_back(axis.extent);
        strides.push_back(axis.stride[0]);
    }
    const Index terms = reduced.terms();
    Axes<2> inside, outside;
    Index results = 1;
    for (const auto& axis : task.kept) {
        if (!outside.empty() || terms * results * axis.extent > kPiece) {
            outside.push_back(axis);
            continue;
        }
        inside.push_back(axis);
        results *= axis.extent;
        shape.push_back(axis.extent);
        strides.push_back(axis.stride[kInput]);
    }
    const Dims packed = column_major_strides(shape);
    context.parallel_for(size_of(outside), [&](Index piece) {
        const Odometer<2> at(outside, piece);
        T* const near = reinterpret_cast<T*>(
            scratch(ScratchUse::PackedB, static_cast<std::size_t>(terms * results) * sizeof(T)));
        copy(TensorRead(copied_as<T>, task.from + at.in(kInput), shape, strides),
             TensorWrite(copied_as<T>, near, shape, packed), context);
        Odometer<2> result(inside, 0, at.at());
        for (Index r = 0; r < results; ++r, result.advance())
            task.to[result.in(kResult)] = fold.run(near + r * terms, terms, 1);
    });
}

template <class M, class T>
void reduce(const Fold<M, T>& fold, const ReduceTask<T>& task, CpuContext& context) {
    if (is_scattered(task)) return reduce_scattered(fold, task, context);
    const bool in_order =
        std::is_sorted(task.kept.begin(), task.kept.end(), [](const auto& x, const auto& y) {
            return std::abs(x.stride[kResult]) < std::abs(y.stride[kResult]);
        });
    (in_order ? reduce_in_order<M, T> : reduce_turned<M, T>)(fold, task, context);
}

}  // namespace

void reduce(OpId op, const TensorRead& a, std::span<const Index> axes, const TensorWrite& out,
            CpuContext& context) {
    if (out.size() == 0) return;
    reduction::visit(op, out.dtype(), [&]<class Element>(auto functor) {
        using M = decltype(functor);
        using T = std::conditional_t<std::is_same_v<Element, bool>, std::uint8_t,
                                     Element>;  // std::vector<bool> has no data()
        if (a.size() != 0)
            return reduce(Fold<M, T>(op, out.dtype(), a.size()),
                          reduce_task<T>(a, axes, free_axes(a.rank(), axes, {}), out), context);
        const T identity = M::template identity<T>();
        copy(TensorRead(out.dtype(), &identity, out.shape(), Dims(out.rank(), 0)), out, context);
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
