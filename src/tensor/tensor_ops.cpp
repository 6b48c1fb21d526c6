// The two instances of the operation surface: every method opens (or is in) a session and forwards to
// OperationCore.
#include "tenferro/tensor/tensor_ops.hpp"

#include "tensor/operation_core.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

using S = BackendSession;
using Core = OperationCore;
using Axes = std::span<const Index>;

// clang-format off
#define TENFERRO_ROW(Name, method, dtypes, meaning) \
    template <class Self> Tensor TensorOps<Self>::method(Tensor&& a) { return self().in_session([&](S& s) { return Core::unary(s, OpId::Name, std::move(a)); }); } \
    template <class Self> Tensor TensorOps<Self>::method##_read(const TensorRead& a) { return self().in_session([&](S& s) { return Core::unary_read(s, OpId::Name, a); }); } \
    template <class Self> void TensorOps<Self>::method##_into(const TensorRead& a, const TensorWrite& out) { self().in_session([&](S& s) { Core::unary_into(s, OpId::Name, a, out); }); }
TENFERRO_UNARY_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
#define TENFERRO_ROW(Name, method, dtypes, meaning) \
    template <class Self> Tensor TensorOps<Self>::method(Tensor&& a, Tensor&& b) { return self().in_session([&](S& s) { return Core::binary(s, OpId::Name, std::move(a), std::move(b)); }); } \
    template <class Self> Tensor TensorOps<Self>::method##_read(const TensorRead& a, const TensorRead& b) { return self().in_session([&](S& s) { return Core::binary_read(s, OpId::Name, a, b); }); } \
    template <class Self> void TensorOps<Self>::method##_into(const TensorRead& a, const TensorRead& b, const TensorWrite& out) { self().in_session([&](S& s) { Core::binary_into(s, OpId::Name, a, b, out); }); }
TENFERRO_BINARY_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW

template <class Self> Tensor TensorOps<Self>::elementwise(OpId op, Tensor&& a) { return self().in_session([&](S& s) { return Core::unary(s, op, std::move(a)); }); }
template <class Self> Tensor TensorOps<Self>::elementwise_read(OpId op, const TensorRead& a) { return self().in_session([&](S& s) { return Core::unary_read(s, op, a); }); }
template <class Self> Tensor TensorOps<Self>::elementwise(OpId op, Tensor&& a, Tensor&& b) { return self().in_session([&](S& s) { return Core::binary(s, op, std::move(a), std::move(b)); }); }
template <class Self> Tensor TensorOps<Self>::elementwise_read(OpId op, const TensorRead& a, const TensorRead& b) { return self().in_session([&](S& s) { return Core::binary_read(s, op, a, b); }); }
template <class Self> Tensor TensorOps<Self>::compare(Tensor&& a, Tensor&& b, Comparison direction) { return self().in_session([&](S& s) { return Core::binary(s, static_cast<OpId>(direction), std::move(a), std::move(b)); }); }
template <class Self> Tensor TensorOps<Self>::compare_read(const TensorRead& a, const TensorRead& b, Comparison direction) { return self().in_session([&](S& s) { return Core::binary_read(s, static_cast<OpId>(direction), a, b); }); }
template <class Self> void TensorOps<Self>::compare_into(const TensorRead& a, const TensorRead& b, Comparison direction, const TensorWrite& out) { self().in_session([&](S& s) { Core::binary_into(s, static_cast<OpId>(direction), a, b, out); }); }

template <class Self> Tensor TensorOps<Self>::select(Tensor&& predicate, Tensor&& on_true, Tensor&& on_false) { return self().in_session([&](S& s) { return Core::select(s, std::move(predicate), std::move(on_true), std::move(on_false)); }); }
template <class Self> Tensor TensorOps<Self>::select_read(const TensorRead& predicate, const TensorRead& on_true, const TensorRead& on_false) { return self().in_session([&](S& s) { return Core::select_read(s, predicate, on_true, on_false); }); }
template <class Self> void TensorOps<Self>::select_into(const TensorRead& predicate, const TensorRead& on_true, const TensorRead& on_false, const TensorWrite& out) { self().in_session([&](S& s) { Core::select_into(s, predicate, on_true, on_false, out); }); }

