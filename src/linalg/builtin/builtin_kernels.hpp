// The kernels of kind builtin. A file defines those of one family for all element types; kernels.cpp makes
// the set.
#pragma once

#include "linalg/kernels/matrix_kernels.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

template <class T>
class BuiltinKernels : public MatrixKernels<T> {
public:
    using typename MatrixKernels<T>::R;
    using typename MatrixKernels<T>::C;

    void multiply(bool add, Index n, const T* a, const T* b, T* c, Scratch& scratch) const override;
    [[nodiscard]] Index cholesky(Index n, T* a, Scratch& scratch) const override;
    void triangular_solve(const TriangularOptions& options, Index n, Index k, const T* a, T* b,
                          Scratch& scratch) const override;
    [[nodiscard]] int lu(Index m, Index n, T* a, std::int64_t* rows, Scratch& scratch) const override;
    [[nodiscard]] int full_piv_lu(Index m, Index n, T* a, std::int64_t* rows, std::int64_t* columns,
                                  Scratch& scratch) const override;
    void qr(Index m, Index n, Index k, T* a, T* q, T* r, std::int64_t* columns,
            Scratch& scratch) const override;
    [[nodiscard]] bool svd(Index m, Index n, bool full, T* a, T* u, R* s, T* vh,
                           Scratch& scratch) const override;
    [[nodiscard]] bool eigh(Index n, bool vectors, T* a, R* w, Scratch& scratch) const override;
    [[nodiscard]] bool eig(Index n, T* a, C* w, C* v, Scratch& scratch) const override;
};

}}}  // namespace tenferro::TENFERRO_ABI::linalg
