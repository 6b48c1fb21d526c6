// Singular values by one-sided and Hermitian eigenvalues by two-sided Jacobi rotations (Golub and Van Loan,
// 8.5 and 8.6.3), of the reference backend.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "linalg/reference/algorithms.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg::reference {

namespace {

constexpr int kSweeps = 100;

/// The rotation by which [[p, |q|], [|q|, r]] becomes diagonal.
struct Rotation {
    double c, s;

    Rotation(double p, double q, double r) noexcept {
        const double zeta = (r - p) / (2 * q);
        const double t = std::copysign(1 / (std::abs(zeta) + std::hypot(1.0, zeta)), zeta);
        c = 1 / std::hypot(1.0, t);
        s = c * t;
    }
};

/// x' = c x - s conj(e) y, y' = s x + c conj(e) y.
template <class W>
void rotate(Index n, const Rotation& by, W e, W* x, W* y) {
    for (Index i = 0; i < n; ++i) {
        const W a = x[i], b = y[i] * conjugate(e);
        x[i] = by.c * a - by.s * b;
        y[i] = by.s * a + by.c * b;
    }
}

/// The numbers 0 … n-1 by key, the largest first.
std::vector<Index> descending(Index n, const double* key) {
    std::vector<Index> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) { return key[i] > key[j]; });
    return order;
}

/// A [m, n] with m >= n: columns of A V become orthogonal. u [m, columns], v [n, n].
template <class W>
bool one_sided(Index m, Index n, Index columns, std::vector<W> a, W* u, double* s, W* v) {
    constexpr double kNothing = 1e-290;  // squares below have lost digits to underflow
    std::vector<W> vectors(static_cast<std::size_t>(n * n), W(0));
    for (Index j = 0; j < n; ++j) vectors[static_cast<std::size_t>(j + j * n)] = 1;
    const double tolerance = kEps<double> * std::sqrt(static_cast<double>(m));
    bool rotated = true;
    for (int sweep = 0; rotated && sweep < kSweeps; ++sweep) {
        rotated = false;
        for (Index i = 0; i < n; ++i)
            for (Index j = i + 1; j < n; ++j) {
                W *const x = a.data() + i * m, *const y = a.data() + j * m;
                const double p = real_part(dot(m, x, x)), r = real_part(dot(m, y, y));
                const W q = dot(m, x, y);
                if (p < kNothing || r < kNothing || std::abs(q) <= tolerance * std::sqrt(p) * std::sqrt(r))
                    continue;
                rotated = true;
                const Rotation by(p, std::abs(q), r);
                rotate(m, by, phase(q), x, y);
                rotate(n, by, phase(q), vectors.data() + i * n, vectors.data() + j * n);
            }
    }
    if (rotated) return false;
    std::vector<double> lengths(static_cast<std::size_t>(n));
    for (Index j = 0; j < n; ++j) lengths[static_cast<std::size_t>(j)] = norm(m, a.data() + j * m);
    const std::vector<Index> order = descending(n, lengths.data());
    Index rank = 0;
    for (Index j = 0; j < n; ++j) {
        const Index from = order[static_cast<std::size_t>(j)];
        s[j] = lengths[static_cast<std::size_t>(from)];
        if (u == nullptr) continue;
        std::copy_n(vectors.data() + from * n, n, v + j * n);
        if (s[j] * s[j] < kNothing) continue;
        for (Index i = 0; i < m; ++i) u[i + j * m] = a[static_cast<std::size_t>(i + from * m)] / s[j];
        rank = j + 1;
    }
    if (u != nullptr) complete_columns(m, rank, columns, u);
    return true;
}

}  // namespace

template <class W>
bool svd(Index m, Index n, bool full, const W* a, W* u, double* s, W* vh) {
    const bool tall = m >= n;
    const Index rows = std::max(m, n), columns = std::min(m, n), kept = full ? rows : columns;
    std::vector<W> work(static_cast<std::size_t>(rows * columns)),
        left(static_cast<std::size_t>(u != nullptr ? rows * kept : 0)),
        right(static_cast<std::size_t>(columns * columns));
    for (Index j = 0; j < columns; ++j)
        for (Index i = 0; i < rows; ++i)
            work[static_cast<std::size_t>(i + j * rows)] = tall ? a[i + j * m] : conjugate(a[j + i * m]);
    if (!one_sided(rows, columns, kept, std::move(work), u != nullptr ? left.data() : nullptr, s,
                   right.data()))
        return false;
    if (u == nullptr) return true;
    // A = left s rightᴴ, or its adjoint is.
    const std::vector<W>&from_u = tall ? left : right, &from_v = tall ? right : left;
    const Index v_columns = tall ? columns : kept;
    std::copy(from_u.begin(), from_u.end(), u);
    for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < v_columns; ++i)
            vh[i + j * v_columns] = conjugate(from_v[static_cast<std::size_t>(j + i * n)]);
    return true;
}

template <class W>
bool eigh(Index n, W* a, double* w) {
    std::vector<W> matrix(a, a + n * n), vectors(static_cast<std::size_t>(n * n), W(0));
    const auto h = [&](Index i, Index j) -> W& { return matrix[static_cast<std::size_t>(i + j * n)]; };
    for (Index j = 0; j < n; ++j) {
        vectors[static_cast<std::size_t>(j + j * n)] = 1;
        h(j, j) = real_part(h(j, j));
        for (Index i = j + 1; i < n; ++i) h(j, i) = conjugate(h(i, j));
    }
    const double negligible =
        kEps<double> / 16 * norm(n * n, matrix.data()) / static_cast<double>(std::max<Index>(n, 1));
    bool rotated = true;
    for (int sweep = 0; rotated && sweep < kSweeps; ++sweep) {
        rotated = false;
        for (Index i = 0; i < n; ++i)
            for (Index j = i + 1; j < n; ++j) {
                const W q = h(i, j);
                if (std::abs(q) <= negligible) continue;
                rotated = true;
                const W e = phase(q);
                const Rotation by(real_part(h(i, i)), std::abs(q), real_part(h(j, j)));
                rotate(n, by, e, &h(0, i), &h(0, j));
                rotate(n, by, e, vectors.data() + i * n, vectors.data() + j * n);
                for (Index k = 0; k < n; ++k) {  // rows, by the adjoint
                    const W x = h(i, k), y = h(j, k) * e;
                    h(i, k) = by.c * x - by.s * y;
                    h(j, k) = by.s * x + by.c * y;
                }
                h(i, j) = h(j, i) = 0;
            }
    }
    if (rotated) return false;
    for (Index j = 0; j < n; ++j) w[j] = -real_part(h(j, j));
    const std::vector<Index> order = descending(n, w);
    for (Index j = 0; j < n; ++j) {
        const Index from = order[static_cast<std::size_t>(j)];
        std::copy_n(vectors.data() + from * n, n, a + j * n);
        w[j] = real_part(h(from, from));
    }
    return true;
}

#define TENFERRO_INSTANCES(W)                                         \
    template bool svd(Index, Index, bool, const W*, W*, double*, W*); \
    template bool eigh(Index, W*, double*);
TENFERRO_INSTANCES(double)
TENFERRO_INSTANCES(std::complex<double>)
#undef TENFERRO_INSTANCES

}}}  // namespace tenferro::TENFERRO_ABI::linalg::reference
