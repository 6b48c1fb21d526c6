// Checks shared by the operations, then one short function per operation and form.
#include "tensor/operation_core.hpp"

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/tensor/elementwise.hpp"

namespace tenferro::inline TENFERRO_ABI {

namespace {

void check_same_dtype(const TensorRead& a, const TensorRead& b, std::string_view op) {
    if (a.dtype() != b.dtype())
        throw Error(ErrorKind::DTypeMismatch, op,
                    text("lhs has dtype ", info(a.dtype()).name, " but rhs has ", info(b.dtype()).name));
}

struct ByteRange {
    const std::byte *begin, *end;
};

/// The bytes that a non-empty view can reach.
ByteRange reach(const TensorRead& view) {
    Index low = 0, high = 1;
    for (std::size_t axis = 0; axis < view.rank(); ++axis) {
        const Index span = (view.shape()[axis] - 1) * view.strides()[axis];
        (span < 0 ? low : high) += span;
    }
    const auto width = static_cast<Index>(info(view.dtype()).bytes);
    const auto* origin = static_cast<const std::byte*>(view.data());
    return {origin + low * width, origin + high * width};
}

void check_no_overlap(const TensorRead& a, const TensorWrite& out, std::string_view op, std::string_view name) {
    if (a.size() == 0 || out.size() == 0) return;
    const ByteRange x = reach(a), y = reach(out);
    if (x.begin < y.end && y.begin < x.end)
        throw Error(ErrorKind::InvalidArgument, op, text("out overlaps the memory of ", name));
}

void check_out(const TensorWrite& out, DType dtype, std::span<const Index> shape, std::string_view op) {
    if (out.dtype() != dtype)
        throw Error(ErrorKind::DTypeMismatch, op,
                    text("out has dtype ", info(out.dtype()).name, " but the result has ", info(dtype).name));
    check_same_shape(out.shape(), shape, op, "out", "the result");
    if (!is_injective(out.shape(), out.strides()))
        throw Error(ErrorKind::InvalidArgument, op,
                    text("out has strides ", list_text(out.strides()), " in which elements may coincide for shape ",
                         list_text(out.shape())));
}

void check_binary(OpId op, const TensorRead& a, const TensorRead& b) {
    check_same_dtype(a, b, info(op).name);
    check_supported(op, a.dtype());
    check_same_shape(a.shape(), b.shape(), info(op).name);
}

Dims sum_shape(const TensorRead& a, std::span<const Index> axes) {
    check_supported(OpId::ReduceSum, a.dtype());
    check_axes(axes, a.rank(), "reduce_sum", "reduced");
    Dims shape;
    for (const Index axis : free_axes(a.rank(), axes, {})) shape.push_back(a.shape()[axis]);
    return shape;
}

Dims contract_shape(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config) {
    check_same_dtype(lhs, rhs, "dot_general");
    check_supported(OpId::DotGeneral, lhs.dtype());
    Dims shape = dot_general_shape(lhs.shape(), rhs.shape(), config);
    (void)element_count(shape, "dot_general");
    return shape;
}

Dims embed_shape(const TensorRead& a, Index first, Index second) {
    constexpr std::string_view op = "embed_diagonal";
    const Index axes[2] = {first, second};
    check_axes(axes, a.rank() + 1, op, "diagonal");
    Dims shape = a.shape();
    shape.insert(static_cast<std::size_t>(second), a.shape()[first < second ? first : first - 1]);
    (void)element_count(shape, op);
    return shape;
}

void check_reshape(const TensorRead& a, std::span<const Index> shape) {
    if (element_count(shape, "reshape") != a.size())
        throw Error(ErrorKind::ShapeMismatch, "reshape",
                    text("shape ", list_text(a.shape()), " has ", a.size(), " elements but shape ", list_text(shape),
                         " has another number"));
}

}  // namespace

void OperationCore::binary_into(BackendSession& s, OpId op, const TensorRead& a, const TensorRead& b, const TensorWrite& out) {
    check_binary(op, a, b);
    check_out(out, elementwise::binary_result(op, a.dtype()), a.shape(), info(op).name);
    check_no_overlap(a, out, info(op).name, "lhs");
    check_no_overlap(b, out, info(op).name, "rhs");
    s.binary(op, a, b, out);
}

Tensor OperationCore::binary_read(BackendSession& s, OpId op, const TensorRead& a, const TensorRead& b) {
    check_binary(op, a, b);
    Tensor out = s.allocate(elementwise::binary_result(op, a.dtype()), a.shape());
    s.binary(op, a, b, out.write());
    return out;
}

Tensor OperationCore::binary(BackendSession& s, OpId op, Tensor&& a, Tensor&& b) {
    check_binary(op, a, b);
    const bool same_dtype = elementwise::binary_result(op, a.dtype()) == a.dtype();
    if (!same_dtype || (!a.reusable() && !b.reusable())) return binary_read(s, op, a, b);
    Tensor& out = a.reusable() ? a : b;
    s.binary(op, a, b, out.write());
    return std::move(out);
}

void OperationCore::unary_into(BackendSession& s, OpId op, const TensorRead& a, const TensorWrite& out) {
    check_supported(op, a.dtype());
    check_out(out, elementwise::unary_result(op, a.dtype()), a.shape(), info(op).name);
    check_no_overlap(a, out, info(op).name, "the operand");
    s.unary(op, a, out);
}

Tensor OperationCore::unary_read(BackendSession& s, OpId op, const TensorRead& a) {
    check_supported(op, a.dtype());
    Tensor out = s.allocate(elementwise::unary_result(op, a.dtype()), a.shape());
    s.unary(op, a, out.write());
    return out;
}

Tensor OperationCore::unary(BackendSession& s, OpId op, Tensor&& a) {
    check_supported(op, a.dtype());
    if (!a.reusable() || elementwise::unary_result(op, a.dtype()) != a.dtype()) return unary_read(s, op, a);
    s.unary(op, a, a.write());
    return std::move(a);
}

void OperationCore::contract_into(BackendSession& s, const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config,
                                  const TensorWrite& out) {
    check_out(out, lhs.dtype(), contract_shape(lhs, rhs, config), "dot_general");
    check_no_overlap(lhs, out, "dot_general", "lhs");
    check_no_overlap(rhs, out, "dot_general", "rhs");
    s.contract(lhs, rhs, config, out);
}

Tensor OperationCore::contract_read(BackendSession& s, const TensorRead& lhs, const TensorRead& rhs,
                                    const DotGeneralConfig& config) {
    Tensor out = s.allocate(lhs.dtype(), contract_shape(lhs, rhs, config));
    s.contract(lhs, rhs, config, out.write());
    return out;
}

void OperationCore::sum_into(BackendSession& s, const TensorRead& a, std::span<const Index> axes, const TensorWrite& out) {
    check_out(out, a.dtype(), sum_shape(a, axes), "reduce_sum");
    check_no_overlap(a, out, "reduce_sum", "the operand");
    s.sum(a, axes, out);
}

Tensor OperationCore::sum_read(BackendSession& s, const TensorRead& a, std::span<const Index> axes) {
    Tensor out = s.allocate(a.dtype(), sum_shape(a, axes));
    s.sum(a, axes, out.write());
    return out;
}

void OperationCore::copy_into(BackendSession& s, std::string_view op, const TensorRead& view, const TensorWrite& out) {
    check_out(out, view.dtype(), view.shape(), op);
    check_no_overlap(view, out, op, "the operand");
    s.copy(view, out);
}

Tensor OperationCore::copy_read(BackendSession& s, const TensorRead& view) {
    Tensor out = s.allocate(view.dtype(), view.shape());
    s.copy(view, out.write());
    return out;
}

Tensor OperationCore::reshape_read(BackendSession& s, const TensorRead& a, std::span<const Index> shape) {
    check_reshape(a, shape);
    Tensor out = s.allocate(a.dtype(), shape);
    s.copy(a, TensorWrite(a.dtype(), out.write().data(), a.shape(), column_major_strides(a.shape())));
    return out;
}

void OperationCore::reshape_into(BackendSession& s, const TensorRead& a, std::span<const Index> shape, const TensorWrite& out) {
    check_reshape(a, shape);
    if (!out.is_compact()) throw Error(ErrorKind::Unsupported, "reshape", "out is not compact column-major");
    check_out(out, a.dtype(), shape, "reshape");
    check_no_overlap(a, out, "reshape", "the operand");
    s.copy(a, TensorWrite(a.dtype(), out.data(), a.shape(), column_major_strides(a.shape())));
}

void OperationCore::embed_into(BackendSession& s, const TensorRead& a, Index first, Index second, const TensorWrite& out) {
    check_out(out, a.dtype(), embed_shape(a, first, second), "embed_diagonal");
    check_no_overlap(a, out, "embed_diagonal", "the operand");
    s.fill_zero(out);
    s.copy(a, out.diagonal_view(first, second));
}

Tensor OperationCore::embed_read(BackendSession& s, const TensorRead& a, Index first, Index second) {
    Tensor out = s.allocate(a.dtype(), embed_shape(a, first, second));
    s.fill_zero(out.write());
    s.copy(a, out.write().diagonal_view(first, second));
    return out;
}

Tensor OperationCore::empty(BackendSession& s, DType dtype, std::span<const Index> shape) { return s.allocate(dtype, shape); }

Tensor OperationCore::zeros(BackendSession& s, DType dtype, std::span<const Index> shape) {
    Tensor out = s.allocate(dtype, shape);
    s.fill_zero(out.write());
    return out;
}

}  // namespace tenferro::inline TENFERRO_ABI
