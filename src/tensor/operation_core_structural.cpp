// Operations that only move elements: each is a few copies between views of the operands and of the result.
#include <algorithm>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tensor/operation_checks.hpp"
#include "tensor/operation_core.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

void check_starts(const BackendSession& s, const TensorRead& a, const TensorRead& starts,
                  std::span<const Index> sizes, std::string_view op) {
    check_place(s.backend_info(), starts, op, "starts");
    if (!info(starts.dtype()).is_integer)
        throw Error(ErrorKind::DTypeMismatch, op,
                    text("starts has dtype ", info(starts.dtype()).name, " but needs i32 or i64"));
    if (starts.rank() != 1 || starts.shape()[0] != static_cast<Index>(a.rank()))
        throw Error(
            ErrorKind::ShapeMismatch, op,
            text("starts has shape ", list_text(starts.shape()), " but the operand has rank ", a.rank()));
    if (sizes.size() != a.rank())
        throw Error(ErrorKind::RankMismatch, op,
                    text("the part has rank ", sizes.size(), " but the operand has rank ", a.rank()));
    for (std::size_t axis = 0; axis < a.rank(); ++axis)
        if (sizes[axis] < 0 || sizes[axis] > a.shape()[axis])
            throw Error(ErrorKind::ShapeMismatch, op,
                        text("the part has extent ", sizes[axis], " on axis ", axis, " but the operand has ",
                             a.shape()[axis]));
}

/// The part of `whole`, a TensorRead or TensorWrite, that begins at `starts` after clamping.
template <class View>
View part(const View& whole, Dims starts, std::span<const Index> sizes) {
    Dims limits;
    for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
        starts[axis] = std::clamp<Index>(starts[axis], 0, whole.shape()[axis] - sizes[axis]);
        limits.push_back(starts[axis] + sizes[axis]);
    }
    return whole.slice_view(starts, limits, Dims(sizes.size(), 1));
}

void check_update(const BackendSession& s, const TensorRead& a, const TensorRead& update,
                  const TensorRead& starts) {
    constexpr std::string_view op = "dynamic_update_slice";
    check_operand(s, OpId::DynamicUpdateSlice, a);
    check_place(s.backend_info(), update, op, "update");
    if (update.dtype() != a.dtype())
        throw Error(ErrorKind::DTypeMismatch, op,
                    text("the operand has dtype ", info(a.dtype()).name, " but update has ",
                         info(update.dtype()).name));
    check_starts(s, a, starts, update.shape(), op);
}

/// One axis of pad: the result's extent, the operand's elements that remain, and where they go.
struct PaddedAxis {
    Index extent, first, last, target, step;  // elements [first, last) go to target, target + step, …
};

PaddedAxis padded_axis(std::size_t axis, Index extent, Index low, Index high, Index interior) {
    constexpr Index kMost = Index{1} << 40;  // keeps the arithmetic below in range
    const auto fail = [&](std::string_view name, Index value) {
        throw Error(ErrorKind::InvalidArgument, "pad",
                    text("axis ", axis, " has extent ", extent, " but ", name, " ", value));
    };
    if (low < -kMost || low > kMost) fail("low padding", low);
    if (high < -kMost || high > kMost) fail("high padding", high);
    if (interior < 0 || interior > kMost) fail("interior padding", interior);
    const auto spread = checked_mul(std::max<Index>(extent - 1, 0), interior + 1);
    if (!spread || *spread > 4 * kMost) fail("interior padding", interior);
    const Index inner = extent == 0 ? 0 : *spread + 1;
    PaddedAxis p{low + inner + high, 0, extent, low, interior + 1};
    if (p.extent < 0)
        throw Error(ErrorKind::InvalidArgument, "pad",
                    text("axis ", axis, " has extent ", extent, " but low padding ", low,
                         " and high padding ", high));
    if (low < 0) p.first = std::min(extent, (-low + interior) / p.step);
    p.target = low + p.first * p.step;
    const Index room = p.extent - p.target;  // positions from the first remaining element to the end
    p.last = std::min(extent, p.first + (room <= 0 ? 0 : (room - 1) / p.step + 1));
    if (p.first >= p.last) p.last = p.first;
    return p;
}

