// Samples of the operations that only move elements.
#include <algorithm>

#include "conformance/samples.hpp"

namespace tenferro::conformance {

namespace {

Dims drawn_structure(Draw& draw, Index lowest_rank = 0) {
    return draw.shape(static_cast<std::size_t>(draw.integer(lowest_rank, 5)), 0, 4);
}

std::vector<Tensor> results(Tensor&& a, Tensor&& b) {
    std::vector<Tensor> list;
    list.push_back(std::move(a));
    list.push_back(std::move(b));
    return list;
}

std::vector<Tensor> transpose(Draw& draw, DType dtype, BackendSession& s) {
    const Dims shape = drawn_structure(draw);
    const Operand a(draw, dtype, shape);
    const Dims perm = draw.permutation(shape.size());
    return results(s.transpose_read(a, perm), s.transpose(a.owned(s), perm));
}

std::vector<Tensor> reshape(Draw& draw, DType dtype, BackendSession& s) {
    const Operand a(draw, dtype, drawn_structure(draw));
    const Dims flat{1, a.view().size(), 1};
    return results(s.reshape_read(a, flat), s.reshape(a.owned(s), flat));
}

std::vector<Tensor> broadcast_in_dim(Draw& draw, DType dtype, BackendSession& s) {
    const Dims shape = drawn_structure(draw);
    const Operand a(draw, dtype, shape);
    Dims wide = shape, target;
    const auto inserted = static_cast<std::size_t>(draw.integer(0, static_cast<Index>(shape.size())));
    wide.insert(inserted, 3);
    for (std::size_t k = 0; k < shape.size(); ++k)
        target.push_back(static_cast<Index>(k < inserted ? k : k + 1));
    for (std::size_t k = 0; k < shape.size(); ++k)
        if (shape[k] == 1) wide[static_cast<std::size_t>(target[k])] = draw.integer(0, 3);
    return results(s.broadcast_in_dim_read(a, wide, target), s.broadcast_in_dim(a.owned(s), wide, target));
}

std::vector<Tensor> extract_diagonal(Draw& draw, DType dtype, BackendSession& s) {
    Dims shape = drawn_structure(draw, 2);
    shape[1] = shape[0];
    const Operand a(draw, dtype, shape);
    return results(s.extract_diagonal_read(a, 0, 1), s.extract_diagonal(a.owned(s), 1, 0));
}

std::vector<Tensor> to_contiguous(Draw& draw, DType dtype, BackendSession& s) {
    const Operand a(draw, dtype, drawn_structure(draw));
    return results(s.to_contiguous_read(a), s.to_contiguous(a.owned(s)));
}

/// Adds to the read and owned results what `into` writes.
template <class Into>
std::vector<Tensor> with_into(std::vector<Tensor> list, BackendSession& s, Into into) {
    list.push_back(s.zeros(list[0].dtype(), list[0].shape()));
    into(list.back().write());
    return list;
}

std::vector<Tensor> slice(Draw& draw, DType dtype, BackendSession& s) {
    const Dims shape = drawn_structure(draw);
    const Operand a(draw, dtype, shape);
    Dims starts, limits, steps;
    for (const Index extent : shape) {
        const Index x = draw.integer(0, extent), y = draw.integer(0, extent), step = draw.integer(1, 3);
        const bool down = draw.integer(0, 1) == 1;
        starts.push_back(down ? std::max(x, y) - 1 : std::min(x, y));
        limits.push_back(down ? std::min(x, y) - 1 : std::max(x, y));
        steps.push_back(down ? -step : step);
    }
    return with_into(
        results(s.slice_read(a, starts, limits, steps), s.slice(a.owned(s), starts, limits, steps)), s,
        [&](const TensorWrite& out) { s.slice_into(a, starts, limits, steps, out); });
}

Dims drawn_part(Draw& draw, const Dims& shape) {
    Dims part;
    for (const Index extent : shape) part.push_back(draw.integer(0, extent));
    return part;
}

std::vector<Tensor> dynamic_slice(Draw& draw, DType dtype, BackendSession& s) {
    const Dims shape = drawn_structure(draw), sizes = drawn_part(draw, shape);
    const Operand a(draw, dtype, shape);
    const Operand starts(draw, draw.integer(0, 1) == 0 ? DType::I32 : DType::I64,
                         Dims{static_cast<Index>(shape.size())});
    return with_into(
        results(s.dynamic_slice_read(a, starts, sizes), s.dynamic_slice(a.owned(s), starts.owned(s), sizes)),
        s, [&](const TensorWrite& out) { s.dynamic_slice_into(a, starts, sizes, out); });
}

std::vector<Tensor> dynamic_update_slice(Draw& draw, DType dtype, BackendSession& s) {
    const Dims shape = drawn_structure(draw);
    const Operand a(draw, dtype, shape), update(draw, dtype, drawn_part(draw, shape));
    const Operand starts(draw, draw.integer(0, 1) == 0 ? DType::I32 : DType::I64,
                         Dims{static_cast<Index>(shape.size())});
    return with_into(results(s.dynamic_update_slice_read(a, update, starts),
                             s.dynamic_update_slice(a.owned(s), update.owned(s), starts.owned(s))),
                     s, [&](const TensorWrite& out) { s.dynamic_update_slice_into(a, update, starts, out); });
}

std::vector<Tensor> pad(Draw& draw, DType dtype, BackendSession& s) {
    const Dims shape = drawn_structure(draw);
    const Operand a(draw, dtype, shape), value(draw, dtype, Dims{});
    PadConfig config;
    for (const Index extent : shape) {
        config.low.push_back(draw.integer(-extent, 3));
        config.high.push_back(draw.integer(std::min<Index>(0, -extent - config.low.back()), 3));
        config.interior.push_back(draw.integer(0, 2));
    }
    return with_into(results(s.pad_read(a, value, config), s.pad(a.owned(s), value.owned(s), config)), s,
                     [&](const TensorWrite& out) { s.pad_into(a, value, config, out); });
}

std::vector<Tensor> concatenate(Draw& draw, DType dtype, BackendSession& s) {
    Dims shape = drawn_structure(draw, 1);
    const Index axis = draw.integer(0, static_cast<Index>(shape.size()) - 1);
    std::vector<Operand> parts;
    for (Index count = draw.integer(1, 4); count > 0; --count) {
        shape[static_cast<std::size_t>(axis)] = draw.integer(0, 4);
        parts.emplace_back(draw, dtype, shape);
    }
    const std::vector<TensorRead> views(parts.begin(), parts.end());
    std::vector<Tensor> owned;
    for (const Operand& part : parts) owned.push_back(part.owned(s));
    return with_into(results(s.concatenate_read(views, axis), s.concatenate(std::move(owned), axis)), s,
                     [&](const TensorWrite& out) { s.concatenate_into(views, axis, out); });
}

}  // namespace

const std::vector<Sample>& structural_samples() {
    static const std::vector<Sample> samples{
        {OpId::Transpose, kSameBits, transpose},
        {OpId::Reshape, kSameBits, reshape},
        {OpId::BroadcastInDim, kSameBits, broadcast_in_dim},
        {OpId::ExtractDiagonal, kSameBits, extract_diagonal},
        {OpId::ToContiguous, kSameBits, to_contiguous},
        {OpId::Slice, kSameBits, slice},
        {OpId::DynamicSlice, kSameBits, dynamic_slice},
        {OpId::DynamicUpdateSlice, kSameBits, dynamic_update_slice},
        {OpId::Pad, kSameBits, pad},
        {OpId::Concatenate, kSameBits, concatenate},
    };
    return samples;
}

}  // namespace tenferro::conformance
