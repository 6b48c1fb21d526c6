// Running sums and softmax: each step along the axis is done for a block of neighbouring lines.
#include <algorithm>
#include <cmath>

#include "cpu/kernels/loops/line_loop.hpp"
#include "cpu/kernels/loops/watched.hpp"
#include "cpu/kernels/reduction/fold.hpp"
#include "cpu/kernels/reduction/lines.hpp"
#include "cpu/kernels/reduction/pairwise_sum.hpp"
#include "tenferro/tensor/reduction.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

constexpr Index kLeaf = 128;  // terms added plainly before they join the total

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

/// In blocks: what the blocks before add up to is their pairwise sum, so that no part of a running sum has
/// more than some hundred terms added one after the other. Integers, exact in any order, are long blocks.
template <class T>
void scan_lines(const TensorRead& a, Index axis, bool reverse, const TensorWrite& out, CpuContext& context) {
    const LineLoop loop(a, axis, out);
    const Fold<reduction::ReduceSum, T> fold(OpId::ReduceSum, a.dtype(), a.size());
    const Index block = std::is_integral_v<T> ? kWatchedElements / LineLoop::kMostLines : kLeaf;
    loop.run(context, [&](const Offsets<2>& origin, Index count) {
        const Index last = reverse ? loop.length() - 1 : 0, sign = reverse ? -1 : 1;
        const T* from = a.data_as<T>() + origin[1] + last * loop.step()[1];
        T* to = out.data_as<T>() + origin[0] + last * loop.step()[0];
        T since[LineLoop::kMostLines];
        const Index memory = memory_of_sum<T>(count, loop.length() / block);
        PairwiseSum<reduction::ReduceSum, T> blocks(fold, sum_memory<T>(memory), count);
        Watch watch;
        const T* before = nullptr;
        const auto add_rows = [&]<bool kBefore>(Index rows) {
            const Index from_step = loop.line_stride()[1], step = loop.line_stride()[0];
            add_row<true, kBefore>(from, from_step, since, before, to, step, count);
            for (Index k = 1; k < rows; ++k) {
                from += sign * loop.step()[1];
                to += sign * loop.step()[0];
                add_row<false, kBefore>(from, from_step, since, before, to, step, count);
            }
        };
        for (Index left = loop.length();;) {
            const Index rows = std::min(block, left);
            before == nullptr ? add_rows.template operator()<false>(rows)
                              : add_rows.template operator()<true>(rows);
            left -= rows;
            if (left == 0) return;
            watch.did(rows * count);
            std::copy_n(since, count, blocks.open_leaf());
            blocks.close_leaf();
            before = blocks.finish();
            from += sign * loop.step()[1];
            to += sign * loop.step()[0];
        }
    });
}

/// Writes exp(a - largest) of `count` lines and divides by their sums.
template <class T>
void softmax_block(const LineLoop& loop, const T* from, T* to, Index count) {
    T largest[LineLoop::kMostLines], total[LineLoop::kMostLines] = {}, leaf[LineLoop::kMostLines] = {};
    std::fill_n(largest, count, reduction::ReduceMax::identity<T>());
    for_each_piece(loop.length(), count, [&](Index begin, Index end) {
        for (Index k = begin; k < end; ++k)
            for (Index c = 0; c < count; ++c)
                largest[c] =
                    reduction::ReduceMax{}(largest[c], from[k * loop.step()[1] + c * loop.line_stride()[1]]);
    });
    for_each_piece(loop.length(), count, [&](Index begin, Index end) {
        for (Index k = begin; k < end; ++k)
            for (Index c = 0; c < count; ++c) {
                const T x = std::exp(from[k * loop.step()[1] + c * loop.line_stride()[1]] - largest[c]);
                to[k * loop.step()[0] + c * loop.line_stride()[0]] = x;
                leaf[c] += x;
                if (k % kLeaf != kLeaf - 1 && k != loop.length() - 1) continue;
                total[c] += leaf[c];
                leaf[c] = 0;
            }
    });
    for_each_piece(loop.length(), count, [&](Index begin, Index end) {
        for (Index k = begin; k < end; ++k)
            for (Index c = 0; c < count; ++c) to[k * loop.step()[0] + c * loop.line_stride()[0]] /= total[c];
    });
}

}  // namespace

void cumulative_sum(const TensorRead& a, Index axis, bool reverse, const TensorWrite& out,
                    CpuContext& context) {
    if (out.size() == 0) return;
    visit_dtype(a.dtype(), [&]<class T> {
        if constexpr (info(OpId::CumulativeSum).dtypes.contains(storage_dtype<T>))
            scan_lines<T>(a, axis, reverse, out, context);
    });
}

void softmax(const TensorRead& a, Index axis, const TensorWrite& out, CpuContext& context) {
    if (out.size() == 0) return;
    visit_dtype(a.dtype(), [&]<class T> {
        if constexpr (info(OpId::Softmax).dtypes.contains(storage_dtype<T>)) {
            const LineLoop loop(a, axis, out);
            loop.run(context, [&](const Offsets<2>& origin, Index count) {
                softmax_block(loop, a.data_as<T>() + origin[1], out.data_as<T>() + origin[0], count);
            });
        }
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
