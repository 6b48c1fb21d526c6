// The matrix exponential of LinalgBackend: Padé approximants with scaling and squaring, N. J. Higham, "The
// scaling and squaring method for the matrix exponential revisited", SIAM J. Matrix Anal. Appl. 26 (2005).
#include <array>
#include <cmath>
#include <vector>

#include "linalg/backend/operand.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// The degrees of the approximants, and up to which 1-norm each is as good as double precision.
struct Degree {
    int degree;
    double most;
};
constexpr std::array<Degree, 5> kDegrees{{{3, 1.495585217958292e-2},
                                          {5, 2.539398330063230e-1},
                                          {7, 9.504178996162932e-1},
                                          {9, 2.097847961257068},
                                          {13, 5.371920351148152}}};
/// Coefficients of the approximant of a degree: b_j = (2m - j)! m! / ((2m)! (m - j)! j!), times what makes
/// the last one 1.
std::array<double, 14> coefficients(int degree) {
    std::array<double, 14> b{};
    b[static_cast<std::size_t>(degree)] = 1;
    for (int j = degree; j > 0; --j)
        b[static_cast<std::size_t>(j - 1)] =
            b[static_cast<std::size_t>(j)] * j * (2 * degree - j + 1) / (degree - j + 1);
    return b;
}

/// Square matrices of one task.
template <class T>
class Algebra {
public:
    Algebra(Index extent, Scratch& scratch) : n_(extent), scratch_(scratch) {}

    [[nodiscard]] T* zero() {
        T* const made = scratch_.take<T>(n_ * n_);
        std::fill_n(made, n_ * n_, T(0));
        return made;
    }
    [[nodiscard]] T* product(const T* a, const T* b) {
        T* const c = zero();
        multiply(a, b, c);
        return c;
    }
    void multiply(const T* a, const T* b, T* c) const {
        std::fill_n(c, n_ * n_, T(0));
        for (Index j = 0; j < n_; ++j)
            for (Index k = 0; k < n_; ++k) {
                const T factor = b[k + j * n_];
                for (Index i = 0; i < n_; ++i) c[i + j * n_] += a[i + k * n_] * factor;
            }
    }
    void add(T* to, double factor, const T* a) const {
        for (Index i = 0; i < n_ * n_; ++i) to[i] += static_cast<RealOf<T>>(factor) * a[i];
    }
    void add_identity(T* to, double factor) const {
        for (Index i = 0; i < n_; ++i) to[i + i * n_] += static_cast<RealOf<T>>(factor);
    }
    [[nodiscard]] double one_norm(const T* a) const {
        double largest = 0;
        for (Index j = 0; j < n_; ++j) {
            double sum = 0;
            for (Index i = 0; i < n_; ++i) sum += static_cast<double>(std::abs(a[i + j * n_]));
            largest = std::max(largest, sum);
        }
        return largest;
    }

private:
    Index n_;
    Scratch& scratch_;
};

/// The odd part u and the even part v of the numerator, v + u; the denominator is v - u.
template <class T>
void numerator(Algebra<T>& algebra, int degree, const T* a, T* u, T* v) {
    const std::array<double, 14> b = coefficients(degree);
    const T* const a2 = algebra.product(a, a);
    T* const odd = algebra.zero();  // u = a odd
    if (degree < 13) {
        algebra.add_identity(odd, b[1]);
        algebra.add_identity(v, b[0]);
        const T* power = a2;
        for (int j = 2; j < degree; j += 2) {
            algebra.add(v, b[static_cast<std::size_t>(j)], power);
            algebra.add(odd, b[static_cast<std::size_t>(j + 1)], power);
            if (j + 2 < degree) power = algebra.product(power, a2);
        }
    } else {
        const T *const a4 = algebra.product(a2, a2), *const a6 = algebra.product(a4, a2);
        const auto half = [&](std::size_t first, T* sum) {  // first: 0 for the even part, 1 for the odd
            T* const high = algebra.zero();
            algebra.add(high, b[12 + first], a6);
            algebra.add(high, b[10 + first], a4);
            algebra.add(high, b[8 + first], a2);
            algebra.add(sum, 1, algebra.product(a6, high));
            algebra.add(sum, b[6 + first], a6);
            algebra.add(sum, b[4 + first], a4);
            algebra.add(sum, b[2 + first], a2);
            algebra.add_identity(sum, b[first]);
        };
        half(1, odd);
        half(0, v);
    }
    algebra.multiply(a, odd, u);
}

/// The exponential of a, which is lost, to `result`; false where it overflows.
template <class T>
void exponential(const MatrixKernels<T>& kernels, Index n, T* a, T* result, Scratch& scratch) {
    Algebra<T> algebra(n, scratch);
    const double size = algebra.one_norm(a);
    int degree = 13, squarings = 0;
    for (const Degree& row : kDegrees)
        if (size <= row.most) {
            degree = row.degree;
            break;
        }
    if (size > kDegrees.back().most)
        squarings = std::max(0, static_cast<int>(std::ceil(std::log2(size / kDegrees.back().most))));
    scale(n * n, a, -squarings);
    T *const u = algebra.zero(), *const v = algebra.zero();
    numerator(algebra, degree, a, u, v);
    T* const denominator = algebra.zero();
    algebra.add(denominator, 1, v);
    algebra.add(denominator, -1, u);
    algebra.add(v, 1, u);
    std::int64_t* const rows = scratch.take<std::int64_t>(n);
    static_cast<void>(kernels.lu(n, n, denominator, rows, scratch));
    for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i) result[i + j * n] = v[rows[i] + j * n];
    kernels.triangular_solve({.lower = true, .unit_diagonal = true}, n, n, denominator, result, scratch);
    kernels.triangular_solve({.lower = false}, n, n, denominator, result, scratch);
    for (; squarings > 0; --squarings) {
        algebra.multiply(result, result, u);
        std::copy_n(u, n * n, result);
    }
}

}  // namespace

Tensor LinalgBackend::matrix_exp_read(const TensorRead& a) const {
    constexpr std::string_view kOp = "matrix_exp";
    return compute(*backend_, *kernels_, a, kOp, [&]<class T>(BackendSession& session, const auto& kernels) {
        const Dims batch = checked_square(session, a, kOp);
        const Index n = a.shape()[0];
        const Slices<T> matrices(a, 2);
        Result<T> result(session, {n, n}, batch);
        for_each_matrix(session, kOp, batch, cubic(20, n, n), [&](Index i, Scratch& scratch) -> MaybeProblem {
            T* const matrix = scratch.take<T>(n * n);
            if (!matrices.copy(i, matrix)) return matrices.not_finite(i);
            exponential(kernels, n, matrix, result[i], scratch);
            return std::nullopt;
        });
        return std::move(result.tensor);
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
