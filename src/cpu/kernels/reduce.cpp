// Two shapes of work. Where the input's fastest axis is reduced, each result is a sum of contiguous runs; where it is kept,
// a block of neighbouring results is accumulated row by row. Both feed partial sums to a pairwise accumulator. "Sum" stands
// for the reduction M, a functor of reduction.hpp.
#include "cpu/kernels/reduce.hpp"

#include <algorithm>
#include <vector>

#include "cpu/kernels/elementwise.hpp"
#include "cpu/kernels/scratch.hpp"
#include "cpu/kernels/strided_loop.hpp"
#include "tenferro/tensor/dot_general.hpp"
#include "tenferro/tensor/reduction.hpp"

namespace tenferro::inline TENFERRO_ABI::cpu {

namespace {

constexpr Index kLeaf = 128;         // elements added plainly before pairwise summation starts
constexpr Index kBlockBytes = 4096;  // of neighbouring results that are accumulated together: long streams from memory
constexpr Index kLeafRows = 16;      // rows added plainly into a block
constexpr Index kShortRun = 16;      // elements
constexpr Index kPiece = 1 << 15;    // elements of a scattered input that are put in order together
constexpr Index kChunk = 1 << 16;    // unit of parallel work when there is a single result

/// A dtype whose elements are as wide as T, for copies.
template <class T>
constexpr DType copied_as = sizeof(T) == 1   ? DType::Bool
                            : sizeof(T) == 4 ? DType::F32
                            : sizeof(T) == 8 ? DType::F64
                                             : DType::C64;

/// Adds vectors of `width` elements as the leaves of a balanced binary tree, in the order they come.
template <class M, class T>
class PairwiseSum {
public:
    explicit PairwiseSum(Index width) : width_(width) {}

    void push(const T* leaf) {
        std::size_t level = 0;
        scratch_.assign(leaf, leaf + width_);
        for (std::uint64_t carry = count_++; carry & 1; carry >>= 1, ++level) add_to(scratch_.data(), levels_[level].data());
        if (level == levels_.size()) levels_.emplace_back();
        levels_[level].swap(scratch_);
    }

    /// Writes the sum of all leaves to out[i * stride]; the identity if there were none.
    void finish(T* out, Index stride) {
        std::vector<T> total(static_cast<std::size_t>(width_), M::template identity<T>());
        for (std::size_t level = 0; level < levels_.size(); ++level)
            if (count_ >> level & 1) add_to(total.data(), levels_[level].data());
        for (Index i = 0; i < width_; ++i) out[i * stride] = total[static_cast<std::size_t>(i)];
    }

private:
    void add_to(T* sum, const T* term) const {
        for (Index i = 0; i < width_; ++i) sum[i] = M{}(sum[i], term[i]);
    }

    Index width_;
    std::uint64_t count_ = 0;
    std::vector<T> scratch_;
    std::vector<std::vector<T>> levels_;  // levels_[l] holds a sum of 2^l leaves where bit l of count_ is set
};

/// Reductions whose result does not depend on the order, so that any number of them may go on side by side.
template <class M>
constexpr bool kAnyOrder = !std::is_same_v<M, reduction::ReduceSum> && !std::is_same_v<M, reduction::ReduceProd>;

/// A contiguous run in any order: lanes enough for vectors, in a loop that compilers turn into them.
template <class M, class T>
T sum_in_lanes(const T* p, Index count) {
    constexpr Index kLanes = 64;
    T lanes[kLanes];
    std::fill_n(lanes, kLanes, M::template identity<T>());
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes)
        for (Index l = 0; l < kLanes; ++l) lanes[l] = M{}(lanes[l], p[i + l]);
    for (; i < count; ++i) lanes[i % kLanes] = M{}(lanes[i % kLanes], p[i]);
    for (Index width = kLanes / 2; width > 0; width /= 2)
        for (Index l = 0; l < width; ++l) lanes[l] = M{}(lanes[l], lanes[l + width]);
    return lanes[0];
}

/// Pairwise sum of a strided run.
template <class M, class T>
T sum_run(const T* p, Index count, Index stride) {
    if constexpr (kAnyOrder<M>)
        if (stride == 1 && count > kLeaf) return sum_in_lanes<M>(p, count);
    if (count > kLeaf) {
        const Index half = count / 2 / 8 * 8;
        return M{}(sum_run<M>(p, half, stride), sum_run<M>(p + half * stride, count - half, stride));
    }
    T lanes[8];
    std::fill_n(lanes, 8, M::template identity<T>());
    Index i = 0;
    for (; i + 8 <= count; i += 8)
        for (Index l = 0; l < 8; ++l) lanes[l] = M{}(lanes[l], p[(i + l) * stride]);
    for (; i < count; ++i) lanes[i % 8] = M{}(lanes[i % 8], p[i * stride]);
    for (Index width = 4; width > 0; width /= 2)
        for (Index l = 0; l < width; ++l) lanes[l] = M{}(lanes[l], lanes[l + width]);
    return lanes[0];
}

/// Steps through all index combinations of some axes.
class Odometer {
public:
    explicit Odometer(const SmallVector<StridedAxis<1>, 8>& axes, Index start = 0) : axes_(axes), index_(axes.size(), 0) {
        for (std::size_t axis = 0; axis < axes.size(); ++axis) {
            count_ *= axes[axis].extent;
            index_[axis] = start % axes[axis].extent;
            offset_ += index_[axis] * axes[axis].stride[0];
            start /= axes[axis].extent;
        }
    }
    [[nodiscard]] Index count() const noexcept { return count_; }
    /// The current offset; then moves on.
    Index next() {
        const Index here = offset_;
        for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
            offset_ += axes_[axis].stride[0];
            if (++index_[axis] < axes_[axis].extent) break;
            offset_ -= axes_[axis].extent * axes_[axis].stride[0];
            index_[axis] = 0;
        }
        return here;
    }

private:
    const SmallVector<StridedAxis<1>, 8>& axes_;
    Dims index_;
    Index offset_ = 0, count_ = 1;
};

