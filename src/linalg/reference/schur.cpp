// Eigenvalues of any matrix by the QR algorithm on its complex Hessenberg form (Golub and Van Loan, 7.4 and
// 7.5), of the reference backend.
#include <algorithm>
#include <cmath>

#include "linalg/reference/algorithms.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg::reference {

namespace {

using C = std::complex<double>;

/// A square matrix.
struct Square {
    Index n;
    std::vector<C> elements;

    explicit Square(Index extent) : n(extent), elements(static_cast<std::size_t>(extent * extent)) {}
    C& operator()(Index i, Index j) { return elements[static_cast<std::size_t>(i + j * n)]; }
};

/// h becomes Hessenberg and z the unitary matrix with A = z h zᴴ.
void reduce(Square& h, Square& z) {
    const Index n = h.n;
    std::vector<C> v(static_cast<std::size_t>(n));
    for (Index k = 0; k + 2 < n; ++k) {
        const Index length = n - k - 1;
        C* const x = &h(k + 1, k);
        if (norm(length - 1, x + 1) == 0) continue;
        std::copy_n(x, length, v.data());
        v[0] += phase(x[0]) * norm(length, x);
        const double scale = norm(length, v.data());
        for (Index i = 0; i < length; ++i) v[static_cast<std::size_t>(i)] /= scale;
        for (Index j = 0; j < n; ++j) {
            const C factor = 2.0 * dot(length, v.data(), &h(k + 1, j));
            for (Index i = 0; i < length; ++i) h(k + 1 + i, j) -= factor * v[static_cast<std::size_t>(i)];
        }
        for (Square* const side : {&h, &z})
            for (Index i = 0; i < n; ++i) {
                C sum = 0;
                for (Index j = 0; j < length; ++j)
                    sum += (*side)(i, k + 1 + j) * v[static_cast<std::size_t>(j)];
                for (Index j = 0; j < length; ++j)
                    (*side)(i, k + 1 + j) -= 2.0 * sum * std::conj(v[static_cast<std::size_t>(j)]);
            }
        for (Index i = k + 2; i < n; ++i) h(i, k) = 0;
    }
}

/// The eigenvalue of the 2 x 2 block that ends at (last, last) that is nearer to its last element.
C wilkinson_shift(Square& h, Index last) {
    const C a = h(last - 1, last - 1), b = h(last - 1, last), c = h(last, last - 1), d = h(last, last);
    const C half = (a - d) / 2.0, root = std::sqrt(half * half + b * c);
    const C sum = std::abs(half + root) > std::abs(half - root) ? half + root : half - root;
    return sum == 0.0 ? d : d - b * c / sum;
}

/// A QR step on rows and columns first … last.
void step(Square& h, Square& z, Index first, Index last, C shift) {
    const Index n = h.n;
    std::vector<C> cosines(static_cast<std::size_t>(n)), sines(static_cast<std::size_t>(n));
    for (Index k = first; k <= last; ++k) h(k, k) -= shift;
    for (Index k = first; k < last; ++k) {
        const C x = h(k, k), y = h(k + 1, k);
        const double length = std::hypot(std::abs(x), std::abs(y));
        const C c = length == 0 ? C(1) : x / length, s = length == 0 ? C(0) : y / length;
        cosines[static_cast<std::size_t>(k)] = c;
        sines[static_cast<std::size_t>(k)] = s;
        for (Index j = k; j < n; ++j) {
            const C top = h(k, j), bottom = h(k + 1, j);
            h(k, j) = std::conj(c) * top + std::conj(s) * bottom;
            h(k + 1, j) = -s * top + c * bottom;
        }
    }
    for (Index k = first; k < last; ++k) {
        const C c = cosines[static_cast<std::size_t>(k)], s = sines[static_cast<std::size_t>(k)];
        const auto turn = [&](Square& side, Index rows) {
            for (Index i = 0; i < rows; ++i) {
                const C left = side(i, k), right = side(i, k + 1);
                side(i, k) = c * left + s * right;
                side(i, k + 1) = -std::conj(s) * left + std::conj(c) * right;
            }
        };
        turn(h, std::min(k + 2, last + 1));
        turn(z, n);
    }
    for (Index k = first; k <= last; ++k) h(k, k) += shift;
}

/// h becomes triangular.
bool iterate(Square& h, Square& z) {
    constexpr int kMost = 300;
    const double whole = norm(h.n * h.n, h.elements.data());
    Index last = h.n - 1;
    for (int tries = 0; last > 0;) {
        Index first = last;
        for (; first > 0; --first) {
            const double beside = std::abs(h(first - 1, first - 1)) + std::abs(h(first, first));
            if (std::abs(h(first, first - 1)) <= kEps<double> * (beside == 0 ? whole : beside)) {
                h(first, first - 1) = 0;
                break;
            }
        }
        if (first == last) {
            --last;
            tries = 0;
            continue;
        }
        if (++tries > kMost) return false;
        const C shift =
            tries % 10 == 0 ? h(last, last) + C(std::abs(h(last, last - 1))) : wilkinson_shift(h, last);
        step(h, z, first, last, shift);
    }
    return true;
}

/// Eigenvectors of the triangular h, turned by z, of norm 1.
void vectors_of(Square& h, Square& z, C* v) {
    const Index n = h.n;
    const double whole = norm(n * n, h.elements.data());
    const double least = std::max(kEps<double> * whole, std::numeric_limits<double>::min());
    std::vector<C> x(static_cast<std::size_t>(n));
    for (Index k = 0; k < n; ++k) {
        std::fill(x.begin(), x.end(), C(0));
        x[static_cast<std::size_t>(k)] = 1;
        for (Index i = k - 1; i >= 0; --i) {
            C sum = 0;
            for (Index j = i + 1; j <= k; ++j) sum -= h(i, j) * x[static_cast<std::size_t>(j)];
            C gap = h(i, i) - h(k, k);
            if (std::abs(gap) < least) gap = least;
            x[static_cast<std::size_t>(i)] = sum / gap;
            const double size = std::abs(x[static_cast<std::size_t>(i)]);
            if (size > 1e100)
                for (C& element : x) element /= size;
        }
        for (Index i = 0; i < n; ++i) {
            C sum = 0;
            for (Index j = 0; j <= k; ++j) sum += z(i, j) * x[static_cast<std::size_t>(j)];
            v[i + k * n] = sum;
        }
        const double length = norm(n, v + k * n);
        for (Index i = 0; i < n; ++i) v[i + k * n] /= length;
    }
}

}  // namespace

template <class W>
bool eig(Index n, const W* a, C* w, C* v) {
    Square h(n), z(n);
    std::copy_n(a, n * n, h.elements.data());
    for (Index j = 0; j < n; ++j) z(j, j) = 1;
    reduce(h, z);
    if (!iterate(h, z)) return false;
    for (Index j = 0; j < n; ++j) w[j] = h(j, j);
    if (v != nullptr) vectors_of(h, z, v);
    return true;
}

template bool eig(Index, const double*, C*, C*);
template bool eig(Index, const C*, C*, C*);

}}}  // namespace tenferro::TENFERRO_ABI::linalg::reference
