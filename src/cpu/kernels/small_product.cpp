// The engine for a handful of multiply-adds: plain loops, K innermost, nothing set up.
#include "cpu/kernels/engines.hpp"
#include "cpu/kernels/scalar_ops.hpp"

namespace tenferro::inline TENFERRO_ABI::cpu {

namespace {

/// One slice with at most one axis in each of M, N and K.
template <class T>
void multiply_slice(const LoopAxis& m, const LoopAxis& n, const LoopAxis& k, const T* a, const T* b, T* c) {
    for (Index j = 0; j < n.extent; ++j)
        for (Index i = 0; i < m.extent; ++i) {
            const T* row = a + i * m.a + j * n.a;
            const T* column = b + j * n.b + i * m.b;
            T total = product(*row, *column);
            for (Index l = 1; l < k.extent; ++l) total = sum(total, product(row[l * k.a], column[l * k.b]));
            c[i * m.c + j * n.c] = total;
        }
}

LoopAxis only(const LoopAxes& axes) { return axes.empty() ? LoopAxis{1, 0, 0, 0} : axes[0]; }

template <class T>
void multiply(const Contraction& loops) {
    const LoopAxis m = only(loops.m), n = only(loops.n), k = only(loops.k);
    const T* a = static_cast<const T*>(loops.a);
    const T* b = static_cast<const T*>(loops.b);
    T* c = static_cast<T*>(loops.c);
    if (loops.batch.empty()) return multiply_slice(m, n, k, a, b, c);
    Odometer at(loops.batch, 0);
    for (Index i = 0; i < loops.batch_size; ++i, at.advance()) multiply_slice(m, n, k, a + at.a, b + at.b, c + at.c);
}

}  // namespace

void small_product(const Contraction& loops) {
    visit_numeric(loops.dtype, [&loops]<class T>() { multiply<T>(loops); });
}

}  // namespace tenferro::inline TENFERRO_ABI::cpu
