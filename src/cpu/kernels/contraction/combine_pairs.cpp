// Operations element by element as products without a sum: which of them gain from it.
#include <algorithm>

#include "cpu/kernels/contraction/contract.hpp"
#include "cpu/kernels/contraction/engines.hpp"
#include "cpu/kernels/contraction/strided_loops.hpp"
#include "cpu/kernels/movement/ordered_copy.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

/// The loops of an operation element by element.
Contraction loops_of_pairs(const TensorRead& a, const TensorRead& b, const TensorWrite& out) {
    Offsets<3> base;
    const auto width = static_cast<Index>(info(out.dtype()).bytes);
    const auto axes = fused_axes<3>(out.shape(), {&out.strides(), &a.strides(), &b.strides()}, base);
    Contraction loops{};
    loops.dtype = out.dtype();
    loops.a = at_offset(a.data(), base[1] * width);
    loops.b = at_offset(b.data(), base[2] * width);
    loops.c = at_offset(out.data(), base[0] * width);
    for (const auto& [extent, stride] : axes)
        loops.batch.push_back({extent, {stride[1], stride[2], stride[0]}});
    loops.m_size = loops.n_size = loops.k_size = 1;
    loops.batch_size = out.size();
    return loops;
}

/// Whether an operation element by element repeats elements of operands in C's order, or turns operands in
/// another; of those that are walked backwards nothing is known.
bool gain_from_tiles(const Contraction& loops) {
    constexpr Index kLeastTurned = 1 << 16;  // bytes of C
    const LoopAxes& axes = loops.batch;
    const auto has = [&axes](auto&& test) {
        return std::any_of(axes.begin(), axes.end(), [&test](const LoopAxis& axis) {
            return test(axis.stride[kA]) || test(axis.stride[kB]);
        });
    };
    if (lies_in_order(axes, kA) && lies_in_order(axes, kB)) return has([](Index step) { return step == 0; });
    return loops.batch_size * static_cast<Index>(info(loops.dtype).bytes) > kLeastTurned &&
           !has([](Index step) { return step < 0; });
}

}  // namespace

bool combine_pairs(OpId op, const TensorRead& a, const TensorRead& b, const TensorWrite& out,
                   CpuContext& context) {
    if (pair_loop(op, out.dtype(), Walk::Unit, Walk::Unit, false) == nullptr) return false;
    if (a.data() == out.data() || b.data() == out.data()) return false;
    const Contraction loops = loops_of_pairs(a, b, out);
    if (!gain_from_tiles(loops)) return false;
    strided_pairs(op, loops, context);
    return true;
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
