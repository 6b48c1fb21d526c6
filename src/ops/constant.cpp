// Constants: numbers, and arrays.
#include <bit>

#include "ops/infer.hpp"
#include "tenferro/ops/functions.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

TensorMeta Constant::infer_one(std::span<const TensorMeta>) const { return {dtype, {}}; }
Tensor Constant::run(BackendSession& session, std::span<const TensorRead>) const {
    return session.upload_host_tensor_read(*value());
}
std::optional<TensorRead> Constant::value() const { return TensorRead(dtype, bits.data(), {}, {}); }
bool Constant::is_one() const noexcept {
    switch (dtype) {
        case DType::F32: return bits[0] == std::bit_cast<std::uint32_t>(1.f);
        case DType::F64: return bits[0] == std::bit_cast<std::uint64_t>(1.);
        case DType::I32:
        case DType::I64: return bits[0] == 1;
        default: return false;
    }
}
std::optional<Expr> Constant::tangent(const TangentArgs&) const { return std::nullopt; }
std::vector<std::optional<Expr>> Constant::cotangents(const CotangentArgs&) const { throw_not_linear(); }

TensorMeta ArrayConstant::infer_one(std::span<const TensorMeta>) const {
    return {array.view().dtype(), symbolic(array.view().shape())};
}
Tensor ArrayConstant::run(BackendSession& session, std::span<const TensorRead>) const {
    return session.upload_host_tensor_read(array.view());
}
std::optional<TensorRead> ArrayConstant::value() const { return array.view(); }
std::optional<Expr> ArrayConstant::tangent(const TangentArgs&) const { return std::nullopt; }
std::vector<std::optional<Expr>> ArrayConstant::cotangents(const CotangentArgs&) const { throw_not_linear(); }

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
