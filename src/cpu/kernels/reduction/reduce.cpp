// Two shapes of work. Where the input's fastest axis is reduced, each result is a sum of contiguous runs;
// where it is kept, a block of neighbouring results is accumulated row by row; so it is where a short fastest
// axis is reduced together with far ones. Both feed partial sums to a pairwise accumulator. "Sum" stands for
// the reduction M, a functor of reduction.hpp.
#include "cpu/kernels/reduction/reduce.hpp"

#include <algorithm>
#include <vector>

#include "cpu/kernels/loops/scratch.hpp"
#include "cpu/kernels/loops/strided_loop.hpp"
#include "cpu/kernels/loops/watched.hpp"
#include "cpu/kernels/movement/copy.hpp"
#include "cpu/kernels/reduction/fold.hpp"
#include "cpu/kernels/reduction/pairwise_sum.hpp"
#include "cpu/kernels/reduction/reduced_axes.hpp"
#include "tenferro/base/error_allocator.hpp"
#include "tenferro/tensor/dot_general.hpp"
#include "tenferro/tensor/reduction.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

constexpr Index kBlockBytes = 8192;  // of neighbouring results accumulated together: long streams
constexpr Index kLeafRows = 32;      // rows added plainly into a block
constexpr Index kLeafTerms = 128;    // of short runs, and rows of a narrow block, that are added plainly
constexpr Index kShortRun = 16;      // elements
constexpr Index kTinyRun = 4;        // elements of which vectors are not worth while
constexpr Index kManyResults = 64;   // enough for threads to share
constexpr Index kAloneElements = 1 << 18;  // of an input that one thread reduces as well
constexpr Index kPiece = 1 << 15;          // elements of a scattered input that are put in order together
constexpr Index kChunk = 1 << 16;          // unit of parallel work when there is a single result

/// A dtype whose elements are as wide as T, for copies.
template <class T>
constexpr DType copied_as = sizeof(T) == 1   ? DType::Bool
                            : sizeof(T) == 4 ? DType::F32
                            : sizeof(T) == 8 ? DType::F64
                                             : DType::C64;

/// The rows [begin, end) of the reduced axes.
template <class M, class T>
T sum_rows(const Fold<M, T>& fold, const T* from, const Reduced& reduced, Index begin, Index end) {
    PairwiseSum<M, T> sum(fold, 1);
    Odometer<1> rows(reduced.axes, begin);
    const Index together = std::max<Index>(kLeafTerms / reduced.run, 1);
    while (begin < end) {
        T* const leaf = sum.open_leaf();
        for (const Index last = std::min(begin + together, end); begin < last; ++begin, rows.advance())
            *leaf = M{}(*leaf, fold.run(from + rows.in(0), reduced.run, reduced.run_stride));
        sum.close_leaf();
    }
    return *sum.finish();
}

/// One result, in chunks of fixed size: neither they nor the order of their sum depend on the number of
/// threads.
template <class M, class T>
void sum_single(const Fold<M, T>& fold, const T* from, const Reduced& reduced, T* out, CpuContext& context) {
    const Index rows = size_of(reduced.axes), chunk_rows = std::max<Index>(kChunk / reduced.run, 1);
    const bool by_rows = rows > 1;
    const Index chunks = by_rows ? (rows + chunk_rows - 1) / chunk_rows : (reduced.run + kChunk - 1) / kChunk;
    const auto chunk = [&](Index c) {
        if (by_rows)
            return sum_rows(fold, from, reduced, c * chunk_rows, std::min((c + 1) * chunk_rows, rows));
        const Index count = std::min(kChunk, reduced.run - c * kChunk);
        return fold.run(from + c * kChunk * reduced.run_stride, count, reduced.run_stride);
    };
    if (chunks == 1) {
        *out = chunk(0);
        return;
    }
    std::vector<T, ErrorAllocator<T>> partial(static_cast<std::size_t>(chunks));
    context.parallel_for(chunks, [&](Index c) { partial[static_cast<std::size_t>(c)] = chunk(c); });
    *out = fold.run(partial.data(), chunks, 1);
}

