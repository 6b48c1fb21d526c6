// Checks shared by the operations, then one short function per operation and form.
#include "tensor/operation_core.hpp"

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tensor/operation_checks.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

Dims contract_shape(const BackendSession& s, const TensorRead& lhs, const TensorRead& rhs,
                    const DotGeneralConfig& config) {
    check_same_dtype(lhs, rhs, "dot_general");
    check_operand(s, OpId::DotGeneral, lhs, "lhs");
    check_place(s.backend_info(), rhs, "dot_general", "rhs");
    Dims shape = dot_general_shape(lhs.shape(), rhs.shape(), config);
    (void)element_count(shape, "dot_general");
    return shape;
}

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

void check_reshape(const BackendSession& s, const TensorRead& a, std::span<const Index> shape) {
    check_operand(s, OpId::Reshape, a);
    if (element_count(shape, "reshape") != a.size())
        throw Error(ErrorKind::ShapeMismatch, "reshape",
                    text("shape ", list_text(a.shape()), " has ", a.size(), " elements but shape ",
                         list_text(shape), " has another number"));
}

}  // namespace

void OperationCore::contract_into(BackendSession& s, const TensorRead& lhs, const TensorRead& rhs,
                                  const DotGeneralConfig& config, const TensorWrite& out) {
    check_out(s.backend_info(), out, lhs.dtype(), contract_shape(s, lhs, rhs, config), "dot_general");
    check_no_overlap(lhs, out, "dot_general", "lhs");
    check_no_overlap(rhs, out, "dot_general", "rhs");
    s.contract(lhs, rhs, config, out);
}

Tensor OperationCore::contract_read(BackendSession& s, const TensorRead& lhs, const TensorRead& rhs,
                                    const DotGeneralConfig& config) {
    Tensor out = s.allocate(lhs.dtype(), contract_shape(s, lhs, rhs, config));
    s.contract(lhs, rhs, config, out.write());
    return out;
}

Tensor OperationCore::contract_permuted(BackendSession& s, const TensorRead& lhs, const TensorRead& rhs,
                                        const DotGeneralConfig& config, std::span<const Index> placement) {
    const Dims natural = contract_shape(s, lhs, rhs, config);
    bool identity = placement.empty() || placement.size() == natural.size();
    for (std::size_t i = 0; i < placement.size() && identity; ++i)
        identity = placement[i] == static_cast<Index>(i);
    if (identity) {
        Tensor out = s.allocate(lhs.dtype(), natural);
        s.contract(lhs, rhs, config, out.write());
        return out;
    }
    check_permutation(placement, natural.size(), "dot_general");
    Dims shape(natural.size(), 0);
    for (std::size_t i = 0; i < natural.size(); ++i) shape[placement[i]] = natural[i];
    Tensor out = s.allocate(lhs.dtype(), shape);
    s.contract(lhs, rhs, config, out.write().transpose_view(placement));
    return out;
}

void OperationCore::copy_into(BackendSession& s, OpId op, const TensorRead& view, const TensorWrite& out) {
    check_operand(s, op, view);
    check_out(s.backend_info(), out, view.dtype(), view.shape(), info(op).name);
    check_no_overlap(view, out, info(op).name, "the operand");
    s.copy(view, out);
}

Tensor OperationCore::copy_read(BackendSession& s, OpId op, const TensorRead& view) {
    check_operand(s, op, view);
    Tensor out = s.allocate(view.dtype(), view.shape());
    s.copy(view, out.write());
    return out;
}

Tensor OperationCore::reshape_read(BackendSession& s, const TensorRead& a, std::span<const Index> shape) {
    check_reshape(s, a, shape);
    Tensor out = s.allocate(a.dtype(), shape);
    s.copy(a, TensorWrite::compact(a.dtype(), out.write().data(), a.shape(), out.placement()));
    return out;
}

void OperationCore::reshape_into(BackendSession& s, const TensorRead& a, std::span<const Index> shape,
                                 const TensorWrite& out) {
    check_reshape(s, a, shape);
    if (!out.is_compact()) throw Error(ErrorKind::Unsupported, "reshape", "out is not compact column-major");
    check_out(s.backend_info(), out, a.dtype(), shape, "reshape");
    check_no_overlap(a, out, "reshape", "the operand");
    s.copy(a, TensorWrite::compact(a.dtype(), out.data(), a.shape(), out.placement()));
}

void OperationCore::embed_into(BackendSession& s, const TensorRead& a, Index first, Index second,
                               const TensorWrite& out) {
    check_out(s.backend_info(), out, a.dtype(), embed_shape(s, a, first, second), "embed_diagonal");
    check_no_overlap(a, out, "embed_diagonal", "the operand");
    s.fill_zero(out);
    s.copy(a, out.diagonal_view(first, second));
}

Tensor OperationCore::embed_read(BackendSession& s, const TensorRead& a, Index first, Index second) {
    Tensor out = s.allocate(a.dtype(), embed_shape(s, a, first, second));
    s.fill_zero(out.write());
    s.copy(a, out.write().diagonal_view(first, second));
    return out;
}

Tensor OperationCore::upload_read(BackendSession& s, const TensorRead& host) {
    if (host.placement() != kMainMemory)
        throw_misplaced(host, kMainMemory, "host", "upload_host_tensor", "the operand");
    Tensor out = s.allocate(host.dtype(), host.shape());
    s.upload(host, out.write());
    return out;
}

Tensor OperationCore::upload(BackendSession& s, Tensor&& host) {
    const bool there = s.backend_info().placement == kMainMemory && host.placement() == kMainMemory;
    return there && host.is_compact() ? std::move(host) : upload_read(s, host);
}

Tensor OperationCore::download_read(BackendSession& s, const TensorRead& a) {
    check_place(s.backend_info(), a, "download_to_host", "the operand");
    Tensor out =
        a.placement() == kMainMemory ? s.allocate(a.dtype(), a.shape()) : Tensor::zeros(a.dtype(), a.shape());
    s.download(a, out.write());
    return out;
}

Tensor OperationCore::download(BackendSession& s, Tensor&& a) {
    check_place(s.backend_info(), a, "download_to_host", "the operand");
    return a.placement() == kMainMemory && a.is_compact() ? std::move(a) : download_read(s, a);
}

Tensor OperationCore::empty(BackendSession& s, DType dtype, std::span<const Index> shape) {
    (void)byte_count(shape, info(dtype).bytes, "empty");
    return s.allocate(dtype, shape);
}

Tensor OperationCore::zeros(BackendSession& s, DType dtype, std::span<const Index> shape) {
    (void)byte_count(shape, info(dtype).bytes, "zeros");
    Tensor out = s.allocate(dtype, shape);
    s.fill_zero(out.write());
    return out;
}

}}  // namespace tenferro::TENFERRO_ABI
