// extract_diagonal and embed_diagonal, each the transpose of the other.
#include "ops/derivatives.hpp"
#include "ops/infer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace ops {

TensorMeta ExtractDiagonal::infer_one(std::span<const TensorMeta> in) const {
    check_axes(Dims{first, second}, in[0].rank(), name(), "diagonal");
    TensorMeta result = in[0];
    result.shape[static_cast<std::size_t>(first)] =
        common_extent(in[0], static_cast<std::size_t>(first), in[0], static_cast<std::size_t>(second), name(),
                      "operand", "its");
    result.shape.erase(result.shape.begin() + second);
    return result;
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

TensorMeta EmbedDiagonal::infer_one(std::span<const TensorMeta> in) const {
    check_axes(Dims{first, second}, in[0].rank() + 1, name(), "diagonal");
    TensorMeta result = in[0];
    const SymDim extent = in[0].shape[static_cast<std::size_t>(first < second ? first : first - 1)];
    result.shape.insert(result.shape.begin() + second, extent);
    return result;
}
Tensor EmbedDiagonal::run(BackendSession& session, std::span<const TensorRead> in) const {
    return session.embed_diagonal_read(in[0], first, second);
}
std::optional<Expr> EmbedDiagonal::tangent(const TangentArgs& args) const {
    return embed_diagonal(*args.dx[0], first, second);
}
std::vector<std::optional<Expr>> EmbedDiagonal::cotangents(const CotangentArgs& args) const {
    return {extract_diagonal(args.ct, first, second)};
}

}}}  // namespace tenferro::TENFERRO_ABI::ops
