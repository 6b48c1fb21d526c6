// Softmax, piece by piece in a near cache: maxima, exponentials of what the elements exceed them by, their
// sums, and quotients.
#include "cpu/kernels/elementwise/elementwise.hpp"
#include "cpu/kernels/loops/piece_grid.hpp"
#include "cpu/kernels/loops/scratch.hpp"
#include "cpu/kernels/reduction/lines.hpp"
#include "cpu/kernels/reduction/reduce.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

void softmax(const TensorRead& a, Index axis, const TensorWrite& out, CpuContext& context) {
    if (out.size() == 0) return;
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