/// The reduced axes: where the input's elements for one result lie, relative to the first.
struct Reduced {
    SmallVector<StridedAxis<1>, 8> axes;  // fastest first, fused; without the run
    Index run = 1, run_stride = 0;        // the fastest reduced axis
    Index base = 0;                       // added to the origin where negative strides were turned round
};

/// The rows [begin, end) of the reduced axes.
template <class M, class T>
T sum_rows(const T* from, const Reduced& reduced, Index begin, Index end) {
    PairwiseSum<M, T> sum(1);
    Odometer rows(reduced.axes, begin);
    for (; begin < end; ++begin) {
        const T partial = sum_run<M>(from + rows.next(), reduced.run, reduced.run_stride);
        sum.push(&partial);
    }
    T total;
    sum.finish(&total, 1);
    return total;
}

/// One result, in chunks of fixed size: neither they nor the order of their sum depend on the number of threads.
template <class M, class T>
void sum_single(const T* from, const Reduced& reduced, T* out, CpuContext& context) {
    const Index rows = Odometer(reduced.axes).count(), chunk_rows = std::max<Index>(kChunk / reduced.run, 1);
    const bool by_rows = rows > 1;
    const Index chunks = by_rows ? (rows + chunk_rows - 1) / chunk_rows : (reduced.run + kChunk - 1) / kChunk;
    const auto chunk = [&](Index c) {
        if (by_rows) return sum_rows<M>(from, reduced, c * chunk_rows, std::min((c + 1) * chunk_rows, rows));
        const Index count = std::min(kChunk, reduced.run - c * kChunk);
        return sum_run<M>(from + c * kChunk * reduced.run_stride, count, reduced.run_stride);
    };
    if (chunks == 1) {
        *out = chunk(0);
        return;
    }
    std::vector<T> partial(static_cast<std::size_t>(chunks));
    context.parallel_for(chunks, [&](Index c) { partial[static_cast<std::size_t>(c)] = chunk(c); });
    *out = sum_run<M>(partial.data(), chunks, 1);
}

/// `count` neighbouring results, `stride` apart in the input.
template <class M, class T>
void sum_block(const T* from, Index count, Index stride, const Reduced& reduced, T* out, Index out_stride) {
    PairwiseSum<M, T> sum(count);
    T leaf[kBlockBytes / sizeof(T)];
    Odometer rows(reduced.axes);
    for (Index r = rows.count(); r > 0; --r) {
        const T* row = from + rows.next();
        for (Index first = 0; first < reduced.run; first += kLeafRows) {
            std::fill_n(leaf, count, M::template identity<T>());
            const Index last = std::min(first + kLeafRows, reduced.run);
            for (Index i = first; i < last; ++i)
                for (Index c = 0; c < count; ++c) leaf[c] = M{}(leaf[c], row[i * reduced.run_stride + c * stride]);
            sum.push(leaf);
        }
    }
    sum.finish(out, out_stride);
}

Reduced reduced_axes(const TensorRead& a, std::span<const Index> axes) {
    Dims shape, strides;
    for (const Index axis : axes) {
        shape.push_back(a.shape()[axis]);
        strides.push_back(a.strides()[axis]);
    }
    Reduced reduced;
    Offsets<1> base;
    reduced.axes = fused_axes<1>(shape, {&strides}, base);
    reduced.base = base[0];
    if (!reduced.axes.empty()) {
        reduced.run = reduced.axes[0].extent;
        reduced.run_stride = reduced.axes[0].stride[0];
        reduced.axes.erase(0);
    }
    return reduced;
}

/// The kept axes as axes of the input and of the result, fused, the result's fastest first.
struct Kept {
    SmallVector<StridedAxis<2>, 8> axes;
    Offsets<2> base;
};

/// Neither kind of axis has long runs: walking the input in either order would use its cache lines badly.
bool is_scattered(const Reduced& reduced, const Kept& kept) {
    return reduced.run < kShortRun && !reduced.axes.empty() && kept.axes[0].extent < kShortRun;
}

