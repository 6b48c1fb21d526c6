// Parts of a tensor read or replaced; starts given by a tensor are clamped so that the part fits.
#include "tensor/operations/checks.hpp"
#include "tensor/operations/copied_view.hpp"
#include "tensor/operations/extents.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

/// Number of elements start, start + step, … before limit, after checking them against the extent. Of unknown
/// extents only steps of 1 and -1 can be counted (InvalidConfig).
template <Extent E>
E slice_extent(std::size_t axis, const E& extent, const E& start, const E& limit, Index step) {
    const auto fail = [&](ErrorKind kind, auto... what) {
        throw Error(kind, "slice", text("axis ", axis, " of extent ", rules::extent_text(extent), what...));
    };
    const auto check_bound = [&](std::string_view name, const E& bound) {
        const E lowest = step > 0 ? 0 : -1, highest = step > 0 ? extent : extent - 1;
        if (rules::above(lowest, bound) || rules::above(bound, highest))
            fail(ErrorKind::InvalidArgument, " has ", name, " ", rules::extent_text(bound), " and step ",
                 step, ", but needs it in [", rules::extent_text(lowest), ", ", rules::extent_text(highest),
                 "]");
    };
    if (step == 0) fail(ErrorKind::InvalidArgument, " has step 0");
    check_bound("start", start);
    check_bound("limit", limit);
    const E span = step > 0 ? limit - start : start - limit;
    if (rules::above(E(0), span))
        fail(ErrorKind::InvalidArgument, " has start ", rules::extent_text(start), " beyond limit ",
             rules::extent_text(limit), " for step ", step);
    if (step == 1 || step == -1) return span;
    const auto distance = rules::known(span);
    if (!distance)
        fail(ErrorKind::InvalidConfig, " is sliced in steps of ", step, " over the unknown extent ",
             rules::extent_text(span));
    if (*distance == 0) return 0;
    return (step > 0 ? (*distance - 1) / step : (1 - *distance) / step) + 1;
}

/// `starts` is a vector of one index per axis of `a`, and a part of `sizes` fits into `a`.
template <Extent E>
void check_part(const OperandMeta<E>& a, const OperandMeta<E>& starts, std::span<const E> sizes,
                std::string_view op) {
    ShapeRules<E>::check_index_dtype(starts, op, "starts");
    const auto rank = static_cast<Index>(a.rank());
    if (starts.rank() != 1 || rules::differ(starts.shape[0], E(rank)))
        throw Error(
            ErrorKind::ShapeMismatch, op,
            text("starts has shape ", rules::shape_text(starts.shape), " but the operand has rank ", rank));
    if (sizes.size() != a.rank())
        throw Error(ErrorKind::RankMismatch, op,
                    text("the part has rank ", sizes.size(), " but the operand has rank ", rank));
    for (std::size_t axis = 0; axis < sizes.size(); ++axis)
        if (rules::above(E(0), sizes[axis]) || rules::above(sizes[axis], a.shape[axis]))
            throw Error(ErrorKind::ShapeMismatch, op,
                        text("the part has extent ", rules::extent_text(sizes[axis]), " on axis ", axis,
                             " but the operand has ", rules::extent_text(a.shape[axis])));
}

}  // namespace

template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::slice(const Operand& a, Extents starts, Extents limits, DimsView steps) {
    check_defined(OpId::Slice, a.dtype);
    check_entries(starts.size(), a, "slice", "starts");
    check_entries(limits.size(), a, "slice", "limits");
    check_entries(steps.size(), a, "slice", "steps");
    Meta result{a.dtype, {}};
    for (std::size_t axis = 0; axis < a.rank(); ++axis)
        result.shape.push_back(slice_extent(axis, a.shape[axis], starts[axis], limits[axis], steps[axis]));
    return result;
}

template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::dynamic_slice(const Operand& a, const Operand& starts, Extents sizes) {
    check_defined(OpId::DynamicSlice, a.dtype);
    check_part(a, starts, sizes, "dynamic_slice");
    return {a.dtype, Shape(sizes.begin(), sizes.end())};
}

template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::dynamic_update_slice(const Operand& a, const Operand& update,
                                                       const Operand& starts) {
    constexpr std::string_view op = "dynamic_update_slice";
    check_defined(OpId::DynamicUpdateSlice, a.dtype);
    check_dtypes(a, update, op, "the operand", "update");
    check_part(a, starts, update.shape, op);
    return {a.dtype, Shape(a.shape.begin(), a.shape.end())};
}

TENFERRO_SLICING_OPS(TENFERRO_RULE_OF)

namespace {

void check_dynamic_slice(const BackendSession& s, const TensorRead& a, const TensorRead& starts,
                         DimsView sizes) {
    check_operand(s, OpId::DynamicSlice, a);
    check_place(s.backend_info(), starts, "dynamic_slice", "starts");
    (void)ShapeRules<Index>::dynamic_slice(a, starts, sizes);
}

/// The part of `whole`, a TensorRead or TensorWrite, that begins at `starts` after clamping.
template <class View>
View part(const View& whole, Dims starts, DimsView sizes) {
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
    check_place(s.backend_info(), starts, op, "starts");
    (void)ShapeRules<Index>::dynamic_update_slice(a, update, starts);
}

}  // namespace

void BackendSession::dynamic_slice_into(const TensorRead& a, const TensorRead& starts, DimsView sizes,
                                        const TensorWrite& out) {
    check_dynamic_slice(*this, a, starts, sizes);
    check_no_overlap(starts, out, "dynamic_slice", "starts");
    copy_into(OpId::DynamicSlice, part(a, do_index_values(starts), sizes), out);
}

Tensor BackendSession::dynamic_slice_read(const TensorRead& a, const TensorRead& starts, DimsView sizes) {
    check_dynamic_slice(*this, a, starts, sizes);
    return copy_read(OpId::DynamicSlice, part(a, do_index_values(starts), sizes));
}

void BackendSession::dynamic_update_slice_into(const TensorRead& a, const TensorRead& update,
                                               const TensorRead& starts, const TensorWrite& out) {
    check_update(*this, a, update, starts);
    check_no_overlap(update, out, "dynamic_update_slice", "update");
    check_no_overlap(starts, out, "dynamic_update_slice", "starts");
    copy_into(OpId::DynamicUpdateSlice, a, out);
    do_copy(update, part(out, do_index_values(starts), update.shape()));
}

Tensor BackendSession::dynamic_update_slice_read(const TensorRead& a, const TensorRead& update,
                                                 const TensorRead& starts) {
    check_update(*this, a, update, starts);
    Tensor out = copy_read(OpId::DynamicUpdateSlice, a);
    do_copy(update, part(out.write(), do_index_values(starts), update.shape()));
    return out;
}

Tensor BackendSession::dynamic_update_slice(Tensor&& a, Tensor&& update, Tensor&& starts) {
    if (!a.reusable()) return dynamic_update_slice_read(a, update, starts);
    check_update(*this, a, update, starts);
    do_copy(update, part(a.write(), do_index_values(starts), update.shape()));
    return std::move(a);
}

TENFERRO_COPIED_VIEW(Slice, slice, slice_view, ((Extents, starts), (Extents, limits), (List, steps)))

Tensor BackendSession::dynamic_slice(Tensor&& a, Tensor&& starts, DimsView sizes) {
    return dynamic_slice_read(a, starts, sizes);
}

}}  // namespace tenferro::TENFERRO_ABI
