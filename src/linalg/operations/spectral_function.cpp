// spectral_function and spectral_diagonal: shapes and execution.

#include "linalg/backend/operand.hpp"
#include "linalg/operations/infer.hpp"
#include "linalg/operations/run.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// A U diag(s) Vh, of which the parts fit each other: the shape of s.
TensorMeta spectrum_of(std::span<const TensorMeta> in, std::string_view op) {
    const MatrixShape a(in[0], op), u(in[1], op, "U"), vh(in[3], op, "Vh");
    static_cast<void>(common_meta(in[3], u.of({u.n, vh.n}), op, "Vh", "that of the columns of U"));
    static_cast<void>(common_meta(in[0], u.of({u.m, vh.n}), op, "the matrix", "U times Vh"));
    TensorMeta s = u.of(real_dtype(a.dtype), {u.n});
    static_cast<void>(common_meta(in[2], s, op, "the spectrum", "that of the columns of U"));
    return s;
}

}  // namespace

std::vector<TensorMeta> SpectralFunction::infer(std::span<const TensorMeta> in) const {
    const TensorMeta s = spectrum_of(in, kName);
    static_cast<void>(common_meta(in[4], s, kName, "the function", "the spectrum"));
    return {in[0]};
}

std::vector<Tensor> SpectralFunction::run(BackendSession& session, std::span<const TensorRead> in) const {
    return visit_floating(in[0].dtype(), [&]<class T>() {
        const Dims batch = checked(session, in[0], kName);
        const Index m = in[1].shape()[0], k = in[1].shape()[1];
        const Elements<T> u(session, in[1]);
        const Elements<RealOf<T>> f(session, in[4]);
        Result<T> scaled(session, {m, k}, batch);
        for_each_matrix(session, kName, batch, 2.0 * static_cast<double>(m * k),
                        [&](Index i, Scratch&) -> MaybeProblem {
                            for (Index j = 0; j < k; ++j)
                                for (Index row = 0; row < m; ++row)
                                    scaled[i][row + j * m] = u[row + (j + i * k) * m] * f[j + i * k];
                            return std::nullopt;
                        });
        return outputs(product_of(session, scaled.tensor, in[3]));
    });
}

std::vector<TensorMeta> SpectralDiagonal::infer(std::span<const TensorMeta> in) const {
    TensorMeta s = spectrum_of(in, kName);
    static_cast<void>(common_meta(in[4], in[0], kName, "the direction", "the matrix"));
    return {std::move(s)};
}

std::vector<Tensor> SpectralDiagonal::run(BackendSession& session, std::span<const TensorRead> in) const {
    return visit_floating(in[0].dtype(), [&]<class T>() {
        const Dims batch = checked(session, in[0], kName);
        const Index m = in[1].shape()[0], k = in[1].shape()[1];
        const Elements<T> u(session, in[1]);
        const Tensor columns = is_complex<T> ? product_of(session, in[4], session.conj_read(in[3]), 1, 1)
                                             : product_of(session, in[4], in[3], 1, 1);
        Result<RealOf<T>> s(session, {k}, batch);
        for_each_matrix(
            session, kName, batch, 2.0 * static_cast<double>(m * k), [&](Index i, Scratch&) -> MaybeProblem {
                for (Index j = 0; j < k; ++j)
                    s[i][j] = real_part(dot(m, u + (j + i * k) * m, columns.data_as<T>() + (j + i * k) * m));
                return std::nullopt;
            });
        return outputs(std::move(s.tensor));
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
