// Running sums and softmax: each step along the axis is done for a block of neighbouring lines.
#include <cmath>

#include "cpu/kernels/loops/line_loop.hpp"
#include "cpu/kernels/reduction/lines.hpp"
#include "tenferro/tensor/reduction.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

constexpr Index kLeaf = 128;  // exponentials added plainly before they join the total

template <class T>
void scan_lines(const TensorRead& a, Index axis, bool reverse, const TensorWrite& out, CpuContext& context) {
    const LineLoop loop(a, axis, out);
    loop.run(context, [&](const Offsets<2>& origin, Index count) {
        const Index last = reverse ? loop.length() - 1 : 0, sign = reverse ? -1 : 1;
        const T* from = a.data_as<T>() + origin[1] + last * loop.step()[1];
        T* to = out.data_as<T>() + origin[0] + last * loop.step()[0];
        T total[LineLoop::kMostLines];
        for (Index k = 0; k < loop.length(); ++k, from += sign * loop.step()[1], to += sign * loop.step()[0])
            for (Index c = 0; c < count; ++c) {
                const T x = from[c * loop.line_stride()[1]];
                total[c] = k == 0 ? x : elementwise::Add{}(total[c], x);
                to[c * loop.line_stride()[0]] = total[c];
            }
    });
}

/// Writes exp(a - largest) of `count` lines and divides by their sums.
template <class T>
void softmax_block(const LineLoop& loop, const T* from, T* to, Index count) {
    T largest[LineLoop::kMostLines], total[LineLoop::kMostLines] = {}, leaf[LineLoop::kMostLines] = {};
    std::fill_n(largest, count, reduction::ReduceMax::identity<T>());
    for (Index k = 0; k < loop.length(); ++k)
        for (Index c = 0; c < count; ++c)
            largest[c] =
                reduction::ReduceMax{}(largest[c], from[k * loop.step()[1] + c * loop.line_stride()[1]]);
    for (Index k = 0; k < loop.length(); ++k)
        for (Index c = 0; c < count; ++c) {
            const T x = std::exp(from[k * loop.step()[1] + c * loop.line_stride()[1]] - largest[c]);
            to[k * loop.step()[0] + c * loop.line_stride()[0]] = x;
            leaf[c] += x;
            if (k % kLeaf != kLeaf - 1 && k != loop.length() - 1) continue;
            total[c] += leaf[c];
            leaf[c] = 0;
        }
    for (Index k = 0; k < loop.length(); ++k)
        for (Index c = 0; c < count; ++c) to[k * loop.step()[0] + c * loop.line_stride()[0]] /= total[c];
}

}  // namespace

void scan(const TensorRead& a, Index axis, bool reverse, const TensorWrite& out, CpuContext& context) {
    if (out.size() == 0) return;
    visit_dtype(a.dtype(), [&]<class T> {
        if constexpr (info(OpId::CumulativeSum).dtypes.contains(storage_dtype<T>))
            scan_lines<T>(a, axis, reverse, out, context);
    });
}

void normalize_exponentials(const TensorRead& a, Index axis, const TensorWrite& out, CpuContext& context) {
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
