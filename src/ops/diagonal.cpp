// extract_diagonal, the transpose of embed_diagonal.
#include "ops/derivatives.hpp"
#include "ops/infer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

TensorMeta ExtractDiagonal::infer_one(std::span<const TensorMeta> in) const {
    return SymbolicRules::extract_diagonal(in[0], first, second);
}
Tensor ExtractDiagonal::run(BackendSession& session, std::span<const TensorRead> in) const {
    return session.extract_diagonal_read(in[0], first, second);
}
std::optional<TensorRead> ExtractDiagonal::view(const TensorRead& a) const {
    return a.diagonal_view(first, second);
}
std::optional<Expr> ExtractDiagonal::tangent(const TangentArgs& args) const {
    return extract_diagonal(*args.dx[0], first, second);
}
std::vector<std::optional<Expr>> ExtractDiagonal::cotangents(const CotangentArgs& args) const {
    return {embed_diagonal(args.ct, first, second)};
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
