// pad and concatenate: operands copied side by side into views of the result.
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tensor/operations/checks.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

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

}  // namespace

void BackendSession::pad_into(const TensorRead& a, const TensorRead& value, const PadConfig& config,
                              const TensorWrite& out) {
    check_out(backend_info(), out, a.dtype(), pad_shape(*this, a, value, config), "pad");
    check_no_overlap(a, out, "pad", "the operand");
    check_no_overlap(value, out, "pad", "value");
    do_copy(value.broadcast_view(out.shape(), {}), out);
    Dims first, last, target, end, step;
    for (const PaddedAxis& axis : padded_axes(a, value, config)) {
        if (axis.first == axis.last) return;  // nothing of the operand remains
        first.push_back(axis.first);
        last.push_back(axis.last);
        target.push_back(axis.target);
        end.push_back(axis.target + (axis.last - axis.first - 1) * axis.step + 1);
        step.push_back(axis.step);
    }
    do_copy(a.slice_view(first, last, Dims(a.rank(), 1)), out.slice_view(target, end, step));
}

Tensor BackendSession::pad_read(const TensorRead& a, const TensorRead& value, const PadConfig& config) {
    Tensor out = allocate("pad", a.dtype(), pad_shape(*this, a, value, config));
    pad_into(a, value, config, out.write());
    return out;
}

void BackendSession::concatenate_into(std::span<const TensorRead> parts, Index axis, const TensorWrite& out) {
    const Dims shape = concatenate_shape(*this, parts, axis);
    check_out(backend_info(), out, parts[0].dtype(), shape, "concatenate");
    for (std::size_t k = 0; k < parts.size(); ++k)
        check_no_overlap(parts[k], out, "concatenate", text("operand ", k));
    Dims start(shape.size(), 0), limit = shape;
    for (const TensorRead& piece : parts) {
        limit[axis] = start[axis] + piece.shape()[axis];
        do_copy(piece, out.slice_view(start, limit, Dims(shape.size(), 1)));
        start[axis] = limit[axis];
    }
}

Tensor BackendSession::concatenate_read(std::span<const TensorRead> parts, Index axis) {
    const Dims shape = concatenate_shape(*this, parts, axis);
    Tensor out = allocate("concatenate", parts[0].dtype(), shape);
    concatenate_into(parts, axis, out.write());
    return out;
}

Tensor BackendSession::pad(Tensor&& a, Tensor&& value, const PadConfig& config) {
    return pad_read(a, value, config);
}

Tensor BackendSession::concatenate(std::vector<Tensor>&& parts, Index axis) {
    return concatenate_read(std::vector<TensorRead>(parts.begin(), parts.end()), axis);
}

}}  // namespace tenferro::TENFERRO_ABI
