// Eigenvalues of general matrices of kind builtin.
#include "linalg/builtin/builtin_kernels.hpp"
#include "linalg/builtin/eigen.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// x [n, n]: eigenvectors of the upper triangle of t, with a largest element of moderate size. Eigen's own
/// overflow where eigenvalues are equal.
template <class T>
void triangular_vectors(Index n, const T* t, T* x) {
    using R = RealOf<T>;
    R size = 0;
    for (Index j = 0; j < n; ++j)
        for (Index i = 0; i <= j; ++i) size = std::max(size, magnitude(t[i + j * n]));
    const R least = std::max(kEps<T> * size, std::numeric_limits<R>::min());
    const R most = std::sqrt(std::sqrt(std::numeric_limits<R>::max()));
    for (Index k = 0; k < n; ++k) {
        T* const v = x + k * n;
        std::fill_n(v, n, T(0));
        v[k] = 1;
        // Substitution by columns: v_i is the sum so far until its turn comes.
        for (Index i = 0; i < k; ++i) v[i] = -t[i + k * n];
        for (Index i = k - 1; i >= 0; --i) {
            T gap = t[i + i * n] - t[k + k * n];
            if (magnitude(gap) < least) gap = least;
            if (magnitude(v[i]) > most * magnitude(gap)) {
                const R down = magnitude(gap) / magnitude(v[i]);
                for (Index j = 0; j <= k; ++j) v[j] *= down;
            }
            v[i] /= gap;
            for (Index j = 0; j < i; ++j) v[j] -= t[j + i * n] * v[i];
            if (magnitude(v[i]) > most) {
                const R down = 1 / magnitude(v[i]);
                for (Index j = 0; j <= k; ++j) v[j] *= down;
            }
        }
    }
}

}  // namespace

template <class T>
bool BuiltinKernels<T>::eig(Index n, T* a, C* w, C* v, Scratch& scratch) const {
    if (n == 0) return true;
    if constexpr (is_complex<T>) {
        const Eigen::ComplexSchur<EigenMatrix<T>> schur(as_eigen(n, n, a), v != nullptr);
        if (schur.info() != Eigen::Success)  // elements near underflow
            return reference_kernels().of<T>().eig(n, a, w, v, scratch);
        for (Index j = 0; j < n; ++j) w[j] = schur.matrixT()(j, j);
        if (v == nullptr) return true;
        const Scratch::Frame frame(scratch);
        T* const x = scratch.take<T>(n * n);
        triangular_vectors(n, schur.matrixT().data(), x);
        as_eigen(n, n, v).noalias() = schur.matrixU() * as_eigen(n, n, x);
    } else {
        const Eigen::EigenSolver<EigenMatrix<T>> solver(as_eigen(n, n, a), v != nullptr);
        if (solver.info() != Eigen::Success) return false;
        std::copy_n(solver.eigenvalues().data(), n, w);
        if (v == nullptr) return true;
        as_eigen(n, n, v) = solver.eigenvectors();
    }
    for (Index j = 0; j < n; ++j) {
        const R length = norm(n, v + j * n);
        if (!(length > 0) || !std::isfinite(length)) return false;
        for (Index i = 0; i < n; ++i) v[i + j * n] /= length;
    }
    return true;
}

#define TENFERRO_INSTANCE(T) \
    template bool BuiltinKernels<T>::eig(Index, T*, ComplexOf<T>*, ComplexOf<T>*, Scratch&) const;
TENFERRO_FLOATING_TYPES(TENFERRO_INSTANCE)
#undef TENFERRO_INSTANCE

}}}  // namespace tenferro::TENFERRO_ABI::linalg
