// The kernels of kind blas: LAPACK through the table of the provider, for matrices that are large enough, and
// those of kind builtin for the others. Routines are looked up once for a provider.
#pragma once

#include "cpu/providers/provider.hpp"
#include "linalg/builtin/builtin_kernels.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

using cpu::Provider;

/// The routines that are called, each in the precision and number field of the kernels; null where the
/// library lacks one.
enum class Routine { Potrf, Trsm, Getrf, Geqrf, Orgqr, Geqp3, Gesdd, Gesvd, Syevd, Geev, kCount };

template <class T>
class LapackKernels final : public BuiltinKernels<T> {
public:
    using typename MatrixKernels<T>::R;
    using typename MatrixKernels<T>::C;

    explicit LapackKernels(const Provider* provider);

    [[nodiscard]] Index cholesky(Index n, T* a, Scratch& scratch) const override;
    void triangular_solve(const TriangularOptions& options, Index n, Index k, const T* a, T* b,
                          Scratch& scratch) const override;
    [[nodiscard]] int lu(Index m, Index n, T* a, std::int64_t* rows, Scratch& scratch) const override;
    void qr(Index m, Index n, Index k, T* a, T* q, T* r, std::int64_t* columns,
            Scratch& scratch) const override;
    [[nodiscard]] bool svd(Index m, Index n, bool full, T* a, T* u, R* s, T* vh,
                           Scratch& scratch) const override;
    [[nodiscard]] bool eigh(Index n, bool vectors, T* a, R* w, Scratch& scratch) const override;
    [[nodiscard]] bool eig(Index n, T* a, C* w, C* v, Scratch& scratch) const override;

private:
    /// Calls a routine with arguments of Fortran; throws Unsupported where it is missing.
    template <class... Args>
    void call(Routine routine, Args... args) const;
    /// The size of an array of integers that a routine reads or writes, and the values in it.
    [[nodiscard]] Index integers(Index count) const noexcept;
    [[nodiscard]] std::int64_t integer(const std::int64_t* values, Index i) const noexcept;

    const Provider* provider_;
    void (*routines_[static_cast<std::size_t>(Routine::kCount)])();
};

}}}  // namespace tenferro::TENFERRO_ABI::linalg
