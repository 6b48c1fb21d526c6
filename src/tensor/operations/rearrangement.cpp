// Operations that only move elements between the axes: each is one copy of a view, or into a view.
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tensor/operations/checks.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

Dims embed_shape(const BackendSession& s, const TensorRead& a, Index first, Index second) {
    constexpr std::string_view op = "embed_diagonal";
    check_operand(s, OpId::EmbedDiagonal, a);
    const Index axes[2] = {first, second};
    check_axes(axes, a.rank() + 1, op, "diagonal");
    Dims shape = a.shape();
    shape.insert(static_cast<std::size_t>(second), a.shape()[first < second ? first : first - 1]);
    (void)element_count(shape, op);
    return shape;
}

void check_reshape(const BackendSession& s, const TensorRead& a, DimsView shape) {
    check_operand(s, OpId::Reshape, a);
    if (element_count(shape, "reshape") != a.size())
        throw Error(ErrorKind::ShapeMismatch, "reshape",
                    text("shape ", list_text(a.shape()), " has ", a.size(), " elements but shape ",
                         list_text(shape), " has another number"));
}

}  // namespace

void BackendSession::copy_into(OpId op, const TensorRead& view, const TensorWrite& out) {
    check_operand(*this, op, view);
    check_out(backend_info(), out, view.dtype(), view.shape(), info(op).name);
    check_no_overlap(view, out, info(op).name, "the operand");
    do_copy(view, out);
}

Tensor BackendSession::copy_read(OpId op, const TensorRead& view) {
    check_operand(*this, op, view);
    Tensor out = allocate(info(op).name, view.dtype(), view.shape());
    do_copy(view, out.write());
    return out;
}

Tensor BackendSession::reshape_read(const TensorRead& a, DimsView shape) {
    check_reshape(*this, a, shape);
    Tensor out = allocate("reshape", a.dtype(), shape);
    do_copy(a, TensorWrite::compact(a.dtype(), out.write().data(), a.shape(), out.placement()));
    return out;
}

void BackendSession::reshape_into(const TensorRead& a, DimsView shape, const TensorWrite& out) {
    check_reshape(*this, a, shape);
    if (!out.is_compact()) throw Error(ErrorKind::Unsupported, "reshape", "out is not compact column-major");
    check_out(backend_info(), out, a.dtype(), shape, "reshape");
    check_no_overlap(a, out, "reshape", "the operand");
    do_copy(a, TensorWrite::compact(a.dtype(), out.data(), a.shape(), out.placement()));
}

void BackendSession::embed_diagonal_into(const TensorRead& a, Index first, Index second,
                                         const TensorWrite& out) {
    check_out(backend_info(), out, a.dtype(), embed_shape(*this, a, first, second), "embed_diagonal");
    check_no_overlap(a, out, "embed_diagonal", "the operand");
    do_fill_zero(out);
    do_copy(a, out.diagonal_view(first, second));
}

Tensor BackendSession::embed_diagonal_read(const TensorRead& a, Index first, Index second) {
    Tensor out = allocate("embed_diagonal", a.dtype(), embed_shape(*this, a, first, second));
    do_fill_zero(out.write());
    do_copy(a, out.write().diagonal_view(first, second));
    return out;
}

Tensor BackendSession::transpose(Tensor&& a, DimsView perm) { return transpose_read(a, perm); }
Tensor BackendSession::transpose_read(const TensorRead& a, DimsView perm) {
    return copy_read(OpId::Transpose, a.transpose_view(perm));
}
void BackendSession::transpose_into(const TensorRead& a, DimsView perm, const TensorWrite& out) {
    copy_into(OpId::Transpose, a.transpose_view(perm), out);
}

Tensor BackendSession::broadcast_in_dim(Tensor&& a, DimsView shape, DimsView broadcast_dims) {
    return broadcast_in_dim_read(a, shape, broadcast_dims);
}
Tensor BackendSession::broadcast_in_dim_read(const TensorRead& a, DimsView shape, DimsView broadcast_dims) {
    return copy_read(OpId::BroadcastInDim, a.broadcast_view(shape, broadcast_dims));
}
void BackendSession::broadcast_in_dim_into(const TensorRead& a, DimsView shape, DimsView broadcast_dims,
                                           const TensorWrite& out) {
    copy_into(OpId::BroadcastInDim, a.broadcast_view(shape, broadcast_dims), out);
}

Tensor BackendSession::extract_diagonal(Tensor&& a, Index first, Index second) {
    return extract_diagonal_read(a, first, second);
}
Tensor BackendSession::extract_diagonal_read(const TensorRead& a, Index first, Index second) {
    return copy_read(OpId::ExtractDiagonal, a.diagonal_view(first, second));
}
void BackendSession::extract_diagonal_into(const TensorRead& a, Index first, Index second,
                                           const TensorWrite& out) {
    copy_into(OpId::ExtractDiagonal, a.diagonal_view(first, second), out);
}

Tensor BackendSession::reverse(Tensor&& a, DimsView axes) { return reverse_read(a, axes); }
Tensor BackendSession::reverse_read(const TensorRead& a, DimsView axes) {
    return copy_read(OpId::Reverse, a.reverse_view(axes));
}
void BackendSession::reverse_into(const TensorRead& a, DimsView axes, const TensorWrite& out) {
    copy_into(OpId::Reverse, a.reverse_view(axes), out);
}

Tensor BackendSession::to_contiguous(Tensor&& a) {
    return a.is_compact() ? std::move(a) : to_contiguous_read(a);
}
Tensor BackendSession::to_contiguous_read(const TensorRead& a) { return copy_read(OpId::ToContiguous, a); }
void BackendSession::to_contiguous_into(const TensorRead& a, const TensorWrite& out) {
    copy_into(OpId::ToContiguous, a, out);
}

Tensor BackendSession::reshape(Tensor&& a, DimsView shape) {
    if (!a.is_compact()) return reshape_read(a, shape);
    const Tensor consumed = std::move(a);
    return consumed.share_as(consumed.read().reshape_view(shape));
}

Tensor BackendSession::embed_diagonal(Tensor&& a, Index first, Index second) {
    return embed_diagonal_read(a, first, second);
}

}}  // namespace tenferro::TENFERRO_ABI
