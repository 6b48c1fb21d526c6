// The singular value decomposition: shapes and execution.
#include "linalg/operations/infer.hpp"
#include "linalg/operations/run.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

std::vector<TensorMeta> Svd::infer(std::span<const TensorMeta> in) const {
    const MatrixShape a(in[0], kName);
    return {a.of({a.m, full ? a.m : a.k}), a.of(real_dtype(a.dtype), {a.k}), a.of({full ? a.n : a.k, a.n})};
}
std::vector<Tensor> Svd::run(BackendSession&, std::span<const TensorRead> in) const {
    SvdTensors svd = LinalgBackend::current().svd_read(in[0], *this);
    return outputs(std::move(svd.u), std::move(svd.s), std::move(svd.vh));
}
std::shared_ptr<const ExtensionOp> Svd::with_outputs(std::span<const bool> used) const {
    return used[1] && !used[0] && !used[2] ? std::make_shared<Svdvals>() : nullptr;
}

std::vector<TensorMeta> Svdvals::infer(std::span<const TensorMeta> in) const {
    const MatrixShape a(in[0], kName);
    return {a.of(real_dtype(a.dtype), {a.k})};
}
std::vector<Tensor> Svdvals::run(BackendSession&, std::span<const TensorRead> in) const {
    return outputs(LinalgBackend::current().svdvals_read(in[0]));
}

std::vector<TensorMeta> Pinv::infer(std::span<const TensorMeta> in) const {
    const MatrixShape a(in[0], kName);
    return {a.of({a.n, a.m})};
}
std::vector<Tensor> Pinv::run(BackendSession&, std::span<const TensorRead> in) const {
    return outputs(LinalgBackend::current().pinv_read(in[0], *this));
}

std::vector<TensorMeta> Lstsq::infer(std::span<const TensorMeta> in) const {
    MatrixShape a(in[0], kName, "the matrix");
    const MatrixShape b(in[1], kName, "the right-hand side");
    join_batches(a, b, kName);
    static_cast<void>(
        tensor_ops::common_extent(in[0], 0, in[1], 0, kName, "the matrix", "the right-hand side"));
    return {a.of({a.n, b.n}), a.of(DType::I64, {}), a.of(real_dtype(a.dtype), {a.k})};
}
std::vector<Tensor> Lstsq::run(BackendSession&, std::span<const TensorRead> in) const {
    LstsqTensors lstsq = LinalgBackend::current().lstsq_read(in[0], in[1], *this);
    return outputs(std::move(lstsq.x), std::move(lstsq.rank), std::move(lstsq.s));
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