template <class Self> Tensor TensorOps<Self>::clamp(Tensor&& low, Tensor&& x, Tensor&& high) { return self().in_session([&](S& s) { return Core::clamp(s, std::move(low), std::move(x), std::move(high)); }); }
template <class Self> Tensor TensorOps<Self>::clamp_read(const TensorRead& low, const TensorRead& x, const TensorRead& high) { return self().in_session([&](S& s) { return Core::clamp_read(s, low, x, high); }); }
template <class Self> void TensorOps<Self>::clamp_into(const TensorRead& low, const TensorRead& x, const TensorRead& high, const TensorWrite& out) { self().in_session([&](S& s) { Core::clamp_into(s, low, x, high, out); }); }

template <class Self> Tensor TensorOps<Self>::convert(Tensor&& a, DType to) { return self().in_session([&](S& s) { return Core::convert(s, OpId::Convert, std::move(a), to); }); }
template <class Self> Tensor TensorOps<Self>::convert_read(const TensorRead& a, DType to) { return self().in_session([&](S& s) { return Core::convert_read(s, OpId::Convert, a, to); }); }
template <class Self> void TensorOps<Self>::convert_into(const TensorRead& a, const TensorWrite& out) { self().in_session([&](S& s) { Core::convert_into(s, OpId::Convert, a, out); }); }
template <class Self> Tensor TensorOps<Self>::cast(Tensor&& a, DType to) { return self().in_session([&](S& s) { return Core::convert(s, OpId::Cast, std::move(a), to); }); }
template <class Self> Tensor TensorOps<Self>::cast_read(const TensorRead& a, DType to) { return self().in_session([&](S& s) { return Core::convert_read(s, OpId::Cast, a, to); }); }
template <class Self> void TensorOps<Self>::cast_into(const TensorRead& a, const TensorWrite& out) { self().in_session([&](S& s) { Core::convert_into(s, OpId::Cast, a, out); }); }

template <class Self> Tensor TensorOps<Self>::dot_general(Tensor&& lhs, Tensor&& rhs, const DotGeneralConfig& config) { return self().in_session([&](S& s) { return Core::contract_read(s, lhs, rhs, config); }); }
template <class Self> Tensor TensorOps<Self>::dot_general_read(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config) { return self().in_session([&](S& s) { return Core::contract_read(s, lhs, rhs, config); }); }
template <class Self> Tensor TensorOps<Self>::dot_general_permuted_read(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config, Axes placement) { return self().in_session([&](S& s) { return Core::contract_permuted(s, lhs, rhs, config, placement); }); }
template <class Self> void TensorOps<Self>::dot_general_into(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config, const TensorWrite& out) { self().in_session([&](S& s) { Core::contract_into(s, lhs, rhs, config, out); }); }

template <class Self> Tensor TensorOps<Self>::transpose(Tensor&& a, Axes perm) { return transpose_read(a, perm); }
template <class Self> Tensor TensorOps<Self>::transpose_read(const TensorRead& a, Axes perm) { return self().in_session([&](S& s) { return Core::copy_read(s, OpId::Transpose, a.transpose_view(perm)); }); }
template <class Self> void TensorOps<Self>::transpose_into(const TensorRead& a, Axes perm, const TensorWrite& out) { self().in_session([&](S& s) { Core::copy_into(s, OpId::Transpose, a.transpose_view(perm), out); }); }

template <class Self> Tensor TensorOps<Self>::reshape_read(const TensorRead& a, Axes shape) { return self().in_session([&](S& s) { return Core::reshape_read(s, a, shape); }); }
template <class Self> void TensorOps<Self>::reshape_into(const TensorRead& a, Axes shape, const TensorWrite& out) { self().in_session([&](S& s) { Core::reshape_into(s, a, shape, out); }); }

