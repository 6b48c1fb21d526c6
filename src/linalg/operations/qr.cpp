// QR: shapes and execution.
#include "linalg/operations/infer.hpp"
#include "linalg/operations/run.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

std::vector<TensorMeta> Qr::infer(std::span<const TensorMeta> in) const {
    const MatrixShape a(in[0], kName);
    const SymDim k = full ? a.m : a.k;
    return {a.of({a.m, k}), a.of({k, a.n})};
}
std::vector<Tensor> Qr::run(BackendSession&, std::span<const TensorRead> in) const {
    QrTensors qr = LinalgBackend::current().qr_read(in[0], *this);
    return outputs(std::move(qr.q), std::move(qr.r));
}

std::vector<TensorMeta> PivotedQr::infer(std::span<const TensorMeta> in) const {
    const MatrixShape a(in[0], kName);
    return {a.of({a.m, a.k}), a.of({a.k, a.n}), a.of(DType::I64, {a.n}), a.of(DType::I64, {})};
}
std::vector<Tensor> PivotedQr::run(BackendSession&, std::span<const TensorRead> in) const {
    PivotedQrTensors qr = LinalgBackend::current().pivoted_qr_read(in[0], *this);
    return outputs(std::move(qr.q), std::move(qr.r), std::move(qr.columns), std::move(qr.rank));
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
