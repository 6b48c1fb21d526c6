// QR of kind builtin: panels of Householder reflections in compact WY form; with column pivoting one
// reflection at a time. Small real ones in vectors.
#include "linalg/builtin/builtin_kernels.hpp"
#include "linalg/builtin/reflection.hpp"
#include "linalg/builtin/reflectors.hpp"
#include "linalg/floating_types.hpp"
#include "linalg/small/across.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

constexpr Index kPanel = 32;

/// As factor(), with the column of largest norm first. Norms are brought up to date by what they lose, and
/// are computed anew where little is left (LAPACK Working Note 176).
template <class T>
void factor_pivoted(const Matrix<T>& a, const ReflectorPanels<T>& q, std::int64_t* columns,
                    Scratch& scratch) {
    using R = RealOf<T>;
    const auto& kernels = vector_kernels<T>();
    const Index n = a.columns, count = std::min(a.rows, n);
    R *const norms = scratch.take<R>(n), *const exact = scratch.take<R>(n);
    T *const taus = scratch.take<T>(count), *const dots = scratch.take<T>(n);
    for (Index j = 0; j < n; ++j) norms[j] = exact[j] = fast_norm(a.rows, a.column(j));
    for (Index j = 0; j < count; ++j) {
        const Index pivot = std::max_element(norms + j, norms + n) - norms;
        if (pivot != j) {
            std::swap_ranges(a.column(j), a.column(j) + a.rows, a.column(pivot));
            std::swap(columns[j], columns[pivot]);
            norms[pivot] = norms[j];
            exact[pivot] = exact[j];
        }
        const Reflectors<T> panel = q[j / kPanel];
        const Index in_panel = j % kPanel, length = a.rows - j, others = n - j - 1;
        T* const v = &panel.v(in_panel, in_panel);
        std::fill_n(panel.v.column(in_panel), in_panel, T(0));
        std::copy_n(&a(j, j), length, v);
        R value;
        taus[j] = make_reflection(length, v, value);
        a(j, j) = value;
        if (taus[j] != T(0) && others > 0) {
            kernels.project(length, others, &a(j, j + 1), a.step, v, dots);
            for (Index c = 0; c < others; ++c) dots[c] = -conjugate(taus[j] * dots[c]);
            kernels.add_outer(length, others, v, dots, &a(j, j + 1), a.step);
        }
        for (Index c = j + 1; c < n; ++c) {
            if (norms[c] == 0) continue;
            const R ratio = std::abs(a(j, c)) / norms[c], left = std::max(R(0), (1 + ratio) * (1 - ratio)),
                    lost = norms[c] / exact[c];
            if (left * lost * lost <= std::sqrt(kEps<T>))
                norms[c] = exact[c] = fast_norm(length - 1, &a(j + 1, c));
            else
                norms[c] *= std::sqrt(left);
        }
        if (in_panel + 1 == panel.v.columns) make_factor(panel, taus + j - in_panel, scratch);
    }
}

}  // namespace

template <class T>
void BuiltinKernels<T>::qr(Index m, Index n, Index k, T* a, T* q, T* r, std::int64_t* columns,
                           Scratch& scratch) const {
    const Index count = std::min(m, n);
    if constexpr (!is_complex<T>) {
        const auto& kernels = across_kernels<T>();
        if (columns == nullptr && count > 0 && m <= kTallestAcross && std::max(n, k) <= kernels.lanes)
            return kernels.qr(m, n, k, a, q, r);
    }
    const Scratch::Frame frame(scratch);
    const Matrix<T> matrix{m, n, a, std::max<Index>(m, 1)}, to_q{m, k, q, std::max<Index>(m, 1)};
    const ReflectorPanels<T> panels(m, count, kPanel, 0, scratch);
    if (columns == nullptr) {
        factor(matrix, panels, scratch);
    } else {
        for (Index j = 0; j < n; ++j) columns[j] = j;
        factor_pivoted(matrix, panels, columns, scratch);
    }
    set_identity(to_q);
    if (count == 0) return;
    panels.apply_to(to_q, true, scratch);
    std::fill_n(r, k * n, T(0));
    for (Index j = 0; j < n; ++j) std::copy_n(matrix.column(j), std::min(j + 1, count), r + j * k);
}

#define TENFERRO_INSTANCE(T) \
    template void BuiltinKernels<T>::qr(Index, Index, Index, T*, T*, T*, std::int64_t*, Scratch&) const;
TENFERRO_FLOATING_TYPES(TENFERRO_INSTANCE)
#undef TENFERRO_INSTANCE

}}}  // namespace tenferro::TENFERRO_ABI::linalg