template <class Self> Tensor TensorOps<Self>::broadcast_in_dim(Tensor&& a, Axes shape, Axes dims) { return broadcast_in_dim_read(a, shape, dims); }
template <class Self> Tensor TensorOps<Self>::broadcast_in_dim_read(const TensorRead& a, Axes shape, Axes dims) { return self().in_session([&](S& s) { return Core::copy_read(s, OpId::BroadcastInDim, a.broadcast_view(shape, dims)); }); }
template <class Self> void TensorOps<Self>::broadcast_in_dim_into(const TensorRead& a, Axes shape, Axes dims, const TensorWrite& out) { self().in_session([&](S& s) { Core::copy_into(s, OpId::BroadcastInDim, a.broadcast_view(shape, dims), out); }); }

template <class Self> Tensor TensorOps<Self>::extract_diagonal(Tensor&& a, Index first, Index second) { return extract_diagonal_read(a, first, second); }
template <class Self> Tensor TensorOps<Self>::extract_diagonal_read(const TensorRead& a, Index first, Index second) { return self().in_session([&](S& s) { return Core::copy_read(s, OpId::ExtractDiagonal, a.diagonal_view(first, second)); }); }
template <class Self> void TensorOps<Self>::extract_diagonal_into(const TensorRead& a, Index first, Index second, const TensorWrite& out) { self().in_session([&](S& s) { Core::copy_into(s, OpId::ExtractDiagonal, a.diagonal_view(first, second), out); }); }

template <class Self> Tensor TensorOps<Self>::embed_diagonal(Tensor&& a, Index first, Index second) { return embed_diagonal_read(a, first, second); }
template <class Self> Tensor TensorOps<Self>::embed_diagonal_read(const TensorRead& a, Index first, Index second) { return self().in_session([&](S& s) { return Core::embed_read(s, a, first, second); }); }
template <class Self> void TensorOps<Self>::embed_diagonal_into(const TensorRead& a, Index first, Index second, const TensorWrite& out) { self().in_session([&](S& s) { Core::embed_into(s, a, first, second, out); }); }

template <class Self> Tensor TensorOps<Self>::slice(Tensor&& a, Axes starts, Axes limits, Axes steps) { return slice_read(a, starts, limits, steps); }
template <class Self> Tensor TensorOps<Self>::slice_read(const TensorRead& a, Axes starts, Axes limits, Axes steps) { return self().in_session([&](S& s) { return Core::copy_read(s, OpId::Slice, a.slice_view(starts, limits, steps)); }); }
template <class Self> void TensorOps<Self>::slice_into(const TensorRead& a, Axes starts, Axes limits, Axes steps, const TensorWrite& out) { self().in_session([&](S& s) { Core::copy_into(s, OpId::Slice, a.slice_view(starts, limits, steps), out); }); }
template <class Self> Tensor TensorOps<Self>::reverse(Tensor&& a, Axes axes) { return reverse_read(a, axes); }
template <class Self> Tensor TensorOps<Self>::reverse_read(const TensorRead& a, Axes axes) { return self().in_session([&](S& s) { return Core::copy_read(s, OpId::Reverse, a.reverse_view(axes)); }); }
template <class Self> void TensorOps<Self>::reverse_into(const TensorRead& a, Axes axes, const TensorWrite& out) { self().in_session([&](S& s) { Core::copy_into(s, OpId::Reverse, a.reverse_view(axes), out); }); }

