// The adjugate and its derivative: det A A⁻¹ by the LU factors, and at matrices that are singular, or nearly,
// by the singular value decomposition. There A = U S Vᴴ, so adj A = det U det Vᴴ V adj(S) Uᴴ, and of diagonal
// matrices the adjugate and its derivative are products of the elements but one, or but two.

#include <cmath>

#include "linalg/backend/operand.hpp"
#include "linalg/operations/infer.hpp"
#include "linalg/operations/run.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// Whether no pivot is small beside the largest, so that the factors will do.
template <class T>
bool is_regular(const Tensor& lu, Index n, Index count) {
    const T* const elements = lu.data_as<T>();
    for (Index i = 0; i < count; ++i) {
        RealOf<T> least = std::numeric_limits<RealOf<T>>::infinity(), most = 0;
        for (Index j = 0; j < n; ++j) {
            const RealOf<T> size = std::abs(elements[i * n * n + j * (n + 1)]);
            least = std::min(least, size);
            most = std::max(most, size);
        }
        if (n > 0 && !(least > 1000 * static_cast<RealOf<T>>(n) * kEps<T> * most)) return false;
    }
    return true;
}

struct DetAndInverse {
    Tensor det, inverse;
};
/// By the factors.
template <class T>
DetAndInverse det_and_inverse(BackendSession& session, std::span<const TensorRead> in, const Dims& batch) {
    const Index n = in[0].shape()[0];
    Result<T> identity(session, {n, n}, batch);
    for (Index i = 0; i < batch_count(batch); ++i) {
        std::fill_n(identity[i], n * n, T(0));
        for (Index j = 0; j < n; ++j) identity[i][j * (n + 1)] = T(1);
    }
    const LinalgBackend backend = LinalgBackend::current();
    return {backend.det_read(in[1], in[2], in[3]),
            backend.lu_solve_read(in[1], in[2], in[3], identity.tensor)};
}

/// U, S, Vh and det U det Vh.
struct Spectral {
    SvdTensors svd;
    Tensor u_det, vh_det;

    explicit Spectral(const TensorRead& a) : Spectral(LinalgBackend::current(), a) {}

private:
    Spectral(const LinalgBackend& backend, const TensorRead& a)
        : svd(backend.svd_read(a)), u_det(det(backend, svd.u)), vh_det(det(backend, svd.vh)) {}
    static Tensor det(const LinalgBackend& backend, const TensorRead& a) {
        const LuFactors factors = backend.lu_factors_read(a);
        return backend.det_read(factors.lu, factors.rows, factors.exponent);
    }
};

/// The product of all s but those numbered i and j, which may be one.
template <class R>
R product_without(Index n, const R* s, Index i, Index j) noexcept {
    R product = 1;
    for (Index k = 0; k < n; ++k)
        if (k != i && k != j) product *= s[k];
    return product;
}

/// factor V M Uᴴ for M of the middle(M, i) to fill in, matrix by matrix.
template <class T, class Middle>
Tensor between(BackendSession& session, const Spectral& f, const Dims& batch, std::string_view op,
               Middle&& middle) {
    const Index n = f.svd.u.shape()[0];
    Result<T> result(session, {n, n}, batch);
    for_each_matrix(session, op, batch, 4.0 * static_cast<double>(n * n * n),
                    [&](Index i, Scratch& scratch) -> MaybeProblem {
                        const T *u = f.svd.u.data_as<T>() + i * n * n,
                                *vh = f.svd.vh.data_as<T>() + i * n * n;
                        T* const m = scratch.take<T>(n * n);
                        T* const half = scratch.take<T>(n * n);
                        middle(i, u, vh, f.svd.s.data_as<RealOf<T>>() + i * n, m);
                        const T factor = f.u_det.data_as<T>()[i] * f.vh_det.data_as<T>()[i];
                        for (Index column = 0; column < n; ++column)
                            for (Index row = 0; row < n; ++row) {
                                T sum = 0;
                                for (Index k = 0; k < n; ++k)
                                    sum += conjugate(vh[k + row * n]) * m[k + column * n];
                                half[row + column * n] = factor * sum;
                            }
                        for (Index column = 0; column < n; ++column)
                            for (Index row = 0; row < n; ++row) {
                                T sum = 0;
                                for (Index k = 0; k < n; ++k)
                                    sum += half[row + k * n] * conjugate(u[column + k * n]);
                                result[i][row + column * n] = sum;
                            }
                        return std::nullopt;
                    });
    return std::move(result.tensor);
}

}  // namespace

