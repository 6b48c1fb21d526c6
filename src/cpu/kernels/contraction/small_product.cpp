// The engine for a handful of multiply-adds: plain loops, K innermost, nothing set up.
#include "cpu/kernels/contraction/engines.hpp"
#include "cpu/kernels/contraction/scalar_ops.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

/// One slice with at most one axis in each of M, N and K.
template <class T>
void multiply_slice(const LoopAxis& m, const LoopAxis& n, const LoopAxis& k, const T* a, const T* b, T* c) {
    for (Index j = 0; j < n.extent; ++j)
        for (Index i = 0; i < m.extent; ++i) {
            const T* row = a + i * m.stride[kA] + j * n.stride[kA];
            const T* column = b + j * n.stride[kB] + i * m.stride[kB];
            T total = product(*row, *column);
            for (Index l = 1; l < k.extent; ++l)
                total = sum(total, product(row[l * k.stride[kA]], column[l * k.stride[kB]]));
            c[i * m.stride[kC] + j * n.stride[kC]] = total;
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

constexpr double kSmallMultiplyAdds = 100;

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
    const double sizes =
        static_cast<double>(m.extent) * static_cast<double>(n.extent) * static_cast<double>(k.extent);
    if (sizes == 0 || sizes > kSmallMultiplyAdds) return false;
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