SmallVector<PaddedAxis, 8> padded_axes(const TensorRead& a, const TensorRead& value, const PadConfig& c) {
    if (value.dtype() != a.dtype())
        throw Error(ErrorKind::DTypeMismatch, "pad",
                    text("the operand has dtype ", info(a.dtype()).name, " but value has ",
                         info(value.dtype()).name));
    if (value.rank() != 0)
        throw Error(ErrorKind::RankMismatch, "pad",
                    text("value has shape ", list_text(value.shape()), " but must be a scalar"));
    for (const Dims* list : {&c.low, &c.high, &c.interior})
        if (list->size() != a.rank())
            throw Error(ErrorKind::RankMismatch, "pad",
                        text("low, high and interior have ", c.low.size(), ", ", c.high.size(), " and ",
                             c.interior.size(), " entries but the operand has rank ", a.rank()));
    SmallVector<PaddedAxis, 8> axes;
    for (std::size_t axis = 0; axis < a.rank(); ++axis)
        axes.push_back(padded_axis(axis, a.shape()[axis], c.low[axis], c.high[axis], c.interior[axis]));
    return axes;
}

Dims pad_shape(const BackendSession& s, const TensorRead& a, const TensorRead& value,
               const PadConfig& config) {
    check_operand(s, OpId::Pad, a);
    check_place(s.backend_info(), value, "pad", "value");
    Dims shape;
    for (const PaddedAxis& axis : padded_axes(a, value, config)) shape.push_back(axis.extent);
    (void)element_count(shape, "pad");
    return shape;
}

Dims concatenate_shape(const BackendSession& s, std::span<const TensorRead> parts, Index axis) {
    constexpr std::string_view op = "concatenate";
    if (parts.empty())
        throw Error(ErrorKind::InvalidArgument, op, "there are 0 operands but at least 1 is needed");
    check_supported(s, OpId::Concatenate, parts[0].dtype());
    for (std::size_t k = 0; k < parts.size(); ++k)
        check_place(s.backend_info(), parts[k], op, text("operand ", k));
    check_axes({&axis, 1}, parts[0].rank(), op, "concatenated");
    Dims shape = parts[0].shape();
    for (std::size_t k = 1; k < parts.size(); ++k) {
        if (parts[k].dtype() != parts[0].dtype())
            throw Error(ErrorKind::DTypeMismatch, op,
                        text("operand 0 has dtype ", info(parts[0].dtype()).name, " but operand ", k, " has ",
                             info(parts[k].dtype()).name));
        Dims other = parts[k].shape();
        if (other.size() == shape.size()) other[axis] = shape[axis];
        check_same_shape(shape, other, op, "operand 0", text("operand ", k));
        const auto total = checked_add(shape[axis], parts[k].shape()[axis]);
        if (!total)
            throw Error(ErrorKind::InvalidArgument, op, text("the extent of axis ", axis, " overflows"));
        shape[axis] = *total;
    }
    (void)element_count(shape, op);
    return shape;
}

void check_triangle(const BackendSession& s, OpId op, const TensorRead& a) {
    check_operand(s, op, a);
    if (a.rank() < 2)
        throw Error(ErrorKind::RankMismatch, info(op).name,
                    text("the operand has rank ", a.rank(), " but needs 2 matrix axes"));
}

/// Rows [first, last) of one column of every matrix.
template <class View>
View column_part(const View& whole, Index first, Index last, Index column) {
    Dims starts(whole.rank(), 0), limits = whole.shape();
    starts[0] = first, limits[0] = last, starts[1] = column, limits[1] = column + 1;
    return whole.slice_view(starts, limits, Dims(whole.rank(), 1));
}

}  // namespace

void OperationCore::dynamic_slice_into(BackendSession& s, const TensorRead& a, const TensorRead& starts,
                                       std::span<const Index> sizes, const TensorWrite& out) {
    check_starts(s, a, starts, sizes, "dynamic_slice");
    check_no_overlap(starts, out, "dynamic_slice", "starts");
    copy_into(s, OpId::DynamicSlice, part(a, s.index_values(starts), sizes), out);
}

Tensor OperationCore::dynamic_slice_read(BackendSession& s, const TensorRead& a, const TensorRead& starts,
                                         std::span<const Index> sizes) {
    check_starts(s, a, starts, sizes, "dynamic_slice");
    return copy_read(s, OpId::DynamicSlice, part(a, s.index_values(starts), sizes));
}

void OperationCore::dynamic_update_slice_into(BackendSession& s, const TensorRead& a,
                                              const TensorRead& update, const TensorRead& starts,
                                              const TensorWrite& out) {
    check_update(s, a, update, starts);
    check_no_overlap(update, out, "dynamic_update_slice", "update");
    check_no_overlap(starts, out, "dynamic_update_slice", "starts");
    copy_into(s, OpId::DynamicUpdateSlice, a, out);
    s.copy(update, part(out, s.index_values(starts), update.shape()));
}

