// The two instances of the operation surface: every method opens (or is in) a session and forwards to OperationCore.
#include "tenferro/tensor/tensor_ops.hpp"

#include "tensor/operation_core.hpp"

namespace tenferro::inline TENFERRO_ABI {

using S = BackendSession;
using Core = OperationCore;
using Axes = std::span<const Index>;

// clang-format off
#define TENFERRO_ROW(Name, method, dtypes) \
    template <class Self> Tensor TensorOps<Self>::method(Tensor&& a) { return self().in_session([&](S& s) { return Core::unary(s, OpId::Name, std::move(a)); }); } \
    template <class Self> Tensor TensorOps<Self>::method##_read(const TensorRead& a) { return self().in_session([&](S& s) { return Core::unary_read(s, OpId::Name, a); }); } \
    template <class Self> void TensorOps<Self>::method##_into(const TensorRead& a, const TensorWrite& out) { self().in_session([&](S& s) { Core::unary_into(s, OpId::Name, a, out); }); }
TENFERRO_UNARY_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
#define TENFERRO_ROW(Name, method, dtypes) \
    template <class Self> Tensor TensorOps<Self>::method(Tensor&& a, Tensor&& b) { return self().in_session([&](S& s) { return Core::binary(s, OpId::Name, std::move(a), std::move(b)); }); } \
    template <class Self> Tensor TensorOps<Self>::method##_read(const TensorRead& a, const TensorRead& b) { return self().in_session([&](S& s) { return Core::binary_read(s, OpId::Name, a, b); }); } \
    template <class Self> void TensorOps<Self>::method##_into(const TensorRead& a, const TensorRead& b, const TensorWrite& out) { self().in_session([&](S& s) { Core::binary_into(s, OpId::Name, a, b, out); }); }
TENFERRO_BINARY_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW

template <class Self> Tensor TensorOps<Self>::dot_general(Tensor&& lhs, Tensor&& rhs, const DotGeneralConfig& config) { return self().in_session([&](S& s) { return Core::contract_read(s, lhs, rhs, config); }); }
template <class Self> Tensor TensorOps<Self>::dot_general_read(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config) { return self().in_session([&](S& s) { return Core::contract_read(s, lhs, rhs, config); }); }
template <class Self> void TensorOps<Self>::dot_general_into(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config, const TensorWrite& out) { self().in_session([&](S& s) { Core::contract_into(s, lhs, rhs, config, out); }); }

template <class Self> Tensor TensorOps<Self>::transpose(Tensor&& a, Axes perm) { return transpose_read(a, perm); }
template <class Self> Tensor TensorOps<Self>::transpose_read(const TensorRead& a, Axes perm) { return self().in_session([&](S& s) { return Core::copy_read(s, a.transpose_view(perm)); }); }
template <class Self> void TensorOps<Self>::transpose_into(const TensorRead& a, Axes perm, const TensorWrite& out) { self().in_session([&](S& s) { Core::copy_into(s, "transpose", a.transpose_view(perm), out); }); }

template <class Self> Tensor TensorOps<Self>::reshape_read(const TensorRead& a, Axes shape) { return self().in_session([&](S& s) { return Core::reshape_read(s, a, shape); }); }
template <class Self> void TensorOps<Self>::reshape_into(const TensorRead& a, Axes shape, const TensorWrite& out) { self().in_session([&](S& s) { Core::reshape_into(s, a, shape, out); }); }

template <class Self> Tensor TensorOps<Self>::broadcast_in_dim(Tensor&& a, Axes shape, Axes dims) { return broadcast_in_dim_read(a, shape, dims); }
template <class Self> Tensor TensorOps<Self>::broadcast_in_dim_read(const TensorRead& a, Axes shape, Axes dims) { return self().in_session([&](S& s) { return Core::copy_read(s, a.broadcast_view(shape, dims)); }); }
template <class Self> void TensorOps<Self>::broadcast_in_dim_into(const TensorRead& a, Axes shape, Axes dims, const TensorWrite& out) { self().in_session([&](S& s) { Core::copy_into(s, "broadcast_in_dim", a.broadcast_view(shape, dims), out); }); }

template <class Self> Tensor TensorOps<Self>::extract_diagonal(Tensor&& a, Index first, Index second) { return extract_diagonal_read(a, first, second); }
template <class Self> Tensor TensorOps<Self>::extract_diagonal_read(const TensorRead& a, Index first, Index second) { return self().in_session([&](S& s) { return Core::copy_read(s, a.diagonal_view(first, second)); }); }
template <class Self> void TensorOps<Self>::extract_diagonal_into(const TensorRead& a, Index first, Index second, const TensorWrite& out) { self().in_session([&](S& s) { Core::copy_into(s, "extract_diagonal", a.diagonal_view(first, second), out); }); }

template <class Self> Tensor TensorOps<Self>::embed_diagonal(Tensor&& a, Index first, Index second) { return embed_diagonal_read(a, first, second); }
template <class Self> Tensor TensorOps<Self>::embed_diagonal_read(const TensorRead& a, Index first, Index second) { return self().in_session([&](S& s) { return Core::embed_read(s, a, first, second); }); }
template <class Self> void TensorOps<Self>::embed_diagonal_into(const TensorRead& a, Index first, Index second, const TensorWrite& out) { self().in_session([&](S& s) { Core::embed_into(s, a, first, second, out); }); }

template <class Self> Tensor TensorOps<Self>::reduce_sum(Tensor&& a, Axes axes) { return reduce_sum_read(a, axes); }
template <class Self> Tensor TensorOps<Self>::reduce_sum_read(const TensorRead& a, Axes axes) { return self().in_session([&](S& s) { return Core::sum_read(s, a, axes); }); }
template <class Self> void TensorOps<Self>::reduce_sum_into(const TensorRead& a, Axes axes, const TensorWrite& out) { self().in_session([&](S& s) { Core::sum_into(s, a, axes, out); }); }

template <class Self> Tensor TensorOps<Self>::to_contiguous_read(const TensorRead& a) { return self().in_session([&](S& s) { return Core::copy_read(s, a); }); }
template <class Self> void TensorOps<Self>::to_contiguous_into(const TensorRead& a, const TensorWrite& out) { self().in_session([&](S& s) { Core::copy_into(s, "to_contiguous", a, out); }); }
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

}  // namespace tenferro::inline TENFERRO_ABI