template <class Self> Tensor TensorOps<Self>::dynamic_slice(Tensor&& a, Tensor&& starts, Axes sizes) { return dynamic_slice_read(a, starts, sizes); }
template <class Self> Tensor TensorOps<Self>::dynamic_slice_read(const TensorRead& a, const TensorRead& starts, Axes sizes) { return self().in_session([&](S& s) { return Core::dynamic_slice_read(s, a, starts, sizes); }); }
template <class Self> void TensorOps<Self>::dynamic_slice_into(const TensorRead& a, const TensorRead& starts, Axes sizes, const TensorWrite& out) { self().in_session([&](S& s) { Core::dynamic_slice_into(s, a, starts, sizes, out); }); }
template <class Self> Tensor TensorOps<Self>::dynamic_update_slice(Tensor&& a, Tensor&& update, Tensor&& starts) { return self().in_session([&](S& s) { return Core::dynamic_update_slice(s, std::move(a), update, starts); }); }
template <class Self> Tensor TensorOps<Self>::dynamic_update_slice_read(const TensorRead& a, const TensorRead& update, const TensorRead& starts) { return self().in_session([&](S& s) { return Core::dynamic_update_slice_read(s, a, update, starts); }); }
template <class Self> void TensorOps<Self>::dynamic_update_slice_into(const TensorRead& a, const TensorRead& update, const TensorRead& starts, const TensorWrite& out) { self().in_session([&](S& s) { Core::dynamic_update_slice_into(s, a, update, starts, out); }); }

template <class Self> Tensor TensorOps<Self>::pad(Tensor&& a, Tensor&& value, const PadConfig& config) { return pad_read(a, value, config); }
template <class Self> Tensor TensorOps<Self>::pad_read(const TensorRead& a, const TensorRead& value, const PadConfig& config) { return self().in_session([&](S& s) { return Core::pad_read(s, a, value, config); }); }
template <class Self> void TensorOps<Self>::pad_into(const TensorRead& a, const TensorRead& value, const PadConfig& config, const TensorWrite& out) { self().in_session([&](S& s) { Core::pad_into(s, a, value, config, out); }); }

template <class Self> Tensor TensorOps<Self>::concatenate(std::vector<Tensor>&& parts, Index axis) { return concatenate_read(std::vector<TensorRead>(parts.begin(), parts.end()), axis); }
template <class Self> Tensor TensorOps<Self>::concatenate_read(std::span<const TensorRead> parts, Index axis) { return self().in_session([&](S& s) { return Core::concatenate_read(s, parts, axis); }); }
template <class Self> void TensorOps<Self>::concatenate_into(std::span<const TensorRead> parts, Index axis, const TensorWrite& out) { self().in_session([&](S& s) { Core::concatenate_into(s, parts, axis, out); }); }

template <class Self> Tensor TensorOps<Self>::tril(Tensor&& a, Index diagonal) { return tril_read(a, diagonal); }
template <class Self> Tensor TensorOps<Self>::tril_read(const TensorRead& a, Index diagonal) { return self().in_session([&](S& s) { return Core::triangle_read(s, OpId::Tril, a, diagonal); }); }
template <class Self> void TensorOps<Self>::tril_into(const TensorRead& a, Index diagonal, const TensorWrite& out) { self().in_session([&](S& s) { Core::triangle_into(s, OpId::Tril, a, diagonal, out); }); }
template <class Self> Tensor TensorOps<Self>::triu(Tensor&& a, Index diagonal) { return triu_read(a, diagonal); }
template <class Self> Tensor TensorOps<Self>::triu_read(const TensorRead& a, Index diagonal) { return self().in_session([&](S& s) { return Core::triangle_read(s, OpId::Triu, a, diagonal); }); }
template <class Self> void TensorOps<Self>::triu_into(const TensorRead& a, Index diagonal, const TensorWrite& out) { self().in_session([&](S& s) { Core::triangle_into(s, OpId::Triu, a, diagonal, out); }); }

