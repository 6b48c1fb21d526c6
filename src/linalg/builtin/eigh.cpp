// Eigenvalues of Hermitian matrices of kind builtin: small ones across lanes, if they are real; others by
// tridiagonalisation and divide and conquer.
#include "linalg/builtin/builtin_kernels.hpp"
#include "linalg/builtin/tridiagonal.hpp"
#include "linalg/floating_types.hpp"
#include "linalg/small/across.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

template <class T>
bool BuiltinKernels<T>::eigh(Index n, bool vectors, T* a, R* w, Scratch& scratch) const {
    if (n == 0) return true;
    if constexpr (!is_complex<T>) {
        const auto& kernels = across_kernels<T>();
        if (n <= kernels.lanes && kernels.eigh(n, vectors, a, w)) return true;
    }
    const Scratch::Frame frame(scratch);
    const Matrix<T> matrix{n, n, a, n};
    R* const beside = scratch.take<R>(n);
    const ReflectorPanels<T> q(n, n - 1, kAppliedPanel, 1, scratch);
    make_tridiagonal(matrix, w, beside, q, scratch);
    if (!vectors && n <= kSmallTridiagonal)  // the same values as with vectors
        return iterate_tridiagonal(n, w, beside, Matrix<R>{});
    if (!vectors) return tridiagonal_values(n, w, beside);
    if constexpr (is_complex<T>) {
        const Matrix<R> x = take_matrix<R>(n, n, scratch);
        if (!divide_tridiagonal(n, w, beside, x, scratch)) return false;
        std::copy_n(x.data, n * n, a);
    } else {
        if (!divide_tridiagonal(n, w, beside, matrix, scratch)) return false;
    }
    q.apply_to(matrix, false, scratch);
    return true;
}

#define TENFERRO_INSTANCE(T) \
    template bool BuiltinKernels<T>::eigh(Index, bool, T*, RealOf<T>*, Scratch&) const;
TENFERRO_FLOATING_TYPES(TENFERRO_INSTANCE)
#undef TENFERRO_INSTANCE

}}}  // namespace tenferro::TENFERRO_ABI::linalg
