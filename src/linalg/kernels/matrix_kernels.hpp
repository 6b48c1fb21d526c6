// MatrixKernels: what a kind of backend computes on one matrix, which is column-major, compact, finite and of
// moderate magnitude. The walk over batches, scaling and errors are those of batch.hpp.
#pragma once

#include <atomic>

#include "linalg/scalar.hpp"
#include "linalg/scratch.hpp"
#include "tenferro/linalg/options.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace cpu {
class Provider;
}

namespace linalg {

/// C = A B, or C + A B, of matrices [n, n], in three loops.
template <class T>
void multiply_plainly(bool add, Index n, const T* a, const T* b, T* c) noexcept {
    for (Index j = 0; j < n; ++j) {
        T* const to = c + j * n;
        for (Index k = 0; k < n; ++k) {
            const T factor = b[k + j * n];
            if (k == 0 && !add)
                for (Index i = 0; i < n; ++i) to[i] = a[i] * factor;
            else
                for (Index i = 0; i < n; ++i) to[i] += a[i + k * n] * factor;
        }
    }
}

template <class T>
class MatrixKernels {
public:
    using R = RealOf<T>;
    using C = ComplexOf<T>;

    virtual ~MatrixKernels() = default;

    /// C = A B, or C + A B, of matrices [n, n].
    virtual void multiply(bool add, Index n, const T* a, const T* b, T* c, Scratch& scratch) const = 0;
    /// L over A [n, n], of which the lower triangle is read, zeros above. The number of the first leading
    /// minor that is not positive, from 1, whose pivot, the square of L's element if it were, is then on the
    /// diagonal; else 0.
    [[nodiscard]] virtual Index cholesky(Index n, T* a, Scratch& scratch) const = 0;
    /// X over B, which is [n, k], on the right [k, n]. The diagonal is not 0.
    virtual void triangular_solve(const TriangularOptions& options, Index n, Index k, const T* a, T* b,
                                  Scratch& scratch) const = 0;
    /// L and U over A; rows[i] becomes the row of A that is row i of P A. The parity.
    [[nodiscard]] virtual int lu(Index m, Index n, T* a, std::int64_t* rows, Scratch& scratch) const = 0;
    /// The same with columns[j], the column of A that is column j of A Q.
    [[nodiscard]] virtual int full_piv_lu(Index m, Index n, T* a, std::int64_t* rows, std::int64_t* columns,
                                          Scratch& scratch) const = 0;
    /// A = Q R with Q [m, k] and R [k, n], where k is min(m, n) or m. A is lost. With `columns`, which then
    /// is filled in, A[:, columns] = Q R by column pivoting.
    virtual void qr(Index m, Index n, Index k, T* a, T* q, T* r, std::int64_t* columns,
                    Scratch& scratch) const = 0;
    /// A = U diag(s) Vh; A is lost. Without u and vh, which are both there or not, the values alone. False
    /// where it does not converge.
    [[nodiscard]] virtual bool svd(Index m, Index n, bool full, T* a, T* u, R* s, T* vh,
                                   Scratch& scratch) const = 0;
    /// A, of which the lower triangle is read and the whole is lost, has the eigenvalues w; its vectors come
    /// in its place if wanted. False where it does not converge.
    [[nodiscard]] virtual bool eigh(Index n, bool vectors, T* a, R* w, Scratch& scratch) const = 0;
    /// A is lost; v, null where no vectors are wanted, has columns of norm 1. False where it does not
    /// converge.
    [[nodiscard]] virtual bool eig(Index n, T* a, C* w, C* v, Scratch& scratch) const = 0;
};

/// The kernels of a kind for each element type.
class MatrixKernelSet {
public:
    virtual ~MatrixKernelSet() = default;

    template <class T>
    [[nodiscard]] const MatrixKernels<T>& of() const {
        if constexpr (std::is_same_v<T, float>)
            return f32();
        else if constexpr (std::is_same_v<T, double>)
            return f64();
        else if constexpr (std::is_same_v<T, std::complex<float>>)
            return c32();
        else
            return c64();
    }

private:
    [[nodiscard]] virtual const MatrixKernels<float>& f32() const noexcept = 0;
    [[nodiscard]] virtual const MatrixKernels<double>& f64() const noexcept = 0;
    [[nodiscard]] virtual const MatrixKernels<std::complex<float>>& c32() const noexcept = 0;
    [[nodiscard]] virtual const MatrixKernels<std::complex<double>>& c64() const noexcept = 0;
};

/// A set of one class template, made of whatever its kernels are made of.
template <template <class> class Kernels>
class KernelSetOf final : public MatrixKernelSet {
public:
    template <class... Args>
    explicit KernelSetOf(const Args&... args) : f32_(args...), f64_(args...), c32_(args...), c64_(args...) {}

private:
    [[nodiscard]] const MatrixKernels<float>& f32() const noexcept override { return f32_; }
    [[nodiscard]] const MatrixKernels<double>& f64() const noexcept override { return f64_; }
    [[nodiscard]] const MatrixKernels<std::complex<float>>& c32() const noexcept override { return c32_; }
    [[nodiscard]] const MatrixKernels<std::complex<double>>& c64() const noexcept override { return c64_; }

    Kernels<float> f32_;
    Kernels<double> f64_;
    Kernels<std::complex<float>> c32_;
    Kernels<std::complex<double>> c64_;
};

/// Plain algorithms, in double precision whatever the dtype.
[[nodiscard]] const MatrixKernelSet& reference_kernels();
/// Blocked algorithms on our own matrix products.
[[nodiscard]] const MatrixKernelSet& builtin_kernels();
/// LAPACK, of a library that stays loaded.
[[nodiscard]] const MatrixKernelSet& lapack_kernels(const cpu::Provider& provider);

/// What backends made from then on use instead of a set, where it is not null: tests count by it.
extern constinit std::atomic<const MatrixKernelSet& (*)(const MatrixKernelSet&)> kernels_in_place_of;

}  // namespace linalg
}}  // namespace tenferro::TENFERRO_ABI
