// Samples of the operations that only move elements.
#include <algorithm>

#include "conformance/samples.hpp"

namespace tenferro::conformance {

namespace {

Dims drawn_shape(Draw& draw, Index lowest_rank = 0) {
    return draw.shape(static_cast<std::size_t>(draw.integer(lowest_rank, 5)), 0, 4);
}

std::vector<Tensor> results(Tensor&& a, Tensor&& b) {
    std::vector<Tensor> list;
    list.push_back(std::move(a));
    list.push_back(std::move(b));
    return list;
}

std::vector<Tensor> transpose(Draw& draw, DType dtype, BackendSession& s) {
    const Dims shape = drawn_shape(draw);
    const Operand a(draw, dtype, shape);
    const Dims perm = draw.permutation(shape.size());
    return results(s.transpose_read(a, perm), s.transpose(s.to_contiguous_read(a), perm));
}

std::vector<Tensor> reshape(Draw& draw, DType dtype, BackendSession& s) {
    const Operand a(draw, dtype, drawn_shape(draw));
    const Dims flat{1, a.view().size(), 1};
    return results(s.reshape_read(a, flat), s.reshape(s.to_contiguous_read(a), flat));
}

std::vector<Tensor> broadcast_in_dim(Draw& draw, DType dtype, BackendSession& s) {
    const Dims shape = drawn_shape(draw);
    const Operand a(draw, dtype, shape);
    Dims wide = shape, target;
    const auto inserted = static_cast<std::size_t>(draw.integer(0, static_cast<Index>(shape.size())));
    wide.insert(inserted, 3);
    for (std::size_t k = 0; k < shape.size(); ++k) target.push_back(static_cast<Index>(k < inserted ? k : k + 1));
    for (std::size_t k = 0; k < shape.size(); ++k)
        if (shape[k] == 1) wide[static_cast<std::size_t>(target[k])] = draw.integer(0, 3);
    return results(s.broadcast_in_dim_read(a, wide, target), s.broadcast_in_dim(s.to_contiguous_read(a), wide, target));
}

std::vector<Tensor> extract_diagonal(Draw& draw, DType dtype, BackendSession& s) {
    Dims shape = drawn_shape(draw, 2);
    shape[1] = shape[0];
    const Operand a(draw, dtype, shape);
    return results(s.extract_diagonal_read(a, 0, 1), s.extract_diagonal(s.to_contiguous_read(a), 1, 0));
}

std::vector<Tensor> embed_diagonal(Draw& draw, DType dtype, BackendSession& s) {
    const Dims shape = drawn_shape(draw, 1);
    const Operand a(draw, dtype, shape);
    return results(s.embed_diagonal_read(a, 0, 1),
                   s.embed_diagonal(s.to_contiguous_read(a), 0, static_cast<Index>(shape.size())));
}

std::vector<Tensor> to_contiguous(Draw& draw, DType dtype, BackendSession& s) {
    const Operand a(draw, dtype, drawn_shape(draw));
    return results(s.to_contiguous_read(a), s.to_contiguous(s.to_contiguous_read(a)));
}

}  // namespace

const std::vector<Sample>& structural_samples() {
    static const std::vector<Sample> samples{
        {OpId::Transpose, 0, transpose},
        {OpId::Reshape, 0, reshape},
        {OpId::BroadcastInDim, 0, broadcast_in_dim},
        {OpId::ExtractDiagonal, 0, extract_diagonal},
        {OpId::EmbedDiagonal, 0, embed_diagonal},
        {OpId::ToContiguous, 0, to_contiguous},
    };
    return samples;
}

}  // namespace tenferro::conformance