template <class Self> Tensor TensorOps<Self>::gather(Tensor&& a, Tensor&& indices, const GatherConfig& config) { return gather_read(a, indices, config); }
template <class Self> Tensor TensorOps<Self>::gather_read(const TensorRead& a, const TensorRead& indices, const GatherConfig& config) { return self().in_session([&](S& s) { return Core::gather_read(s, a, indices, config); }); }
template <class Self> void TensorOps<Self>::gather_into(const TensorRead& a, const TensorRead& indices, const GatherConfig& config, const TensorWrite& out) { self().in_session([&](S& s) { Core::gather_into(s, a, indices, config, out); }); }
template <class Self> Tensor TensorOps<Self>::scatter(Tensor&& a, Tensor&& indices, Tensor&& updates, const ScatterConfig& config) { return self().in_session([&](S& s) { return Core::scatter(s, OpId::Scatter, std::move(a), indices, updates, config); }); }
template <class Self> Tensor TensorOps<Self>::scatter_read(const TensorRead& a, const TensorRead& indices, const TensorRead& updates, const ScatterConfig& config) { return self().in_session([&](S& s) { return Core::scatter_read(s, OpId::Scatter, a, indices, updates, config); }); }
template <class Self> void TensorOps<Self>::scatter_into(const TensorRead& a, const TensorRead& indices, const TensorRead& updates, const ScatterConfig& config, const TensorWrite& out) { self().in_session([&](S& s) { Core::scatter_into(s, OpId::Scatter, a, indices, updates, config, out); }); }
template <class Self> Tensor TensorOps<Self>::scatter_add(Tensor&& a, Tensor&& indices, Tensor&& updates, const ScatterConfig& config) { return self().in_session([&](S& s) { return Core::scatter(s, OpId::ScatterAdd, std::move(a), indices, updates, config); }); }
template <class Self> Tensor TensorOps<Self>::scatter_add_read(const TensorRead& a, const TensorRead& indices, const TensorRead& updates, const ScatterConfig& config) { return self().in_session([&](S& s) { return Core::scatter_read(s, OpId::ScatterAdd, a, indices, updates, config); }); }
template <class Self> void TensorOps<Self>::scatter_add_into(const TensorRead& a, const TensorRead& indices, const TensorRead& updates, const ScatterConfig& config, const TensorWrite& out) { self().in_session([&](S& s) { Core::scatter_into(s, OpId::ScatterAdd, a, indices, updates, config, out); }); }

