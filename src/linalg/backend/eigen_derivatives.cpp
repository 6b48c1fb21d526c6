// The derivatives of eigenvalues and vectors of general matrices, of LinalgBackend: with P = V⁻¹ A' V, w' is
// its diagonal and V' = V (P ∘ F), F_ij = 1 / (w_j - w_i), less what is along the vectors themselves, which
// keep their norm and turn as little as possible; and the adjoint of that map of A' (Giles, An extended
// collection of matrix derivative results, 2008). Across gaps of a few units of rounding F is 0.
#include <new>

#include "linalg/backend/elimination.hpp"
#include "linalg/small/complex.hpp"
#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// Matrix i of some eigenvalues and vectors, of complex type C.
template <class C>
class Eigen {
    using R = RealOf<C>;

public:
    Eigen(const MatrixKernels<C>& kernels, bool plainly, Index n, Scratch& scratch)
        : kernels_(kernels),
          small_(complex_kernels<R>()),
          is_small_(!plainly && n <= small_.largest),
          n_(n),
          scratch_(scratch),
          w_(scratch.take<C>(n)),
          v_(scratch.take<C>(n * n)),
          other_(scratch.take<C>(n * n)) {}

    [[nodiscard]] MaybeProblem read(const Slices<C>& values, const Slices<C>& vectors, Index i) {
        const auto exponent = copy_scaled(values, i, w_);
        if (!exponent) return values.not_finite(i, "the eigenvalues");
        exponent_ = *exponent;
        if (!vectors.copy(i, v_)) return vectors.not_finite(i, "the eigenvectors");
        R largest = 0;
        for (Index j = 0; j < n_; ++j) largest = std::max(largest, squared(w_[j]));
        constexpr R kUnits = 8 * kEps<C>;
        least_ = kUnits * kUnits * largest;
        return std::nullopt;
    }
    /// Quotients are 2^exponent times what they would be.
    [[nodiscard]] int exponent() const noexcept { return exponent_; }
    [[nodiscard]] const C* vectors() const noexcept { return v_; }
    /// In memory that solve() uses too.
    [[nodiscard]] const C* adjoint() const noexcept {
        for (Index j = 0; j < n_; ++j)
            for (Index i = 0; i < n_; ++i) other_[i + j * n_] = std::conj(v_[j + i * n_]);
        return other_;
    }
    /// c = a b.
    void multiply(const C* a, const C* b, C* c) const {
        if (is_small_) return small_.multiply(n_, a, b, c);
        kernels_.multiply(false, n_, a, b, c, scratch_);
    }
    /// V⁻¹ x, or that of the adjoint, over x [n, n].
    [[nodiscard]] MaybeProblem solve(bool by_adjoint, C* x) const {
        if (by_adjoint)
            static_cast<void>(adjoint());
        else
            std::copy_n(v_, n_ * n_, other_);
        const Index zero = is_small_ ? small_.solve(n_, other_, x) : solve_by_factors(x);
        if (zero == n_) return std::nullopt;
        return Problem{ErrorKind::Singular,
                       text("the eigenvectors depend on each other: pivot ", zero, " is 0")};
    }
    /// x / (w_j - w_i) for x of row i and column j, or by the conjugate of that.
    [[nodiscard]] C quotient(Index i, Index j, C x, bool conjugated) const noexcept {
        const C gap = conjugated ? std::conj(w_[j] - w_[i]) : w_[j] - w_[i];
        const R size = squared(gap);
        return size > least_ ? x * std::conj(gap) / size : C(0);
    }
    /// Takes off the columns of x [n, n] what is along the vectors.
    void project(C* x) const noexcept {
        for (Index j = 0; j < n_; ++j) {
            const C* const v = v_ + j * n_;
            C* const column = x + j * n_;
            const C along = dot(n_, v, column);
            for (Index i = 0; i < n_; ++i) column[i] -= along * v[i];
        }
    }

private:
    [[nodiscard]] Index solve_by_factors(C* x) const {
        const Scratch::Frame frame(scratch_);
        std::int64_t* const rows = scratch_.take<std::int64_t>(n_);
        static_cast<void>(kernels_.lu(n_, n_, other_, rows, scratch_));
        const Index zero = first_zero(n_, other_);
        if (zero == n_) solve_factored(kernels_, false, false, n_, n_, other_, rows, x, scratch_);
        return zero;
    }