/// `count` neighbouring results, `stride` apart in the input.
template <class M, class T>
void sum_block(const Fold<M, T>& fold, const T* from, Index count, Index stride, const Reduced& reduced,
               T* out, Index out_stride, Watch& watch) {
    const Index plain_rows = count < kShortRun ? kLeafTerms : kLeafRows;
    const Index leaf_rows = kAnyOrder<M, T> ? std::max(kWatchedElements / count, kLeafRows) : plain_rows;
    if (reduced.axes.empty() && reduced.run <= leaf_rows && out_stride == 1) {
        std::fill_n(out, count, M::template identity<T>());
        fold.rows(out, count, stride, from, reduced.run, reduced.run_stride);
        watch.did(count * reduced.run);
        return;
    }
    PairwiseSum<M, T> sum(fold, count);
    T* leaf = sum.open_leaf();
    Odometer<1> rows(reduced.axes);
    do {
        const T* row = from + rows.in(0);
        for (Index first = 0; first < reduced.run; first += leaf_rows) {
            const Index here = std::min(leaf_rows, reduced.run - first);
            fold.rows(leaf, count, stride, row + first * reduced.run_stride, here, reduced.run_stride);
            watch.did(here * count);
            if constexpr (!kAnyOrder<M, T>) {
                sum.close_leaf();
                leaf = sum.open_leaf();
            }
        }
    } while (rows.advance());
    if constexpr (kAnyOrder<M, T>) sum.close_leaf();
    const T* const total = sum.finish();
    for (Index i = 0; i < count; ++i) out[i * out_stride] = total[i];
}

/// The same for results whose runs lie one after the other.
template <class M, class T>
void sum_block_of_runs(const Fold<M, T>& fold, const T* from, Index count, Index stride,
                       const Reduced& reduced, T* out, Index out_stride, Watch& watch) {
    PairwiseSum<M, T> sum(fold, count);
    Odometer<1> rows(reduced.axes);
    do {
        fold.runs(sum.open_leaf(), 1, from + rows.in(0), count, stride, reduced.run);
        sum.close_leaf();
        watch.did(count * reduced.run);
    } while (rows.advance());
    const T* const total = sum.finish();
    for (Index i = 0; i < count; ++i) out[i * out_stride] = total[i];
}

/// The kept axes as axes of the input and of the result, fused, the result's fastest first.
struct Kept {
    Axes<2> axes;
    Offsets<2> base;
};

/// Neither kind of axis has long runs: walking the input in either order would use its cache lines badly.
bool is_scattered(const Reduced& reduced, const Kept& kept) {
    return reduced.run < kShortRun && !reduced.axes.empty() && kept.axes[0].extent < kShortRun;
}

/// Copies pieces of the input, cut along the kept axes that are slowest in it, into near memory with the
/// reduced axes fastest, and sums runs there.
template <class M, class T>
void sum_scattered(const Fold<M, T>& fold, const T* from, const Reduced& reduced, const Kept& kept, T* to,
                   CpuContext& context) {
    auto by_input = kept.axes;
    std::stable_sort(by_input.begin(), by_input.end(), [](const auto& x, const auto& y) {
        return std::abs(x.stride[1]) < std::abs(y.stride[1]);
    });
    Dims shape{reduced.run}, strides{reduced.run_stride};
    for (const auto& axis : reduced.axes) {
        shape.push_back(axis.extent);
        strides.push_back(axis.stride[0]);
    }
    const Index terms = element_count(shape, "reduce");
    Axes<2> inside, outside;
    Index results = 1;
    for (const auto& axis : by_input) {
        if (!outside.empty() || terms * results * axis.extent > kPiece) {
            outside.push_back(axis);
            continue;
        }
        inside.push_back(axis);
        results *= axis.extent;
        shape.push_back(axis.extent);
        strides.push_back(axis.stride[1]);
    }
    const Dims packed = column_major_strides(shape);
    context.parallel_for(size_of(outside), [&](Index piece) {
        const Odometer<2> at(outside, piece);
        T* const near = reinterpret_cast<T*>(
            scratch(ScratchUse::PackedB, static_cast<std::size_t>(terms * results) * sizeof(T)));
        copy(TensorRead(copied_as<T>, from + at.in(1), shape, strides),
             TensorWrite(copied_as<T>, near, shape, packed), context);
        Odometer<2> result(inside, 0, at.at());
        for (Index r = 0; r < results; ++r, result.advance())
            to[result.in(0)] = fold.run(near + r * terms, terms, 1);
    });
}

