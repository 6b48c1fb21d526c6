// Blocks of reflections: their factor, their application, and the QR decomposition of a panel by recursion
// (Elmroth and Gustavson, IBM J. Res. Dev. 44, 2000).
#include "linalg/builtin/reflectors.hpp"

#include "linalg/builtin/reflection.hpp"
#include "linalg/floating_types.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// Columns up to which a panel is factored one reflection at a time.
constexpr Index kReflectorLeaf = 8;

template <class T>
void factor_leaf(const Matrix<T>& a, const Reflectors<T>& q, Scratch& scratch) {
    const auto& kernels = vector_kernels<T>();
    T taus[kReflectorLeaf], dots[kReflectorLeaf];
    set_zero(q.v);
    for (Index j = 0; j < a.columns; ++j) {
        const Index length = a.rows - j, others = a.columns - j - 1;
        T* const v = q.v.column(j) + j;
        std::copy_n(&a(j, j), length, v);
        RealOf<T> value;
        taus[j] = make_reflection(length, v, value);
        a(j, j) = value;
        if (taus[j] == T(0) || others == 0) continue;
        kernels.project(length, others, &a(j, j + 1), a.step, v, dots);
        for (Index c = 0; c < others; ++c) dots[c] = -conjugate(taus[j] * dots[c]);
        kernels.add_outer(length, others, v, dots, &a(j, j + 1), a.step);
    }
    make_factor(q, taus, scratch);
}

}  // namespace

template <class T>
void make_factor(const Reflectors<T>& q, const T* taus, Scratch& scratch) {
    const Scratch::Frame frame(scratch);
    const Index count = q.v.columns;
    const auto& kernels = vector_kernels<T>();
    T* const dots = scratch.take<T>(count);
    set_zero(q.t);
    for (Index j = 0; j < count; ++j) {  // T(:j, j) = -tau_j T(:j, :j) V(:, :j)ᴴ v_j
        const T tau = taus[j];
        q.t(j, j) = tau;
        if (j == 0 || tau == T(0)) continue;
        kernels.project(q.v.rows - j, j, &q.v(j, 0), q.v.step, q.v.column(j) + j, dots);
        for (Index i = 0; i < j; ++i) dots[i] *= -tau;
        kernels.combine(j, j, q.t.data, q.t.step, dots, q.t.column(j));
    }
}

template <class T>
void apply(const Reflectors<T>& q, bool adjoint_of_q, const Matrix<T>& c, Scratch& scratch) {
    const Scratch::Frame frame(scratch);
    const Matrix<T> products = take_matrix<T>(q.v.columns, c.columns, scratch),
                    turned = take_matrix<T>(q.v.columns, c.columns, scratch);
    multiply(Sum::Replace, adjoint(q.v), plain(c), products, scratch);
    multiply(Sum::Replace, adjoint_of_q ? adjoint(q.t) : plain(q.t), plain(products), turned, scratch);
    multiply(Sum::Subtract, plain(q.v), plain(turned), c, scratch);
}

template <class T>
void factor_panel(const Matrix<T>& a, const Reflectors<T>& q, Scratch& scratch) {
    const Index n = a.columns, left = n / 2, right = n - left;
    if (n <= kReflectorLeaf) return factor_leaf(a, q, scratch);
    const Reflectors<T> first{q.v.block(0, 0, a.rows, left), q.t.block(0, 0, left, left)},
        second{q.v.below(left, left), q.t.below(left, left)};
    factor_panel(a.block(0, 0, a.rows, left), first, scratch);
    apply(first, true, a.block(0, left, a.rows, right), scratch);
    factor_panel(a.below(left, left), second, scratch);
    set_zero(q.v.block(0, left, left, right));
    set_zero(q.t.block(left, 0, right, left));
    const Scratch::Frame frame(scratch);  // T_12 = -T_11 V_1ᴴ V_2 T_22
    const Matrix<T> products = take_matrix<T>(left, right, scratch),
                    turned = take_matrix<T>(left, right, scratch), corner = q.t.block(0, left, left, right);
    multiply(Sum::Replace, adjoint(q.v.block(left, 0, a.rows - left, left)), plain(second.v), products,
             scratch);
    multiply(Sum::Replace, plain(products), plain(second.t), turned, scratch);
    set_zero(corner);
    multiply(Sum::Subtract, plain(first.t), plain(turned), corner, scratch);
}

template <class T>
void factor(const Matrix<T>& a, const ReflectorPanels<T>& q, Scratch& scratch) {
    for (Index p = 0; p < q.panels(); ++p) {
        const Index at = q.first(p), width = q[p].v.columns;
        factor_panel(a.block(at, at, a.rows - at, width), q[p], scratch);
        apply(q[p], true, a.below(at, at + width), scratch);
    }
}

#define TENFERRO_INSTANCE(T)                                                      \
    template void make_factor(const Reflectors<T>&, const T*, Scratch&);          \
    template void apply(const Reflectors<T>&, bool, const Matrix<T>&, Scratch&);  \
    template void factor_panel(const Matrix<T>&, const Reflectors<T>&, Scratch&); \
    template void factor(const Matrix<T>&, const ReflectorPanels<T>&, Scratch&);
TENFERRO_FLOATING_TYPES(TENFERRO_INSTANCE)
#undef TENFERRO_INSTANCE

}}}  // namespace tenferro::TENFERRO_ABI::linalg
