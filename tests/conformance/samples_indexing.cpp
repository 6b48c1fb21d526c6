// Samples of gather and scatter: drawn axis lists and indices, some of them out of range.
#include <algorithm>

#include "conformance/samples.hpp"

namespace tenferro::conformance {

namespace {

/// Everything both directions need, drawn so that the shapes fit.
struct Windows {
    Dims operand;
    Dims indices;
    Dims batched;  // shape of gather's result and of scatter's updates
    GatherConfig config;
};

Windows drawn_windows(Draw& draw) {
    Windows w;
    const auto rank = static_cast<std::size_t>(draw.integer(0, 4));
    w.operand = draw.shape(rank, 1, 4);
    Dims batch = draw.shape(static_cast<std::size_t>(draw.integer(0, 2)), 0, 3), window;
    for (std::size_t axis = 0; axis < rank; ++axis) {
        const bool collapsed = draw.integer(0, 2) == 0;
        w.config.slice_sizes.push_back(collapsed ? 1 : draw.integer(0, w.operand[axis]));
        if (collapsed)
            w.config.collapsed_slice_dims.push_back(static_cast<Index>(axis));
        else
            window.push_back(w.config.slice_sizes[axis]);
    }
    for (const Index axis : draw.permutation(rank))
        if (draw.integer(0, 1) == 1) w.config.start_index_map.push_back(axis);
    w.indices = batch;
    const auto components = static_cast<Index>(w.config.start_index_map.size());
    const bool implicit = components == 1 && draw.integer(0, 1) == 1;
    w.config.index_vector_dim =
        implicit ? static_cast<Index>(batch.size()) : draw.integer(0, static_cast<Index>(batch.size()));
    if (!implicit) w.indices.insert(static_cast<std::size_t>(w.config.index_vector_dim), components);
    const Dims order = draw.permutation(window.size() + batch.size());
    w.config.offset_dims.assign(order.begin(), order.begin() + window.size());
    std::sort(w.config.offset_dims.begin(), w.config.offset_dims.end());
    w.batched = Dims(order.size(), -1);
    for (std::size_t k = 0; k < window.size(); ++k)
        w.batched[static_cast<std::size_t>(w.config.offset_dims[k])] = window[k];
    std::size_t next = 0;
    for (Index& extent : w.batched)
        if (extent < 0) extent = batch[next++];
    return w;
}

DType drawn_index_dtype(Draw& draw) { return draw.integer(0, 1) == 0 ? DType::I32 : DType::I64; }

std::vector<Tensor> gather(Draw& draw, DType dtype, BackendSession& s) {
    const Windows w = drawn_windows(draw);
    const Operand a(draw, dtype, w.operand), indices(draw, drawn_index_dtype(draw), w.indices);
    std::vector<Tensor> results;
    results.push_back(s.gather_read(a, indices, w.config));
    results.push_back(s.gather(a.owned(s), indices.owned(s), w.config));
    results.push_back(s.zeros(dtype, w.batched));
    s.gather_into(a, indices, w.config, results[2].write());
    return results;
}

using S = BackendSession;
using ScatterOwned = Tensor (S::*)(Tensor&&, Tensor&&, Tensor&&, const ScatterConfig&);
using ScatterRead = Tensor (S::*)(const TensorRead&, const TensorRead&, const TensorRead&,
                                  const ScatterConfig&);
using ScatterInto = void (S::*)(const TensorRead&, const TensorRead&, const TensorRead&, const ScatterConfig&,
                                const TensorWrite&);

template <ScatterOwned owned, ScatterRead read, ScatterInto into>
std::vector<Tensor> scatter(Draw& draw, DType dtype, BackendSession& s) {
    const Windows w = drawn_windows(draw);
    const ScatterConfig config{w.config.offset_dims, w.config.collapsed_slice_dims, w.config.start_index_map,
                               w.config.index_vector_dim};
    const Operand a(draw, dtype, w.operand), indices(draw, drawn_index_dtype(draw), w.indices),
        updates(draw, dtype, w.batched);
    std::vector<Tensor> results;
    results.push_back((s.*read)(a, indices, updates, config));
    results.push_back((s.*owned)(a.owned(s), indices.owned(s), updates.owned(s), config));
    results.push_back(s.zeros(dtype, w.operand));
    (s.*into)(a, indices, updates, config, results[2].write());
    return results;
}

}  // namespace

const std::vector<Sample>& indexing_samples() {
    static const std::vector<Sample> samples{
        {OpId::Gather, kSameBits, gather},
        {OpId::Scatter, kSameBits, scatter<&S::scatter, &S::scatter_read, &S::scatter_into>},
        {OpId::ScatterAdd, 0, scatter<&S::scatter_add, &S::scatter_add_read, &S::scatter_add_into>},
    };
    return samples;
}

}  // namespace tenferro::conformance