template <class M, class T>
void reduce(const Fold<M, T>& fold, const TensorRead& a, std::span<const Index> axes, const TensorWrite& out,
            CpuContext& context) {
    const Reduced reduced = reduced_axes(a, axes);
    Dims kept_strides;
    for (const Index axis : free_axes(a.rank(), axes, {})) kept_strides.push_back(a.strides()[axis]);
    const T* from = static_cast<const T*>(a.data()) + reduced.base;
    T* to = static_cast<T*>(out.data());
    if (out.size() == 1) return sum_single(fold, from, reduced, to, context);
    const Index terms = a.size() / out.size();
    if (a.size() >= kPiece && terms <= kPiece) {
        Kept kept;
        kept.axes = fused_axes<2>(out.shape(), {&out.strides(), &kept_strides}, kept.base);
        if (is_scattered(reduced, kept))
            return sum_scattered(fold, from + kept.base[1], reduced, kept, to + kept.base[0], context);
    }
    const StridedLoop<2> loop(out.shape(), {&out.strides(), &kept_strides});
    const Offsets<2> stride = loop.run_stride();
    const bool along_rows =
        reduced.run_stride != 0 && (stride[1] == 0 || std::abs(reduced.run_stride) < std::abs(stride[1]));
    const Index wide = kBlockBytes / static_cast<Index>(sizeof(T));
    // Results one after the other whose runs are short, or whose far axes are walked together.
    const bool is_interleaved =
        along_rows && reduced.run < wide && stride[1] > 0 &&
        loop.run_extent() >= (reduced.run < kShortRun ? kShortRun : 2) &&
        (reduced.axes.empty() ? reduced.run < kTinyRun : stride[1] < reduced.axes[0].stride[0]);
    const bool by_runs = is_interleaved && reduced.run >= kShortRun &&
                         (out.size() >= kManyResults || a.size() <= kAloneElements) &&
                         fold.takes_lines(reduced.run, reduced.run_stride);
    const bool in_blocks = !along_rows || by_runs || (is_interleaved && reduced.run < kShortRun);
    const Index block = in_blocks ? wide : 1;
    const bool by_lines = !in_blocks && reduced.axes.empty() && loop.run_extent() >= kShortRun &&
                          fold.takes_lines(reduced.run, reduced.run_stride);
    const auto tile = [&](const Offsets<2>& origin, std::span<const Offsets<2>> rows, Index count) {
        Watch watch;
        for (const auto& row : rows) {
            const T* const start = from + origin[1] + row[1];
            T* const result = to + origin[0] + row[0];
            if (by_lines) {
                fold.runs(result, stride[0], start, count, stride[1], reduced.run);
                continue;
            }
            for (Index i = 0; i < count; i += block) {
                const T* p = start + i * stride[1];
                T* q = result + i * stride[0];
                if (in_blocks) {
                    (by_runs ? sum_block_of_runs<M, T> : sum_block<M, T>)(fold, p, std::min(block, count - i),
                                                                          stride[1], reduced, q, stride[0],
                                                                          watch);
                    continue;
                }
                if (reduced.axes.empty())
                    *q = fold.run(p, reduced.run, reduced.run_stride);
                else
                    sum_single(fold, p, reduced, q, context);
                watch.did(terms);
            }
        }
    };
    loop.run(context, tile, terms);
}

}  // namespace

void reduce(OpId op, const TensorRead& a, std::span<const Index> axes, const TensorWrite& out,
            CpuContext& context) {
    if (out.size() == 0) return;
    reduction::visit(op, out.dtype(), [&]<class Element>(auto functor) {
        using M = decltype(functor);
        using T = std::conditional_t<std::is_same_v<Element, bool>, std::uint8_t,
                                     Element>;  // std::vector<bool> has no data()
        if (a.size() != 0) return reduce(Fold<M, T>(op, out.dtype(), a.size()), a, axes, out, context);
        const T identity = M::template identity<T>();
        copy(TensorRead(out.dtype(), &identity, out.shape(), Dims(out.rank(), 0)), out, context);
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
