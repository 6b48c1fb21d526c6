// pad and concatenate: operands copied side by side into views of the result.
#include "tenferro/base/error_allocator.hpp"
#include "tensor/operations/checks.hpp"
#include "tensor/operations/extents.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

/// The extent that padding makes of `extent`.
template <Extent E>
E padded_extent(std::size_t axis, const E& extent, const E& low, const E& high, Index interior) {
    constexpr Index kMost = Index{1} << 40;  // keeps the arithmetic in range
    const auto fail = [&](auto... what) {
        throw Error(ErrorKind::InvalidArgument, "pad",
                    text("axis ", axis, " of extent ", rules::extent_text(extent), " has ", what...));
    };
    const auto check = [&](std::string_view name, const E& value) {
        if (rules::above(value, E(kMost)) || rules::above(E(-kMost), value))
            fail(name, " padding ", rules::extent_text(value), ", beyond 2^40");
    };
    check("low", low);
    check("high", high);
    check("interior", E(interior));
    if (interior < 0) fail("interior padding ", interior, " but needs at least 0");
    E inner = extent;
    if (const auto count = rules::known(extent)) {
        const auto spread = checked_mul(std::max<Index>(*count - 1, 0), interior + 1);
        if (!spread || *spread > 4 * kMost) fail("interior padding ", interior, ", too much for it");
        inner = *count == 0 ? 0 : *spread + 1;
    } else if constexpr (std::same_as<E, SymDim>) {
        if (interior != 0) inner = extent + max(extent - 1, 0) * interior;
    }
    const E padded = low + inner + high;
    if (rules::above(E(0), padded))
        fail("low padding ", rules::extent_text(low), " and high padding ", rules::extent_text(high),
             ", which leave ", rules::extent_text(padded), " elements");
    return padded;
}

}  // namespace

template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::pad(const Operand& a, const Operand& value, const PadConfig& config) {
    check_defined(OpId::Pad, a.dtype);
    check_dtypes(a, value, "pad", "the operand", "value");
    if (value.rank() != 0)
        throw Error(ErrorKind::RankMismatch, "pad",
                    text("value has shape ", rules::shape_text(value.shape), " but must be a scalar"));
    check_entries(config.low.size(), a, "pad", "low");
    check_entries(config.high.size(), a, "pad", "high");
    check_entries(config.interior.size(), a, "pad", "interior");
    Meta result{a.dtype, {}};
    for (std::size_t axis = 0; axis < a.rank(); ++axis)
        result.shape.push_back(padded_extent<E>(axis, a.shape[axis], config.low[axis], config.high[axis],
                                                config.interior[axis]));
    check_count(result.shape, "pad");
    return result;
}

template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::concatenate(std::span<const Operand> parts, Index axis) {
    constexpr std::string_view op = "concatenate";
    if (parts.empty())
        throw Error(ErrorKind::InvalidArgument, op, "there are 0 operands but at least 1 is needed");
    check_defined(OpId::Concatenate, parts[0].dtype);
    check_axes({&axis, 1}, parts[0].rank(), op, "concatenated");
    const auto along = static_cast<std::size_t>(axis);
    Meta result{parts[0].dtype, Shape(parts[0].shape.begin(), parts[0].shape.end())};
    for (std::size_t k = 1; k < parts.size(); ++k) {
        const std::string name = text("operand ", k);
        check_dtypes(parts[0], parts[k], op, "operand 0", name);
        const E before = result.shape[along];
        Shape aligned(parts[k].shape.begin(), parts[k].shape.end());
        if (aligned.size() == result.rank()) aligned[along] = before;
        result.shape = common_shape(result, {result.dtype, aligned}, op, "operand 0", name);
        const E& more = parts[k].shape[along];
        if (const auto x = rules::known(before), y = rules::known(more); x && y && !checked_add(*x, *y))
            throw Error(ErrorKind::InvalidArgument, op,
                        text("the extent of axis ", axis, " overflows: ", *x, " and ", *y));
        result.shape[along] = before + more;
    }
    check_count(result.shape, op);
    return result;
}

TENFERRO_PADDING_OPS(TENFERRO_RULE_OF)
template ShapeRules<Index>::Meta ShapeRules<Index>::concatenate(std::span<const Operand>, Index);
template ShapeRules<SymDim>::Meta ShapeRules<SymDim>::concatenate(std::span<const Operand>, Index);

namespace {

/// Where the elements of an axis go: [first, last) to target, target + step, …
struct PaddedAxis {
    Index first, last, target, step;
};

/// `padded` is the extent of the result.
PaddedAxis padded_axis(Index extent, Index padded, Index low, Index interior) {
    PaddedAxis p{0, extent, low, interior + 1};
    if (low < 0) p.first = std::min(extent, (-low + interior) / p.step);
    p.target = low + p.first * p.step;
    const Index room = padded - p.target;  // positions from the first remaining element to the end
    p.last = std::min(extent, p.first + (room <= 0 ? 0 : (room - 1) / p.step + 1));
    if (p.first >= p.last) p.last = p.first;
    return p;
}

Dims pad_shape(const BackendSession& s, const TensorRead& a, const TensorRead& value,
               const PadConfig& config) {
    check_place(s.backend_info(), a, "pad", "the operand");
    check_place(s.backend_info(), value, "pad", "value");
    Dims shape = ShapeRules<Index>::pad(a, value, config).shape;
    check_supported(s, OpId::Pad, a.dtype());
    return shape;
}

Dims concatenate_shape(const BackendSession& s, std::span<const TensorRead> parts, Index axis) {
    for (std::size_t k = 0; k < parts.size(); ++k)
        check_place(s.backend_info(), parts[k], "concatenate", text("operand ", k));
    const std::vector<OperandMeta<Index>, ErrorAllocator<OperandMeta<Index>>> operands(parts.begin(),
                                                                                       parts.end());
    Dims shape = ShapeRules<Index>::concatenate(operands, axis).shape;
    check_supported(s, OpId::Concatenate, parts[0].dtype());
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
    for (std::size_t i = 0; i < a.rank(); ++i) {
        const PaddedAxis axis = padded_axis(a.shape()[i], out.shape()[i], config.low[i], config.interior[i]);
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
    return concatenate_read(std::vector<TensorRead, ErrorAllocator<TensorRead>>(parts.begin(), parts.end()),
                            axis);
}

}}  // namespace tenferro::TENFERRO_ABI