std::vector<TensorMeta> Adjugate::infer(std::span<const TensorMeta> in) const {
    const SquareShape a = factored(in, kName);
    return {a.of({a.n, a.n})};
}

std::vector<Tensor> Adjugate::run(BackendSession& session, std::span<const TensorRead> in) const {
    return visit_floating(in[0].dtype(), [&]<class T>() {
        const Dims batch = checked_square(session, in[0], kName);
        const Index n = in[0].shape()[0], count = batch_count(batch);
        if (is_regular<T>(session.to_contiguous_read(in[1]), n, count)) {
            DetAndInverse f = det_and_inverse<T>(session, in, batch);
            T* const elements = f.inverse.write().data_as<T>();
            for (Index i = 0; i < count; ++i)
                for (Index j = 0; j < n * n; ++j) elements[i * n * n + j] *= f.det.data_as<T>()[i];
            return outputs(std::move(f.inverse));
        }
        return outputs(between<T>(session, Spectral(in[0]), batch, kName,
                                  [n](Index, const T*, const T*, const RealOf<T>* s, T* m) {
                                      std::fill_n(m, n * n, T(0));
                                      for (Index j = 0; j < n; ++j)
                                          m[j * (n + 1)] = product_without(n, s, j, j);
                                  }));
    });
}

std::vector<TensorMeta> AdjugateDerivative::infer(std::span<const TensorMeta> in) const {
    static_cast<void>(factored(in, kName));
    return {common_meta(in[0], in[4], kName, "the matrix", "the direction")};
}

// Along X, with B = A⁻¹: det A (tr(B X) B - B X B). By P = Uᴴ X V: -P_ij times the product of all s but s_i
// and s_j off the diagonal, and the sum over l of P_ll times that without s_i and s_l on it.
std::vector<Tensor> AdjugateDerivative::run(BackendSession& session, std::span<const TensorRead> in) const {
    return visit_floating(in[0].dtype(), [&]<class T>() {
        const Dims batch = checked_square(session, in[0], kName);
        const Index n = in[0].shape()[0], count = batch_count(batch);
        if (is_regular<T>(session.to_contiguous_read(in[1]), n, count)) {
            const DetAndInverse f = det_and_inverse<T>(session, in, batch);
            const Tensor bx = product_of(session, f.inverse, in[4]);
            Tensor result = product_of(session, bx, f.inverse);
            T* const elements = result.write().data_as<T>();
            for (Index i = 0; i < count; ++i) {
                T trace = 0;
                for (Index j = 0; j < n; ++j) trace += bx.data_as<T>()[i * n * n + j * (n + 1)];
                for (Index j = i * n * n; j < (i + 1) * n * n; ++j)
                    elements[j] = f.det.data_as<T>()[i] * (trace * f.inverse.data_as<T>()[j] - elements[j]);
            }
            return outputs(std::move(result));
        }
        const Tensor direction = session.to_contiguous_read(in[4]);
        return outputs(
            between<T>(session, Spectral(in[0]), batch, kName,
                       [&](Index i, const T* u, const T* vh, const RealOf<T>* s, T* m) {
                           const T* const x = direction.data_as<T>() + i * n * n;
                           std::vector<T> xv(static_cast<std::size_t>(n * n)), p(xv);
                           const auto at = [n](Index row, Index column) {
                               return static_cast<std::size_t>(row + column * n);
                           };
                           for (Index column = 0; column < n; ++column)
                               for (Index k = 0; k < n; ++k)
                                   for (Index row = 0; row < n; ++row)
                                       xv[at(row, column)] += x[row + k * n] * conjugate(vh[column + k * n]);
                           for (Index column = 0; column < n; ++column)
                               for (Index row = 0; row < n; ++row)
                                   p[at(row, column)] = dot(n, u + row * n, xv.data() + column * n);
                           for (Index column = 0; column < n; ++column)
                               for (Index row = 0; row < n; ++row) {
                                   T& element = m[row + column * n];
                                   element = 0;
                                   if (row != column) {
                                       element = -p[at(row, column)] * product_without(n, s, row, column);
                                       continue;
                                   }
                                   for (Index l = 0; l < n; ++l)
                                       if (l != row) element += p[at(l, l)] * product_without(n, s, row, l);
                               }
                       }));
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
