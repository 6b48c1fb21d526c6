// The matrix exponential of LinalgBackend: Padé approximants with scaling and squaring, N. J. Higham, "The
// scaling and squaring method for the matrix exponential revisited", SIAM J. Matrix Anal. Appl. 26 (2005).
// Its derivative is computed beside it, by the derivative of every step (A. H. Al-Mohy and N. J. Higham, same
// journal 30, 2009).
#include <array>
#include <cmath>
#include <new>
#include <vector>

#include "linalg/backend/operand.hpp"
#include "tenferro/base/cancellation.hpp"
#include "tenferro/base/error.hpp"

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

/// Up to here a product takes less time in plain loops than a call.
constexpr Index kPlainExtent = 10;

/// Square matrices of one task, alone or with a derivative behind each.
template <class T>
class Algebra {
public:
    Algebra(const MatrixKernels<T>& kernels, Index extent, bool derivatives, Scratch& scratch)
        : kernels_(kernels), n_(extent), derivatives_(derivatives), scratch_(scratch) {}

    [[nodiscard]] Index elements() const noexcept { return n_ * n_ * (derivatives_ ? 2 : 1); }
    [[nodiscard]] T* take() { return scratch_.take<T>(elements()); }
    [[nodiscard]] T* zero() {
        T* const made = take();
        std::fill_n(made, elements(), T(0));
        return made;
    }
    [[nodiscard]] T* product(const T* a, const T* b) {
        T* const c = take();
        multiply(a, b, c);
        return c;
    }
    void multiply(const T* a, const T* b, T* c) {
        const Index behind = n_ * n_;
        multiply_values(false, a, b, c);
        if (!derivatives_) return;
        multiply_values(false, a, b + behind, c + behind);
        multiply_values(true, a + behind, b, c + behind);
    }
    /// c = a b, or c + a b, of matrices without derivatives.
    void multiply_values(bool add, const T* a, const T* b, T* c) {
        if (n_ <= kPlainExtent) return multiply_plainly(add, n_, a, b, c);
        CancellationScope::check_current();
        kernels_.multiply(add, n_, a, b, c, scratch_);
    }
    void add(T* to, double factor, const T* a) const {
        for (Index i = 0; i < elements(); ++i) to[i] += static_cast<RealOf<T>>(factor) * a[i];
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
    const MatrixKernels<T>& kernels_;
    Index n_;
    bool derivatives_;
    Scratch& scratch_;
};

/// The odd part u and the even part v of the numerator, v + u; the denominator is v - u.
template <class T>
void numerator(Algebra<T>& algebra, int degree, const T* a, T* u, T* v) {
    const std::array<double, 14> b = coefficients(degree);
    const T* const a2 = algebra.product(a, a);
    T* const odd = algebra.zero();  // u = a odd
    if (degree < 13) {
        std::fill_n(v, algebra.elements(), T(0));
        algebra.add_identity(odd, b[1]);
        algebra.add_identity(v, b[0]);
        const T* power = a2;
        for (int j = 2; j < degree; j += 2) {
            algebra.add(v, b[static_cast<std::size_t>(j)], power);
            algebra.add(odd, b[static_cast<std::size_t>(j) + 1], power);
            if (j + 2 < degree) power = algebra.product(power, a2);
        }
    } else {
        const T *const a4 = algebra.product(a2, a2), *const a6 = algebra.product(a4, a2);
        const auto half = [&](std::size_t first, T* sum) {  // first: 0 for the even part, 1 for the odd
            T* const high = u;                              // for a while
            std::fill_n(high, algebra.elements(), T(0));
            algebra.add(high, b[12 + first], a6);
            algebra.add(high, b[10 + first], a4);
            algebra.add(high, b[8 + first], a2);
            algebra.multiply(a6, high, sum);
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

template <class T>
void scale_by_minus_one(Index count, T* x) noexcept {
    for (Index i = 0; i < count; ++i) x[i] = -x[i];
}

/// The exponential of a, which is lost, to `result`, both with a derivative behind if wanted.
template <class T>
void exponential(const MatrixKernels<T>& kernels, Index n, bool derivative, T* a, T* result,
                 Scratch& scratch) {
    Algebra<T> algebra(kernels, n, derivative, scratch);
    const double size = algebra.one_norm(a);
    int degree = 13, squarings = 0;
    for (const Degree& row : kDegrees)
        if (size <= row.most) {
            degree = row.degree;
            break;
        }
    if (size > kDegrees.back().most) {
        // A norm that is out of range is less than n times the largest number.
        const double digits = std::isfinite(size) ? std::log2(size)
                                                  : std::numeric_limits<double>::max_exponent +
                                                        std::log2(static_cast<double>(n));
        squarings = std::max(0, static_cast<int>(std::ceil(digits - std::log2(kDegrees.back().most))));
    }
    scale(algebra.elements(), a, -squarings);
    T *const u = algebra.take(), *const v = algebra.take(), *const denominator = algebra.take();
    {
        const Scratch::Frame powers(scratch);
        numerator(algebra, degree, a, u, v);
    }
    for (Index i = 0; i < algebra.elements(); ++i) {
        denominator[i] = v[i] - u[i];
        v[i] += u[i];
    }
    std::int64_t* const rows = scratch.take<std::int64_t>(n);
    static_cast<void>(kernels.lu(n, n, denominator, rows, scratch));
    const auto solve = [&](const T* side, T* x) {
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i < n; ++i) x[i + j * n] = side[rows[i] + j * n];
        kernels.triangular_solve({.lower = true, .unit_diagonal = true}, n, n, denominator, x, scratch);
        kernels.triangular_solve({.lower = false}, n, n, denominator, x, scratch);
    };
    solve(v, result);
    if (derivative) {  // of Q X = P: Q dX = dP - dQ X
        scale_by_minus_one(n * n, result);
        algebra.multiply_values(true, denominator + n * n, result, v + n * n);
        scale_by_minus_one(n * n, result);
        solve(v + n * n, result + n * n);
    }
    for (; squarings > 0; --squarings) {
        algebra.multiply(result, result, u);
        std::copy_n(u, algebra.elements(), result);
    }
}

}  // namespace

Tensor LinalgBackend::matrix_exp_read(const TensorRead& a) const try {
    constexpr std::string_view kOp = "matrix_exp";
    return compute(*backend_, *kernels_, a, kOp, [&]<class T>(BackendSession& session, const auto& kernels) {
        const Dims batch = checked_square(session, a, kOp);
        const Index n = a.shape()[0];
        const Slices<T> matrices(a, 2);
        Result<T> result(session, {n, n}, batch);
        for_each_matrix(session, kOp, batch, cubic(20, n, n), [&](Index i, Scratch& scratch) -> MaybeProblem {
            T* const matrix = scratch.take<T>(n * n);
            if (!matrices.copy(i, matrix)) return matrices.not_finite(i);
            exponential(kernels, n, false, matrix, result[i], scratch);
            return std::nullopt;
        });
        return std::move(result.tensor);
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("matrix_exp");
}

Tensor LinalgBackend::matrix_exp_derivative_read(const TensorRead& a, const TensorRead& e) const try {
    constexpr std::string_view kOp = "matrix_exp";
    return compute(*backend_, *kernels_, a, kOp, [&]<class T>(BackendSession& session, const auto& kernels) {
        const Dims batch = checked_square(session, a, kOp);
        static_cast<void>(checked_square(session, e, kOp, "the direction"));
        check_same_dtype(a, e, kOp);
        static_cast<void>(common_batch(a, 2, e, 2, kOp));
        const Index n = a.shape()[0];
        check_system(a, e, true, kOp, "the direction");
        const Slices<T> matrices(a, 2), directions(e, 2);
        Result<T> result(session, {n, n}, batch);
        for_each_matrix(session, kOp, batch, cubic(60, n, n), [&](Index i, Scratch& scratch) -> MaybeProblem {
            T *const both = scratch.take<T>(2 * n * n), *const x = scratch.take<T>(2 * n * n);
            if (!matrices.copy(i, both)) return matrices.not_finite(i);
            const auto largest = directions.copy(i, both + n * n);
            if (!largest) return directions.not_finite(i);
            const int exponent = *largest == 0 ? 0 : std::ilogb(*largest);
            scale(n * n, both + n * n, -exponent);
            exponential(kernels, n, true, both, x, scratch);
            std::copy_n(x + n * n, n * n, result[i]);
            scale(n * n, result[i], exponent);
            return std::nullopt;
        });
        return std::move(result.tensor);
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("matrix_exp");
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