    const MatrixKernels<C>& kernels_;
    const ComplexKernels<R>& small_;
    bool is_small_;
    Index n_;
    Scratch& scratch_;
    C *w_, *v_, *other_;
    int exponent_ = 0;
    R least_ = 0;  ///< of the square of a gap
};

constexpr std::string_view kOp = "eig", kValues = "the vector of eigenvalues",
                           kVectors = "the matrix of eigenvectors", kDirection = "the direction",
                           kOfVectors = "the cotangent of the eigenvectors",
                           kOfValues = "the cotangent of the eigenvalues";

void check_dtype(const TensorRead& given, bool is_right, std::string_view name, std::string_view right) {
    if (is_right) return;
    throw Error(ErrorKind::DTypeMismatch, kOp,
                text("the dtype of ", name, " is ", info(given.dtype()).name, " but must be ", right));
}
/// An operand beside `a`, of its shape.
void check_beside(BackendSession& session, const TensorRead& given, const TensorRead& a,
                  std::string_view name, std::string_view a_name) {
    check_place(session.backend_info(), given, kOp, name);
    check_same_shape(given.shape(), a.shape(), kOp, name, a_name);
}
/// Eigenvalues and vectors of one batch, which is returned, and complex.
Dims checked_eigen(BackendSession& session, const TensorRead& values, const TensorRead& vectors) {
    Dims batch = checked_square(session, vectors, kOp, kVectors);
    const DTypeInfo& of_vectors = info(vectors.dtype());
    check_dtype(vectors, of_vectors.is_complex, kVectors, "c32 or c64");
    check_dtype(values, values.dtype() == vectors.dtype(), kValues, of_vectors.name);
    check_place(session.backend_info(), values, kOp, kValues);
    check_same_shape(values.shape(), with_batch({vectors.shape()[0]}, batch), kOp, kValues,
                     "that of the columns of the eigenvectors");
    return batch;
}

}  // namespace