#define TENFERRO_ROW(Name, method, dtypes, meaning) \
    template <class Self> Tensor TensorOps<Self>::method(Tensor&& a, Axes axes) { return method##_read(a, axes); } \
    template <class Self> Tensor TensorOps<Self>::method##_read(const TensorRead& a, Axes axes) { return self().in_session([&](S& s) { return Core::reduce_read(s, OpId::Name, a, axes); }); } \
    template <class Self> void TensorOps<Self>::method##_into(const TensorRead& a, Axes axes, const TensorWrite& out) { self().in_session([&](S& s) { Core::reduce_into(s, OpId::Name, a, axes, out); }); }
TENFERRO_REDUCE_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
template <class Self> Tensor TensorOps<Self>::reduce_read(OpId op, const TensorRead& a, Axes axes) { return self().in_session([&](S& s) { return Core::reduce_read(s, op, a, axes); }); }

template <class Self> Tensor TensorOps<Self>::argmax(Tensor&& a, Index axis) { return argmax_read(a, axis); }
template <class Self> Tensor TensorOps<Self>::argmax_read(const TensorRead& a, Index axis) { return self().in_session([&](S& s) { return Core::arg_extreme_read(s, OpId::Argmax, a, axis); }); }
template <class Self> void TensorOps<Self>::argmax_into(const TensorRead& a, Index axis, const TensorWrite& out) { self().in_session([&](S& s) { Core::arg_extreme_into(s, OpId::Argmax, a, axis, out); }); }
template <class Self> Tensor TensorOps<Self>::argmin(Tensor&& a, Index axis) { return argmin_read(a, axis); }
template <class Self> Tensor TensorOps<Self>::argmin_read(const TensorRead& a, Index axis) { return self().in_session([&](S& s) { return Core::arg_extreme_read(s, OpId::Argmin, a, axis); }); }
template <class Self> void TensorOps<Self>::argmin_into(const TensorRead& a, Index axis, const TensorWrite& out) { self().in_session([&](S& s) { Core::arg_extreme_into(s, OpId::Argmin, a, axis, out); }); }

template <class Self> Tensor TensorOps<Self>::cumulative_sum(Tensor&& a, Index axis, bool reversed) { return cumulative_sum_read(a, axis, reversed); }
template <class Self> Tensor TensorOps<Self>::cumulative_sum_read(const TensorRead& a, Index axis, bool reversed) { return self().in_session([&](S& s) { return Core::cumulative_sum_read(s, a, axis, reversed); }); }
template <class Self> void TensorOps<Self>::cumulative_sum_into(const TensorRead& a, Index axis, bool reversed, const TensorWrite& out) { self().in_session([&](S& s) { Core::cumulative_sum_into(s, a, axis, reversed, out); }); }
template <class Self> Tensor TensorOps<Self>::softmax(Tensor&& a, Index axis) { return softmax_read(a, axis); }
template <class Self> Tensor TensorOps<Self>::softmax_read(const TensorRead& a, Index axis) { return self().in_session([&](S& s) { return Core::softmax_read(s, a, axis); }); }
template <class Self> void TensorOps<Self>::softmax_into(const TensorRead& a, Index axis, const TensorWrite& out) { self().in_session([&](S& s) { Core::softmax_into(s, a, axis, out); }); }
template <class Self> Tensor TensorOps<Self>::sort(Tensor&& a, Index axis, bool descending) { return sort_read(a, axis, descending); }
template <class Self> Tensor TensorOps<Self>::sort_read(const TensorRead& a, Index axis, bool descending) { return self().in_session([&](S& s) { return Core::sort_read(s, a, axis, descending); }); }
template <class Self> void TensorOps<Self>::sort_into(const TensorRead& a, Index axis, bool descending, const TensorWrite& out) { self().in_session([&](S& s) { Core::sort_into(s, a, axis, descending, out); }); }

template <class Self> Tensor TensorOps<Self>::to_contiguous_read(const TensorRead& a) { return self().in_session([&](S& s) { return Core::copy_read(s, OpId::ToContiguous, a); }); }
template <class Self> void TensorOps<Self>::to_contiguous_into(const TensorRead& a, const TensorWrite& out) { self().in_session([&](S& s) { Core::copy_into(s, OpId::ToContiguous, a, out); }); }

template <class Self> Tensor TensorOps<Self>::upload_host_tensor(Tensor&& host) { return self().in_session([&](S& s) { return Core::upload(s, std::move(host)); }); }
template <class Self> Tensor TensorOps<Self>::upload_host_tensor_read(const TensorRead& host) { return self().in_session([&](S& s) { return Core::upload_read(s, host); }); }
template <class Self> Tensor TensorOps<Self>::download_to_host(Tensor&& a) { return self().in_session([&](S& s) { return Core::download(s, std::move(a)); }); }
template <class Self> Tensor TensorOps<Self>::download_to_host_read(const TensorRead& a) { return self().in_session([&](S& s) { return Core::download_read(s, a); }); }
// clang-format on

template <class Self>
Tensor TensorOps<Self>::reshape(Tensor&& a, Axes shape) {
    if (!a.is_compact()) return reshape_read(a, shape);
    const Tensor consumed = std::move(a);
    return consumed.share_as(consumed.read().reshape_view(shape));
}

template <class Self>
Tensor TensorOps<Self>::to_contiguous(Tensor&& a) {
    return a.is_compact() ? std::move(a) : to_contiguous_read(a);
}

template <class Self>
Tensor TensorOps<Self>::empty(DType dtype, Axes shape) {
    return self().in_session([&](S& s) { return Core::empty(s, dtype, shape); });
}

template <class Self>
Tensor TensorOps<Self>::zeros(DType dtype, Axes shape) {
    return self().in_session([&](S& s) { return Core::zeros(s, dtype, shape); });
}

template <class Self>
void TensorOps<Self>::reclaim_buffer(Tensor&& a) noexcept {
    const Tensor dropped = std::move(a);
}

template class TensorOps<BackendSession>;
template class TensorOps<TensorBackend>;

}}  // namespace tenferro::TENFERRO_ABI
