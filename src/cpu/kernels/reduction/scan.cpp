// Running sums: each step along the axis is done for a block of neighbouring lines.
#include <algorithm>
#include <utility>

#include "cpu/kernels/loops/line_loop.hpp"
#include "cpu/kernels/loops/piece_grid.hpp"
#include "cpu/kernels/loops/scratch.hpp"
#include "cpu/kernels/loops/watched.hpp"
#include "cpu/kernels/movement/copy.hpp"
#include "cpu/kernels/reduction/fold.hpp"
#include "cpu/kernels/reduction/lines.hpp"
#include "cpu/kernels/reduction/pairwise_sum.hpp"
#include "cpu/kernels/reduction/scan_kernels.hpp"
#include "tenferro/tensor/reduction.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

constexpr Index kLeaf = 128;                 // terms added plainly before they join the total
constexpr Index kShortLine = 32;             // elements of contiguous lines that are added line after line
constexpr Index kLeastNeighbours = 1 << 12;  // bytes of a row that each thread has
constexpr Index kLinesOfSums = 8;            // whose sums are in registers, and do not wait for one another

/// The next row of running sums: since + x, or x in the first row of a block, and what was before the block.
template <bool kFirst, bool kBefore, class T>
inline void add_row(const T* __restrict from, Index from_step, T* __restrict since,
                    const T* __restrict before, T* __restrict to, Index step, Index count) {
    const auto add = [=](Index x_step, Index sum_step) {
        for (Index c = 0; c < count; ++c) {
            const T x = from[c * x_step], sum = kFirst ? x : elementwise::Add{}(since[c], x);
            since[c] = sum;
            to[c * sum_step] = kBefore ? elementwise::Add{}(before[c], sum) : sum;
        }
    };
    from_step == 1 && step == 1 ? add(1, 1) : add(from_step, step);
}

/// Lines of a tensor: element k of line c is at[k * step + c * apart].
template <class T>
struct Lines {
    T* at;
    Index step, apart;
};

/// kLines running sums at once, of elements begin to count; `since` has the sums of those before.
template <bool kBefore, Index kLines, class T>
inline void add_lines(const Lines<const T>& from, T* since, const T* before, const Lines<T>& to, Index begin,
                      Index count) {
    T sum[kLines];
    for (Index c = 0; c < kLines; ++c)
        sum[c] = begin == 0 ? from.at[c * from.apart]
                            : elementwise::Add{}(since[c], from.at[begin * from.step + c * from.apart]);
    for (Index k = begin;;) {
        for (Index c = 0; c < kLines; ++c)
            to.at[k * to.step + c * to.apart] = kBefore ? elementwise::Add{}(before[c], sum[c]) : sum[c];
        if (++k == count) break;
        for (Index c = 0; c < kLines; ++c)
            sum[c] = elementwise::Add{}(sum[c], from.at[k * from.step + c * from.apart]);
    }
    std::copy_n(sum, kLines, since);
}

/// The same for 1 to kLinesOfSums lines.
template <bool kBefore, class T>
void add_few_lines(const Lines<const T>& from, T* since, const T* before, const Lines<T>& to, Index begin,
                   Index count, Index lines) {
    const auto choose = [&]<std::size_t... kFewer>(std::index_sequence<kFewer...>) {
        ((lines == kFewer + 1 ? add_lines<kBefore, kFewer + 1>(from, since, before, to, begin, count)
                              : void()),
         ...);
    };
    choose(std::make_index_sequence<kLinesOfSums>());
}

/// The same for any number of lines: whole squares of them in vectors.
template <bool kBefore, class T>
void add_side_by_side(Lines<const T> from, T* since, const T* before, Lines<T> to, Index count, Index lines,
                      const LineScanner& scanner) {
    while (lines > 0) {
        const bool in_vectors = scanner.width > 1 && lines >= scanner.width;
        const Index some = in_vectors ? scanner.width : std::min(kLinesOfSums, lines),
                    in_squares = in_vectors ? count / some * some : 0;
        if (in_squares != 0) scanner.scan({from.at, from.apart, to.at, to.apart, in_squares, before, since});
        for (Index c = 0; in_squares != count && c < some; c += kLinesOfSums)
            add_few_lines<kBefore, T>({from.at + c * from.apart, from.step, from.apart}, since + c,
                                      kBefore ? before + c : nullptr,
                                      {to.at + c * to.apart, to.step, to.apart}, in_squares, count,
                                      std::min(kLinesOfSums, some - c));
        from.at += some * from.apart;
        to.at += some * to.apart;
        since += some;
        if (kBefore) before += some;
        lines -= some;
    }
}

