// QR by Householder reflections, with or without column pivoting (Golub and Van Loan, 5.2 and 5.4), and
// orthonormal completion, of the reference backend.
#include <algorithm>
#include <cmath>

#include "linalg/reference/algorithms.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg::reference {

namespace {

/// I - tau v vᴴ with v_0 = 1, whose adjoint makes of a vector a real multiple of the first unit vector, as in
/// LAPACK's larfg; without elements where nothing needs to be done.
template <class W>
struct Reflection {
    W tau = 0;
    std::vector<W> v;

    Reflection(Index n, const W* x) {
        const double length = norm(n, x);
        if (norm(n - 1, x + 1) == 0 && std::imag(x[0]) == 0) return;
        const double end = -std::copysign(length, real_part(x[0]));
        tau = (end - x[0]) / end;
        v.assign(x, x + n);
        v[0] = 1;
        for (Index i = 1; i < n; ++i) v[static_cast<std::size_t>(i)] /= x[0] - end;
    }
    void apply(W factor, W* x) const {
        const Index n = static_cast<Index>(v.size());
        if (n == 0) return;
        const W along = factor * dot(n, v.data(), x);
        for (Index i = 0; i < n; ++i) x[i] -= along * v[static_cast<std::size_t>(i)];
    }
};

}  // namespace

template <class W>
void qr(Index m, Index n, Index k, W* a, W* q, W* r, std::int64_t* columns) {
    const Index steps = std::min(m, n);
    std::vector<Reflection<W>> reflections;
    for (Index j = 0; columns != nullptr && j < n; ++j) columns[j] = j;
    for (Index step = 0; step < steps; ++step) {
        if (columns != nullptr) {
            Index chosen = step;
            for (Index j = step + 1; j < n; ++j)
                if (norm(m - step, a + step + j * m) > norm(m - step, a + step + chosen * m)) chosen = j;
            if (chosen != step) {
                std::swap_ranges(a + step * m, a + step * m + m, a + chosen * m);
                std::swap(columns[step], columns[chosen]);
            }
        }
        const Reflection<W>& reflection = reflections.emplace_back(m - step, a + step + step * m);
        for (Index j = step; j < n; ++j) reflection.apply(conjugate(reflection.tau), a + step + j * m);
        if (!reflection.v.empty()) a[step + step * m] = real_part(a[step + step * m]);
        for (Index i = step + 1; i < m; ++i) a[i + step * m] = 0;
    }
    for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < k; ++i) r[i + j * k] = i <= j ? a[i + j * m] : W(0);
    for (Index j = 0; j < k; ++j) {
        for (Index i = 0; i < m; ++i) q[i + j * m] = i == j ? 1 : 0;
        for (Index step = steps - 1; step >= 0; --step) {
            const Reflection<W>& reflection = reflections[static_cast<std::size_t>(step)];
            reflection.apply(reflection.tau, q + step + j * m);
        }
    }
}

template <class W>
void complete_columns(Index m, Index from, Index to, W* u) {
    for (Index column = from; column < to; ++column) {
        // The unit vector that lies least in the space of those before.
        Index chosen = 0;
        double least = 2;
        for (Index i = 0; i < m; ++i) {
            double inside = 0;
            for (Index j = 0; j < column; ++j) inside += squared(u[i + j * m]);
            if (inside < least) least = inside, chosen = i;
        }
        W* const x = u + column * m;
        std::fill(x, x + m, W(0));
        x[chosen] = 1;
        for (int pass = 0; pass < 2; ++pass)
            for (Index j = 0; j < column; ++j) {
                const W factor = dot(m, u + j * m, x);
                for (Index i = 0; i < m; ++i) x[i] -= factor * u[i + j * m];
            }
        const double length = norm(m, x);
        for (Index i = 0; i < m; ++i) x[i] /= length;
    }
}

#define TENFERRO_INSTANCES(W)                                         \
    template void qr(Index, Index, Index, W*, W*, W*, std::int64_t*); \
    template void complete_columns(Index, Index, Index, W*);
TENFERRO_INSTANCES(double)
TENFERRO_INSTANCES(std::complex<double>)
#undef TENFERRO_INSTANCES

}}}  // namespace tenferro::TENFERRO_ABI::linalg::reference
