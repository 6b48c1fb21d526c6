// Eigenvalues of general matrices: shapes and execution.
#include "linalg/operations/infer.hpp"
#include "linalg/operations/run.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

std::vector<TensorMeta> Eig::infer(std::span<const TensorMeta> in) const {
    const SquareShape a(in[0], kName);
    const DType dtype = complex_dtype(a.dtype);
    return {a.of(dtype, {a.n}), a.of(dtype, {a.n, a.n})};
}
std::vector<Tensor> Eig::run(BackendSession&, std::span<const TensorRead> in) const {
    EigenTensors eigen = LinalgBackend::current().eig_read(in[0], *this);
    return outputs(std::move(eigen.values), std::move(eigen.vectors));
}
std::shared_ptr<const ExtensionOp> Eig::with_outputs(std::span<const bool> used) const {
    return used[0] && !used[1] ? std::make_shared<Eigvals>() : nullptr;
}

std::vector<TensorMeta> Eigvals::infer(std::span<const TensorMeta> in) const {
    const SquareShape a(in[0], kName);
    return {a.of(complex_dtype(a.dtype), {a.n})};
}
std::vector<Tensor> Eigvals::run(BackendSession&, std::span<const TensorRead> in) const {
    return outputs(LinalgBackend::current().eigvals_read(in[0]));
}

namespace {

/// Eigenvalues in[0] and vectors in[1].
SquareShape checked_eigen(std::span<const TensorMeta> in, std::string_view op) {
    const SquareShape v(in[1], op, "the matrix of eigenvectors");
    if (!info(v.dtype).is_complex)
        throw Error(ErrorKind::DTypeMismatch, op,
                    text("the dtype of the matrix of eigenvectors is ", info(v.dtype).name,
                         " but must be c32 or c64"));
    static_cast<void>(common_meta(in[0], v.of({v.n}), op, "the vector of eigenvalues",
                                  "those of the columns of the eigenvectors"));
    return v;
}

}  // namespace

std::vector<TensorMeta> EigTangents::infer(std::span<const TensorMeta> in) const {
    const SquareShape v = checked_eigen(in, kName);
    const TensorMeta direction{in[2].dtype == real_dtype(v.dtype) ? v.dtype : in[2].dtype, in[2].shape};
    TensorMeta dv = common_meta(in[1], direction, kName, "the matrix of eigenvectors", "the direction");
    return {v.of({v.n}), std::move(dv)};
}
std::vector<Tensor> EigTangents::run(BackendSession&, std::span<const TensorRead> in) const {
    EigenTensors moved = LinalgBackend::current().eig_tangents_read(in[0], in[1], in[2]);
    return outputs(std::move(moved.values), std::move(moved.vectors));
}

std::vector<TensorMeta> EigCotangents::infer(std::span<const TensorMeta> in) const {
    const SquareShape v = checked_eigen(in, kName);
    static_cast<void>(common_meta(in[0], in[2], kName, "the vector of eigenvalues", "their cotangent"));
    static_cast<void>(common_meta(in[1], in[3], kName, "the matrix of eigenvectors", "their cotangent"));
    return {v.of(real ? real_dtype(v.dtype) : v.dtype, {v.n, v.n})};
}
std::vector<Tensor> EigCotangents::run(BackendSession&, std::span<const TensorRead> in) const {
    return outputs(LinalgBackend::current().eig_cotangents_read(in[0], in[1], in[2], in[3], real));
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
