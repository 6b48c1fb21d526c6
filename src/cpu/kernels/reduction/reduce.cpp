// Reductions in the order of the input's memory: what the kept axes are in is put into the result's order
// last. "Sum" stands for the reduction M, a functor of reduction.hpp.
#include "cpu/kernels/reduction/reduce.hpp"

#include <algorithm>

#include "cpu/kernels/loops/partition.hpp"
#include "cpu/kernels/loops/scratch.hpp"
#include "cpu/kernels/movement/copy.hpp"
#include "cpu/kernels/reduction/nest_sums.hpp"
#include "tenferro/tensor/dot_general.hpp"
#include "tenferro/tensor/reduction.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

constexpr Index kPiece = 1 << 15;       // elements of the input that are worth a task of their own
constexpr Index kBlockBytes = 1 << 13;  // that are added up together before they are reduced
constexpr Index kManyUnits = 16;        // enough for threads to share
constexpr Index kMostPieces = 16;       // of the terms of results that are fewer
constexpr Index kLeastSteps = 4, kEnoughSteps = 8;  // of an axis for a piece, and to cut that axis
constexpr Index kLeastTerms = 64;                   // of a piece: its sums are as many as its results
constexpr Index kMostTurned = 1 << 22;              // bytes of results that are put in order together
constexpr Index kNearTurned = 1 << 15;              // bytes of results that each may go where it belongs

/// A dtype whose elements are as wide as T, for copies.
template <class T>
constexpr DType copied_as = sizeof(T) == 1   ? DType::Bool
                            : sizeof(T) == 4 ? DType::F32
                            : sizeof(T) == 8 ? DType::F64
                                             : DType::C64;

/// Makes the kept axes dense in the result, in the order of the input.
void make_dense(ReduceAxes& axes) {
    Index size = 1;
    for (StridedAxis<2>& axis : axes) {
        if (is_reduced(axis)) continue;
        axis.stride[kResult] = size;
        size *= axis.extent;
    }
    fuse(axes);
}

/// Calls body(units), of the kind that suits these axes.
template <class M, class T, class Body>
void with_units(const Fold<M, T>& fold, const ReduceAxes& axes, const Body& body) {
    if (axes.size() > 2) {
        const ReduceStages stages(axes, kBlockBytes / static_cast<Index>(sizeof(T)));
        if (stages.pays()) return body(StagedSums<M, T>(fold, stages));
    }
    body(NestSums<M, T>(fold, axes));
}

template <class Units, class T>
void make_units(const Units& units, const T* from, T* to, Index begin, Index end) {
    Watch watch;
    units.make(from, to, begin, end, sum_memory<T>(units.memory()), watch);
}

/// The reduced axis that is cut into pieces: the slowest one that is long enough, else the longest.
StridedAxis<2>* axis_to_cut(ReduceAxes& axes) {
    StridedAxis<2>* best = nullptr;
    for (StridedAxis<2>& axis : axes)
        if (is_reduced(axis) && (best == nullptr || axis.extent >= std::min(kEnoughSteps, best->extent + 1)))
            best = &axis;
    return best;
}

/// Few results: pieces of their terms, which depend on shapes and not on the number of threads, and then the
/// sums of their sums.
template <class M, class T>
void reduce_in_pieces(const Fold<M, T>& fold, const ReduceTask<T>& task, Index pieces, CpuContext& context) {
    const Index results = task.results();
    T* const sums = reinterpret_cast<T*>(
        scratch(ScratchUse::PackedA, static_cast<std::size_t>(pieces * results) * sizeof(T)));
    context.parallel_for(pieces, [&](Index p) {
        ReduceTask<T> piece = task;
        StridedAxis<2>& cut = *axis_to_cut(piece.axes);
        const Range range = range_of(cut.extent, p, pieces);
        piece.from += range.begin * cut.stride[kInput];
        cut.extent = range.end - range.begin;
        make_dense(piece.axes);
        with_units(fold, piece.axes, [&](const auto& units) {
            make_units(units, piece.from, sums + p * results, 0, units.units());
        });
    });
    PairwiseSum<M, T> sum(fold, sum_memory<T>(memory_of_sum<T>(results, pieces)), results);
    for (Index p = 0; p < pieces; ++p) {
        fold.rows(sum.open_leaf(), results, 1, sums + p * results, 1, results);
        sum.close_leaf();
    }
    const T* total = sum.finish();
    const ReduceAxes kept = axes_of(task.axes, false);
    Odometer<2> to(kept);
    do task.to[to.in(kResult)] = *total++;
    while (to.advance());
}

/// How many pieces few results of so many elements are cut into.
Index pieces_of(ReduceAxes axes, Index elements, Index terms) {
    if (elements < 2 * kPiece) return 1;
    const StridedAxis<2>* const cut = axis_to_cut(axes);
    if (cut == nullptr) return 1;
    return std::min({kMostPieces, elements / kPiece, terms / kLeastTerms, cut->extent / kLeastSteps});
}

