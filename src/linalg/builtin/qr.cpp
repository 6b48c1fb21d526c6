// QR of kind builtin.
#include "linalg/builtin/builtin_kernels.hpp"
#include "linalg/builtin/eigen.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// Q [m, k] and R [k, n] of a factorisation by reflections.
template <class T, class Factors>
void give(const Factors& factors, Index m, Index n, Index k, T* q, T* r) {
    auto to_q = as_eigen(m, k, q);
    to_q.setIdentity();
    to_q.applyOnTheLeft(factors.householderQ());
    auto to_r = as_eigen(k, n, r);
    to_r.setZero();
    to_r.topRows(std::min(m, n)).template triangularView<Eigen::Upper>() =
        factors.matrixQR().topRows(std::min(m, n)).template triangularView<Eigen::Upper>();
}

}  // namespace

template <class T>
void BuiltinKernels<T>::qr(Index m, Index n, Index k, T* a, T* q, T* r, std::int64_t* columns,
                           Scratch&) const {
    Eigen::Ref<EigenMatrix<T>> matrix = as_eigen(m, n, a);
    for (Index j = 0; columns != nullptr && j < n; ++j) columns[j] = j;
    if (m == 0 || n == 0) {
        as_eigen(m, k, q).setIdentity();
        as_eigen(k, n, r).setZero();
    } else if (columns == nullptr) {
        const Eigen::HouseholderQR<Eigen::Ref<EigenMatrix<T>>> factors(matrix);
        give(factors, m, n, k, q, r);
    } else {
        const Eigen::ColPivHouseholderQR<Eigen::Ref<EigenMatrix<T>>> factors(matrix);
        give(factors, m, n, k, q, r);
        for (Index j = 0; j < n; ++j) columns[j] = factors.colsPermutation().indices()[j];
    }
}

#define TENFERRO_INSTANCE(T) \
    template void BuiltinKernels<T>::qr(Index, Index, Index, T*, T*, T*, std::int64_t*, Scratch&) const;
TENFERRO_FLOATING_TYPES(TENFERRO_INSTANCE)
#undef TENFERRO_INSTANCE

}}}  // namespace tenferro::TENFERRO_ABI::linalg