EigenTensors LinalgBackend::eig_tangents_read(const TensorRead& values, const TensorRead& vectors,
                                              const TensorRead& direction) const try {
    return backend_->with_backend_session([&](BackendSession& session) {
        const Dims batch = checked_eigen(session, values, vectors);
        check_beside(session, direction, vectors, kDirection, kVectors);
        const DType real = real_dtype(vectors.dtype());
        check_dtype(direction, direction.dtype() == real || direction.dtype() == vectors.dtype(), kDirection,
                    text(info(real).name, " or ", info(vectors.dtype()).name));
        return visit_floating(direction.dtype(), [&]<class T>() {
            using C = ComplexOf<T>;
            const MatrixKernels<C>& kernels = kernels_->of<C>();
            const bool plainly = kernels_ == &reference_kernels();
            const Index n = vectors.shape()[0];
            const Slices<C> w(values, 1), v(vectors, 2);
            const Slices<T> directions(direction, 2);
            Result<C> dw(session, {n}, batch), dv(session, {n, n}, batch);
            const auto compute = [&](Index i, Scratch& scratch) -> MaybeProblem {
                Eigen<C> eigen(kernels, plainly, n, scratch);
                if (MaybeProblem problem = eigen.read(w, v, i)) return problem;
                T* const given = scratch.take<T>(n * n);
                const auto exponent = copy_scaled(directions, i, given);
                if (!exponent) return directions.not_finite(i, kDirection);
                C *const da = scratch.take<C>(n * n), *const p = scratch.take<C>(n * n);
                std::copy_n(given, n * n, da);
                eigen.multiply(da, eigen.vectors(), p);
                if (MaybeProblem problem = eigen.solve(false, p)) return problem;
                for (Index j = 0; j < n; ++j) {
                    dw[i][j] = p[j + j * n];
                    for (Index row = 0; row < n; ++row)
                        p[row + j * n] = eigen.quotient(row, j, p[row + j * n], false);
                }
                eigen.multiply(eigen.vectors(), p, dv[i]);
                eigen.project(dv[i]);
                scale(n, dw[i], -*exponent);
                scale(n * n, dv[i], eigen.exponent() - *exponent);
                return std::nullopt;
            };
            for_each_matrix(session, kOp, batch, cubic(14, n, n), compute);
            return EigenTensors{std::move(dw.tensor), std::move(dv.tensor)};
        });
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory(kOp);
}

Tensor LinalgBackend::eig_cotangents_read(const TensorRead& values, const TensorRead& vectors,
                                          const TensorRead& of_values, const TensorRead& of_vectors,
                                          bool real) const try {
    return backend_->with_backend_session([&](BackendSession& session) {
        const Dims batch = checked_eigen(session, values, vectors);
        const std::string_view dtype = info(vectors.dtype()).name;
        check_dtype(of_values, of_values.dtype() == vectors.dtype(), kOfValues, dtype);
        check_dtype(of_vectors, of_vectors.dtype() == vectors.dtype(), kOfVectors, dtype);
        check_beside(session, of_values, values, kOfValues, kValues);
        check_beside(session, of_vectors, vectors, kOfVectors, kVectors);
        const auto run = [&]<class T>() {
            using C = ComplexOf<T>;
            const MatrixKernels<C>& kernels = kernels_->of<C>();
            const bool plainly = kernels_ == &reference_kernels();
            const Index n = vectors.shape()[0];
            const Slices<C> w(values, 1), v(vectors, 2), cw(of_values, 1), cv(of_vectors, 2);
            Result<T> result(session, {n, n}, batch);
            const auto compute = [&](Index i, Scratch& scratch) -> MaybeProblem {
                Eigen<C> eigen(kernels, plainly, n, scratch);
                if (MaybeProblem problem = eigen.read(w, v, i)) return problem;
                C *const x = scratch.take<C>(n * n), *const p = scratch.take<C>(n * n),
                         *const diagonal = scratch.take<C>(n);
                if (!cw.copy(i, diagonal)) return cw.not_finite(i, kOfValues);
                auto exponent = copy_scaled(cv, i, x);
                if (!exponent) return cv.not_finite(i, kOfVectors);
                eigen.project(x);
                eigen.multiply(eigen.adjoint(), x, p);
                for (Index j = 0; j < n; ++j)
                    for (Index row = 0; row < n; ++row)
                        p[row + j * n] = eigen.quotient(row, j, p[row + j * n], true);
                scale(n * n, p, eigen.exponent() - *exponent);
                RealOf<T> largest = 0;
                for (Index j = 0; j < n; ++j) p[j + j * n] = diagonal[j];
                for (Index k = 0; k < n * n; ++k) largest = std::max(largest, magnitude(p[k]));
                exponent = scale_exponent(largest);
                scale(n * n, p, *exponent);
                eigen.multiply(p, eigen.adjoint(), x);
                if (MaybeProblem problem = eigen.solve(true, x)) return problem;
                for (Index k = 0; k < n * n; ++k) {
                    if constexpr (is_complex<T>)
                        result[i][k] = x[k];
                    else
                        result[i][k] = x[k].real();
                }
                scale(n * n, result[i], -*exponent);
                return std::nullopt;
            };
            for_each_matrix(session, kOp, batch, cubic(14, n, n), compute);
            return std::move(result.tensor);
        };
        return visit_floating(real ? real_dtype(vectors.dtype()) : vectors.dtype(), run);
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory(kOp);
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