template <class M, class T>
void reduce_in_order(const Fold<M, T>& fold, const ReduceTask<T>& task, CpuContext& context) {
    const Index elements = size_of(task.axes),
                pieces = pieces_of(task.axes, elements, elements / task.results());
    with_units(fold, task.axes, [&](const auto& units) {
        if (pieces > 1 && units.units() < kManyUnits) return reduce_in_pieces(fold, task, pieces, context);
        for_each_range(context, units.units(), elements < kParallelElements,
                       [&](Index begin, Index end) { make_units(units, task.from, task.to, begin, end); });
    });
}

/// Results in another order than the input's: they are summed in its order first.
template <class M, class T>
void reduce_turned(const Fold<M, T>& fold, const ReduceTask<T>& task, CpuContext& context) {
    const auto bytes = task.results() * static_cast<Index>(sizeof(T));
    if (bytes > kMostTurned) {
        ReduceTask<T> half = task;
        StridedAxis<2>* longest = nullptr;
        for (StridedAxis<2>& axis : half.axes)
            if (!is_reduced(axis) && (longest == nullptr || axis.extent > longest->extent)) longest = &axis;
        const Index all = longest->extent;
        longest->extent = all / 2;
        reduce_turned(fold, half, context);
        half.from += longest->extent * longest->stride[kInput];
        half.to += longest->extent * longest->stride[kResult];
        longest->extent = all - longest->extent;
        return reduce_turned(fold, half, context);
    }
    ReduceTask<T> near = task;
    near.to = reinterpret_cast<T*>(scratch(ScratchUse::Tables, static_cast<std::size_t>(bytes)));
    make_dense(near.axes);
    reduce_in_order(fold, near, context);
    Dims shape, strides;
    for (const StridedAxis<2>& axis : axes_of(task.axes, false)) {
        shape.push_back(axis.extent);
        strides.push_back(axis.stride[kResult]);
    }
    copy(TensorRead(copied_as<T>, near.to, shape, column_major_strides(shape)),
         TensorWrite(copied_as<T>, task.to, shape, strides), context);
}

/// Neither kind of axis has long runs: walking the input in either order would use its cache lines badly.
bool is_scattered(const ReduceAxes& kept, const ReduceAxes& reduced) {
    return size_of(reduced) * size_of(kept) >= kPiece && size_of(reduced) <= kPiece && reduced.size() > 1 &&
           reduced[0].extent < kShortRun && kept[0].extent < kShortRun;
}

/// Copies pieces of the input, cut along its slowest kept axes, into near memory with the reduced axes
/// fastest, and sums runs there.
template <class M, class T>
void reduce_scattered(const Fold<M, T>& fold, const ReduceTask<T>& task, const ReduceAxes& kept,
                      const ReduceAxes& reduced, CpuContext& context) {
    Dims shape, strides;
    for (const auto& axis : reduced) {
        shape.push_back(axis.extent);
        strides.push_back(axis.stride[kInput]);
    }
    const Index terms = size_of(reduced);
    ReduceAxes inside, outside;
    Index results = 1;
    for (const auto& axis : kept) {
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

/// One axis, of too few elements for anything else.
bool is_short_run(const ReduceAxes& axes) {
    return axes.size() == 1 && is_reduced(axes[0]) && axes[0].stride[kInput] != 0 &&
           axes[0].extent <= kLeastTerms;
}

template <class M, class T>
void reduce(const Fold<M, T>& fold, const ReduceTask<T>& task, CpuContext& context) {
    if (is_short_run(task.axes)) {
        const StridedAxis<2>& run = task.axes[0];
        *task.to = fold.run(task.from, run.extent, run.stride[kInput]);
        return;
    }
    const ReduceAxes kept = axes_of(task.axes, false), reduced = axes_of(task.axes, true);
    if (kept.empty()) return reduce_in_order(fold, task, context);
    if (is_scattered(kept, reduced)) return reduce_scattered(fold, task, kept, reduced, context);
    const bool one_by_one = is_reduced(task.axes[0]) && kept[0].extent >= kShortRun &&
                            size_of(kept) * static_cast<Index>(sizeof(T)) <= kNearTurned;
    const bool in_order = std::is_sorted(kept.begin(), kept.end(), [](const auto& x, const auto& y) {
        return std::abs(x.stride[kResult]) < std::abs(y.stride[kResult]);
    });
    (one_by_one || in_order ? reduce_in_order<M, T> : reduce_turned<M, T>)(fold, task, context);
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
                          reduce_task<T>(a, free_axes(a.rank(), axes, {}), out), context);
        const T identity = M::template identity<T>();
        copy(TensorRead(out.dtype(), &identity, out.shape(), Dims(out.rank(), 0)), out, context);
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