Tensor OperationCore::dynamic_update_slice_read(BackendSession& s, const TensorRead& a,
                                                const TensorRead& update, const TensorRead& starts) {
    check_update(s, a, update, starts);
    Tensor out = copy_read(s, OpId::DynamicUpdateSlice, a);
    s.copy(update, part(out.write(), s.index_values(starts), update.shape()));
    return out;
}

Tensor OperationCore::dynamic_update_slice(BackendSession& s, Tensor&& a, const TensorRead& update,
                                           const TensorRead& starts) {
    if (!a.reusable()) return dynamic_update_slice_read(s, a, update, starts);
    check_update(s, a, update, starts);
    s.copy(update, part(a.write(), s.index_values(starts), update.shape()));
    return std::move(a);
}

void OperationCore::pad_into(BackendSession& s, const TensorRead& a, const TensorRead& value,
                             const PadConfig& config, const TensorWrite& out) {
    check_out(s.backend_info(), out, a.dtype(), pad_shape(s, a, value, config), "pad");
    check_no_overlap(a, out, "pad", "the operand");
    check_no_overlap(value, out, "pad", "value");
    s.copy(value.broadcast_view(out.shape(), {}), out);
    Dims first, last, target, end, step;
    for (const PaddedAxis& axis : padded_axes(a, value, config)) {
        if (axis.first == axis.last) return;  // nothing of the operand remains
        first.push_back(axis.first);
        last.push_back(axis.last);
        target.push_back(axis.target);
        end.push_back(axis.target + (axis.last - axis.first - 1) * axis.step + 1);
        step.push_back(axis.step);
    }
    s.copy(a.slice_view(first, last, Dims(a.rank(), 1)), out.slice_view(target, end, step));
}

Tensor OperationCore::pad_read(BackendSession& s, const TensorRead& a, const TensorRead& value,
                               const PadConfig& config) {
    Tensor out = s.allocate(a.dtype(), pad_shape(s, a, value, config));
    pad_into(s, a, value, config, out.write());
    return out;
}

void OperationCore::concatenate_into(BackendSession& s, std::span<const TensorRead> parts, Index axis,
                                     const TensorWrite& out) {
    const Dims shape = concatenate_shape(s, parts, axis);
    check_out(s.backend_info(), out, parts[0].dtype(), shape, "concatenate");
    for (std::size_t k = 0; k < parts.size(); ++k)
        check_no_overlap(parts[k], out, "concatenate", text("operand ", k));
    Dims start(shape.size(), 0), limit = shape;
    for (const TensorRead& piece : parts) {
        limit[axis] = start[axis] + piece.shape()[axis];
        s.copy(piece, out.slice_view(start, limit, Dims(shape.size(), 1)));
        start[axis] = limit[axis];
    }
}

Tensor OperationCore::concatenate_read(BackendSession& s, std::span<const TensorRead> parts, Index axis) {
    const Dims shape = concatenate_shape(s, parts, axis);
    Tensor out = s.allocate(parts[0].dtype(), shape);
    concatenate_into(s, parts, axis, out.write());
    return out;
}

void OperationCore::triangle_into(BackendSession& s, OpId op, const TensorRead& a, Index diagonal,
                                  const TensorWrite& out) {
    check_triangle(s, op, a);
    check_out(s.backend_info(), out, a.dtype(), a.shape(), info(op).name);
    check_no_overlap(a, out, info(op).name, "the operand");
    s.fill_zero(out);
    const Index rows = a.shape()[0], columns = a.shape()[1];
    const Index k = std::clamp<Index>(diagonal, -rows, columns);  // beyond, all or nothing is kept
    for (Index j = 0; j < columns; ++j) {
        const Index first = op == OpId::Tril ? std::clamp<Index>(j - k, 0, rows) : 0;
        const Index last = op == OpId::Tril ? rows : std::clamp<Index>(j - k + 1, 0, rows);
        if (first < last) s.copy(column_part(a, first, last, j), column_part(out, first, last, j));
    }
}

Tensor OperationCore::triangle_read(BackendSession& s, OpId op, const TensorRead& a, Index diagonal) {
    check_triangle(s, op, a);
    Tensor out = s.allocate(a.dtype(), a.shape());
    triangle_into(s, op, a, diagonal, out.write());
    return out;
}

}}  // namespace tenferro::TENFERRO_ABI
