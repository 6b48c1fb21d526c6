// The engine for a handful of multiply-adds: plain loops, K innermost, nothing set up.
#include <algorithm>

#include "cpu/kernels/contraction/engines.hpp"
#include "cpu/kernels/contraction/scalar_ops.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

/// One slice with at most one axis in each of M, N and K.
template <class T>
void multiply_slice(const LoopAxis& m, const LoopAxis& n, const LoopAxis& k, const T* a, const T* b, T* c) {
    const Index row_step = k.stride[kA], column_step = k.stride[kB];
    for (Index j = 0; j < n.extent; ++j, a += n.stride[kA], b += n.stride[kB], c += n.stride[kC]) {
        const T *row = a, *column = b;
        T* to = c;
        for (Index i = 0; i < m.extent;
             ++i, row += m.stride[kA], column += m.stride[kB], to += m.stride[kC]) {
            const T *x = row, *y = column;
            T total = product(*x, *y);
            for (Index l = 1; l < k.extent; ++l)
                total = sum(total, product(*(x += row_step), *(y += column_step)));
            *to = total;
        }
    }
}

LoopAxis only(const LoopAxes& axes) { return axes.empty() ? LoopAxis{1, {0, 0, 0}} : axes[0]; }

template <class T>
void multiply(const Contraction& loops) {
    const LoopAxis m = only(loops.m), n = only(loops.n), k = only(loops.k);
    const T* a = static_cast<const T*>(loops.a);
    const T* b = static_cast<const T*>(loops.b);
    T* c = static_cast<T*>(loops.c);
    if (loops.batch.empty()) return multiply_slice(m, n, k, a, b, c);
    Odometer at(loops.batch, 0);
    for (Index i = 0; i < loops.batch_size; ++i, at.advance())
        multiply_slice(m, n, k, a + at.in(kA), b + at.in(kB), c + at.in(kC));
}

constexpr Index kSmallMultiplyAdds = 100;

bool at_most_one_axis(const Contraction& loops) {
    return loops.m.size() <= 1 && loops.n.size() <= 1 && loops.k.size() <= 1;
}

/// The axis of a matrix or vector that is not `contracted`; its stride is that of the operand at `side`.
LoopAxis free_axis(const TensorRead& operand, Index contracted, std::size_t side, Index c) {
    LoopAxis axis{1, {0, 0, 0}};
    if (operand.rank() == 1) return axis;
    axis.extent = operand.shape()[1 - contracted];
    axis.stride[side] = operand.strides()[1 - contracted];
    axis.stride[kC] = c;
    return axis;
}

}  // namespace

bool small_matrix_product(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config,
                          const TensorWrite& out) {
    if (config.lhs_contract.size() != 1 || !config.lhs_batch.empty() || lhs.rank() > 2 || rhs.rank() > 2)
        return false;
    const Index i = config.lhs_contract[0], j = config.rhs_contract[0];
    const LoopAxis k{lhs.shape()[i], {lhs.strides()[i], rhs.strides()[j], 0}};
    const LoopAxis m = free_axis(lhs, i, kA, out.rank() == 0 ? 0 : out.strides()[0]);
    const LoopAxis n = free_axis(rhs, j, kB, out.rank() == 0 ? 0 : out.strides()[out.rank() - 1]);
    if (std::max({m.extent, n.extent, k.extent}) > kSmallMultiplyAdds) return false;
    const Index multiply_adds = m.extent * n.extent * k.extent;
    if (multiply_adds == 0 || multiply_adds > kSmallMultiplyAdds) return false;
    visit_numeric(out.dtype(), [&]<class T>() {
        multiply_slice(m, n, k, lhs.data_as<T>(), rhs.data_as<T>(), static_cast<T*>(out.data()));
    });
    return true;
}

bool small_product(const Contraction& loops) {
    if (loops.multiply_adds() > kSmallMultiplyAdds || !at_most_one_axis(loops)) return false;
    visit_numeric(loops.dtype, [&loops]<class T>() { multiply<T>(loops); });
    return true;
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
