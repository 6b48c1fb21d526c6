// Gather and scatter, element by element from the definition in StableHLO.
#include <algorithm>

#include "reference/reference_session.hpp"
#include "reference/wide.hpp"
#include "tenferro/tensor/elementwise.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace reference {

namespace {

/// The start of the window that element `i` of gather's result (or of the updates) belongs to, as the indices
/// say.
Dims window_start(const Dims& i, std::size_t operand_rank, const TensorRead& indices,
                  const GatherConfig& config) {
    Dims vector = pick(i, free_axes(i.size(), config.offset_dims, {}));
    const bool explicit_dim = config.index_vector_dim < static_cast<Index>(indices.rank());
    if (explicit_dim) vector.insert(static_cast<std::size_t>(config.index_vector_dim), 0);
    Dims start(operand_rank, 0);
    for (std::size_t k = 0; k < config.start_index_map.size(); ++k) {
        if (explicit_dim) vector[config.index_vector_dim] = static_cast<Index>(k);
        start[config.start_index_map[k]] = indices.dtype() == DType::I32 ? at<std::int32_t>(indices, vector)
                                                                         : at<std::int64_t>(indices, vector);
    }
    return start;
}

/// The index inside the window.
Dims window_offset(const Dims& i, std::size_t operand_rank, const GatherConfig& config) {
    Dims offsets(operand_rank, 0);
    place(offsets, free_axes(operand_rank, config.collapsed_slice_dims, {}), pick(i, config.offset_dims));
    return offsets;
}

}  // namespace

void ReferenceSession::do_gather(const TensorRead& a, const TensorRead& indices, const GatherConfig& config,
                                 const TensorWrite& out) {
    visit_dtype(out.dtype(), [&]<class T> {
        for_each_index(out.shape(), [&](const Dims& i) {
            Dims index = window_offset(i, a.rank(), config);
            const Dims start = window_start(i, a.rank(), indices, config);
            for (std::size_t axis = 0; axis < a.rank(); ++axis)
                index[axis] += std::clamp<Index>(start[axis], 0, a.shape()[axis] - config.slice_sizes[axis]);
            at<T>(out, i) = at<T>(a, index);
        });
    });
}

void ReferenceSession::do_scatter(OpId op, const TensorRead& updates, const TensorRead& indices,
                                  const GatherConfig& config, const TensorWrite& out) {
    const Dims batch_axes = free_axes(updates.rank(), config.offset_dims, {});
    const auto inside = [&](const Dims& start) {
        for (std::size_t axis = 0; axis < out.rank(); ++axis)
            if (start[axis] < 0 || start[axis] > out.shape()[axis] - config.slice_sizes[axis]) return false;
        return true;
    };
    const auto for_each_element = [&](auto write) {
        for_each_index(pick(updates.shape(), batch_axes), [&](const Dims& batch) {
            for_each_index(pick(updates.shape(), config.offset_dims), [&](const Dims& window) {
                Dims i(updates.rank(), 0);
                place(i, batch_axes, batch);
                place(i, config.offset_dims, window);
                const Dims start = window_start(i, out.rank(), indices, config);
                if (!inside(start)) return;
                Dims index = window_offset(i, out.rank(), config);
                for (std::size_t axis = 0; axis < out.rank(); ++axis) index[axis] += start[axis];
                write(index, i);
            });
        });
    };
    visit_dtype(out.dtype(), [&]<class T> {
        if constexpr (info(OpId::ScatterAdd).dtypes.contains(storage_dtype<T>))
            if (op == OpId::ScatterAdd)
                return for_each_element([&](const Dims& to, const Dims& from) {
                    at<T>(out, to) = elementwise::Add{}(at<T>(out, to), at<T>(updates, from));
                });
        for_each_element([&](const Dims& to, const Dims& from) { at<T>(out, to) = at<T>(updates, from); });
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::reference