/// Line after line, of a few elements each.
template <class T>
void scan_short_lines(const Lines<const T>& from, const Lines<T>& to, Index length, Index lines) {
    for (Index c = 0; c < lines; ++c) {
        const T* const x = from.at + c * from.apart;
        T* const y = to.at + c * to.apart;
        T sum = x[0];
        y[0] = sum;
        for (Index k = 1; k < length; ++k) {
            sum = elementwise::Add{}(sum, x[k * from.step]);
            y[k * to.step] = sum;
        }
    }
}

/// In blocks: what the blocks before add up to is their pairwise sum, so that no part of a running sum has
/// more than some hundred terms added one after the other. Integers, exact in any order, are long blocks.
template <class T>
void scan_lines(const TensorRead& a, Index axis, bool reverse, const TensorWrite& out, CpuContext& context) {
    const bool is_short = a.shape()[axis] <= kShortLine;
    const LineScanner scanner = !reverse && a.strides()[axis] == 1 && out.strides()[axis] == 1
                                    ? line_scanner(a.dtype())
                                    : LineScanner();
    const LineLoop loop(a, axis, out,
                        is_short ? LineLoop::kMostLines : std::max(kLinesOfSums, scanner.width));
    const Fold<reduction::ReduceSum, T> fold(OpId::ReduceSum, a.dtype(), a.size());
    const Index block = std::is_integral_v<T> ? kWatchedElements / LineLoop::kMostLines : kLeaf;
    const auto scan_block = [&](const Offsets<2>& origin, Index count) {
        const auto [step, from_step] = loop.step();
        const auto [apart, from_apart] = loop.line_stride();
        const Index last = reverse ? loop.length() - 1 : 0, sign = reverse ? -1 : 1;
        Lines<const T> x{a.data_as<T>() + origin[1] + last * from_step, sign * from_step, from_apart};
        Lines<T> y{out.data_as<T>() + origin[0] + last * step, sign * step, apart};
        const bool are_contiguous = std::abs(from_step) < std::abs(from_apart);
        if (is_short && are_contiguous) return scan_short_lines(x, y, loop.length(), count);
        T since[LineLoop::kMostLines];
        const Index memory = memory_of_sum<T>(count, loop.length() / block);
        PairwiseSum<reduction::ReduceSum, T> blocks(fold, sum_memory<T>(memory), count);
        Watch watch;
        const T* before = nullptr;
        const auto add = [&]<bool kBefore>(Index terms) {
            if (are_contiguous || count <= kLinesOfSums)
                return add_side_by_side<kBefore>(x, since, before, y, terms, count, scanner);
            add_row<true, kBefore>(x.at, x.apart, since, before, y.at, y.apart, count);
            for (Index k = 1; k < terms; ++k)
                add_row<false, kBefore>(x.at + k * x.step, x.apart, since, before, y.at + k * y.step, y.apart,
                                        count);
        };
        for (Index left = loop.length();;) {
            const Index terms = std::min(block, left);
            before == nullptr ? add.template operator()<false>(terms) : add.template operator()<true>(terms);
            left -= terms;
            if (left == 0) return;
            watch.did(terms * count);
            std::copy_n(since, count, blocks.open_leaf());
            blocks.close_leaf();
            before = blocks.finish();
            x.at += terms * x.step;
            y.at += terms * y.step;
        }
    };
    loop.run(context, scan_block, kLeastNeighbours / static_cast<Index>(sizeof(T)));
}

/// Elements that lie in another order than the result's are put into it first.
template <class T>
void scan(const TensorRead& a, Index axis, bool reverse, const TensorWrite& out, CpuContext& context) {
    if (has_order_of(a, out)) return scan_lines<T>(a, axis, reverse, out, context);
    PieceGrid(a, out, axis).run(a, out, context, [&](const TensorRead& from, const TensorWrite& to) {
        std::byte* const memory =
            scratch(ScratchUse::Totals, static_cast<std::size_t>(to.size()) * sizeof(T));
        const TensorWrite near = TensorWrite::compact(out.dtype(), memory, to.shape());
        copy(from, near, context);
        scan_lines<T>(near, axis, reverse, to, context);
    });
}

}  // namespace

void cumulative_sum(const TensorRead& a, Index axis, bool reverse, const TensorWrite& out,
                    CpuContext& context) {
    if (out.size() == 0) return;
    visit_dtype(a.dtype(), [&]<class T> {
        if constexpr (info(OpId::CumulativeSum).dtypes.contains(storage_dtype<T>))
            scan<T>(a, axis, reverse, out, context);
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
