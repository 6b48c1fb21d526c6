// Softmax, piece by piece in a near cache: maxima, exponentials of what the elements exceed them by, their
// sums, and quotients. A few elements are done one by one: vectors would take longer to begin with.
#include <cmath>

#include "cpu/kernels/elementwise/elementwise.hpp"
#include "cpu/kernels/loops/line_loop.hpp"
#include "cpu/kernels/loops/piece_grid.hpp"
#include "cpu/kernels/loops/scratch.hpp"
#include "cpu/kernels/reduction/lines.hpp"
#include "cpu/kernels/reduction/reduce.hpp"
#include "tenferro/tensor/reduction.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

template <class T>
void softmax_few(const TensorRead& a, Index axis, const TensorWrite& out, CpuContext& context) {
    const LineLoop loop(a, axis, out);
    const auto [to_step, from_step] = loop.step();
    loop.run(context, [&](const Offsets<2>& origin, Index count) {
        for (Index c = 0; c < count; ++c) {
            const T* const from = a.data_as<T>() + origin[1] + c * loop.line_stride()[1];
            T* const to = out.data_as<T>() + origin[0] + c * loop.line_stride()[0];
            T largest = from[0], total = 0;
            for (Index k = 1; k < loop.length(); ++k)
                largest = reduction::ReduceMax{}(largest, from[k * from_step]);
            for (Index k = 0; k < loop.length(); ++k)
                total += to[k * to_step] = std::exp(from[k * from_step] - largest);
            for (Index k = 0; k < loop.length(); ++k) to[k * to_step] /= total;
        }
    });
}

}  // namespace

void softmax(const TensorRead& a, Index axis, const TensorWrite& out, CpuContext& context) {
    if (out.size() == 0) return;
    if (out.size() <= PieceGrid::kFew)
        return out.dtype() == DType::F32 ? softmax_few<float>(a, axis, out, context)
                                         : softmax_few<double>(a, axis, out, context);
    PieceGrid(a, out, axis).run(a, out, context, [&](const TensorRead& from, const TensorWrite& to) {
        Dims kept = to.shape(), others;
        kept.erase(static_cast<std::size_t>(axis));
        for (Index k = 0; k < static_cast<Index>(to.rank()); ++k)
            if (k != axis) others.push_back(k);
        const Index results = to.size() / to.shape()[axis];
        const std::size_t width = info(out.dtype()).bytes,
                          apart = (results * width / kAlignment + 1) * kAlignment;
        std::byte* const memory =
            scratch(ScratchUse::Totals, apart + (to.is_compact() ? 0 : to.size() * width));
        const TensorWrite near =
            to.is_compact() ? to : TensorWrite::compact(out.dtype(), memory + apart, to.shape());
        const TensorWrite each = TensorWrite::compact(out.dtype(), memory, kept);
        const TensorRead repeated = each.broadcast_view(to.shape(), others);
        const Index axes[] = {axis};
        reduce(OpId::ReduceMax, from, axes, each, context);
        binary(OpId::Sub, from, repeated, near, context);
        unary(OpId::Exp, near, near, context);
        reduce(OpId::ReduceSum, near, axes, each, context);
        binary(OpId::Div, near, repeated, to, context);
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