/// Copies pieces of the input, cut along the kept axes that are slowest in it, into near memory with the reduced axes
/// fastest, and sums runs there.
template <class M, class T>
void sum_scattered(const T* from, const Reduced& reduced, const Kept& kept, T* to, CpuContext& context) {
    auto by_input = kept.axes;
    std::stable_sort(by_input.begin(), by_input.end(),
                     [](const auto& x, const auto& y) { return std::abs(x.stride[1]) < std::abs(y.stride[1]); });
    Dims shape{reduced.run}, strides{reduced.run_stride};
    for (const auto& axis : reduced.axes) {
        shape.push_back(axis.extent);
        strides.push_back(axis.stride[0]);
    }
    const Index terms = element_count(shape, "reduce");
    SmallVector<StridedAxis<2>, 8> inside;
    Index results = 1, pieces = 1;
    for (const auto& axis : by_input) {
        if (pieces == 1 && terms * results * axis.extent <= kPiece) {
            inside.push_back(axis);
            results *= axis.extent;
            shape.push_back(axis.extent);
            strides.push_back(axis.stride[1]);
        } else {
            pieces *= axis.extent;
        }
    }
    const Dims packed = column_major_strides(shape);
    context.parallel_for(pieces, [&](Index piece) {
        Index source = 0, target = 0, rest = piece;
        for (std::size_t i = inside.size(); i < by_input.size(); ++i) {
            source += rest % by_input[i].extent * by_input[i].stride[1];
            target += rest % by_input[i].extent * by_input[i].stride[0];
            rest /= by_input[i].extent;
        }
        T* const near = reinterpret_cast<T*>(scratch(ScratchUse::PackedB, static_cast<std::size_t>(terms * results) * sizeof(T)));
        copy(TensorRead(copied_as<T>, from + source, shape, strides), TensorWrite(copied_as<T>, near, shape, packed), context);
        for (Index r = 0; r < results; ++r) {
            Index at = target, left = r;
            for (const auto& axis : inside) {
                at += left % axis.extent * axis.stride[0];
                left /= axis.extent;
            }
            to[at] = sum_run<M>(near + r * terms, terms, 1);
        }
    });
}

template <class M, class T>
void reduce(const TensorRead& a, std::span<const Index> axes, const TensorWrite& out, CpuContext& context) {
    const Reduced reduced = reduced_axes(a, axes);
    Dims kept_strides;
    for (const Index axis : free_axes(a.rank(), axes, {})) kept_strides.push_back(a.strides()[axis]);
    const T* from = static_cast<const T*>(a.data()) + reduced.base;
    T* to = static_cast<T*>(out.data());
    if (out.size() == 1) return sum_single<M>(from, reduced, to, context);
    const Index terms = a.size() / out.size();
    if (a.size() >= kPiece && terms <= kPiece) {
        Kept kept;
        kept.axes = fused_axes<2>(out.shape(), {&out.strides(), &kept_strides}, kept.base);
        if (is_scattered(reduced, kept)) return sum_scattered<M>(from + kept.base[1], reduced, kept, to + kept.base[0], context);
    }
    const StridedLoop<2> loop(out.shape(), {&out.strides(), &kept_strides});
    const Offsets<2> stride = loop.run_stride();
    const bool along_rows = reduced.run_stride != 0 && (stride[1] == 0 || std::abs(reduced.run_stride) < std::abs(stride[1]));
    const Index block = along_rows ? 1 : kBlockBytes / static_cast<Index>(sizeof(T));
    const auto tile = [&](const Offsets<2>& origin, std::span<const Offsets<2>> rows, Index count) {
        for (const auto& row : rows)
            for (Index i = 0; i < count; i += block) {
                const T* p = from + origin[1] + row[1] + i * stride[1];
                T* q = to + origin[0] + row[0] + i * stride[0];
                if (along_rows && reduced.axes.empty())
                    *q = sum_run<M>(p, reduced.run, reduced.run_stride);
                else if (along_rows)
                    sum_single<M>(p, reduced, q, context);
                else
                    sum_block<M>(p, std::min(block, count - i), stride[1], reduced, q, stride[0]);
            }
    };
    loop.run(context, tile, terms);
}

}  // namespace

void reduce(OpId op, const TensorRead& a, std::span<const Index> axes, const TensorWrite& out, CpuContext& context) {
    if (out.size() == 0) return;
    reduction::visit(op, out.dtype(), [&]<class Element>(auto functor) {
        using M = decltype(functor);
        using T = std::conditional_t<std::is_same_v<Element, bool>, std::uint8_t, Element>;  // std::vector<bool> has no data()
        if (a.size() != 0) return reduce<M, T>(a, axes, out, context);
        const T identity = M::template identity<T>();
        copy(TensorRead(out.dtype(), &identity, out.shape(), Dims(out.rank(), 0)), out, context);
    });
}

}  // namespace tenferro::inline TENFERRO_ABI::cpu
