// QR by Householder reflections, with or without column pivoting (Golub and Van Loan, 5.2 and 5.4), and
// orthonormal completion, of the reference backend.
#include <algorithm>
#include <cmath>

#include "linalg/reference/algorithms.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg::reference {

namespace {

/// x - 2 v vᴴ x, for v of norm 1.
template <class W>
void reflect(Index n, const W* v, W* x) {
    const W factor = 2.0 * dot(n, v, x);
    for (Index i = 0; i < n; ++i) x[i] -= factor * v[i];
}

}  // namespace

template <class W>
void qr(Index m, Index n, Index k, W* a, W* q, W* r, std::int64_t* columns) {
    const Index steps = std::min(m, n);
    std::vector<std::vector<W>> reflectors(static_cast<std::size_t>(steps));
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
        const W* const x = a + step + step * m;
        std::vector<W>& v = reflectors[static_cast<std::size_t>(step)];
        const double length = norm(m - step, x);
        // Nothing below the diagonal: no reflection.
        if (length == 0 || norm(m - step - 1, x + 1) == 0) continue;
        v.assign(x, x + (m - step));
        v[0] += phase(x[0]) * length;
        const double scale = norm(m - step, v.data());
        for (W& element : v) element /= scale;
        for (Index j = step; j < n; ++j) reflect(m - step, v.data(), a + step + j * m);
        for (Index i = step + 1; i < m; ++i) a[i + step * m] = 0;
    }
    for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < k; ++i) r[i + j * k] = i <= j ? a[i + j * m] : W(0);
    for (Index j = 0; j < k; ++j) {
        for (Index i = 0; i < m; ++i) q[i + j * m] = i == j ? 1 : 0;
        for (Index step = steps - 1; step >= 0; --step)
            if (const auto& v = reflectors[static_cast<std::size_t>(step)]; !v.empty())
                reflect(m - step, v.data(), q + step + j * m);
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
