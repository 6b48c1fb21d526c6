// Parts of a tensor read or replaced; starts given by a tensor are clamped so that the part fits.
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tensor/operations/checks.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

void check_starts(const BackendSession& s, const TensorRead& a, const TensorRead& starts, DimsView sizes,
                  std::string_view op) {
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
    if (update.dtype() != a.dtype())
        throw Error(ErrorKind::DTypeMismatch, op,
                    text("the operand has dtype ", info(a.dtype()).name, " but update has ",
                         info(update.dtype()).name));
    check_starts(s, a, starts, update.shape(), op);
}

}  // namespace

void BackendSession::dynamic_slice_into(const TensorRead& a, const TensorRead& starts, DimsView sizes,
                                        const TensorWrite& out) {
    check_starts(*this, a, starts, sizes, "dynamic_slice");
    check_no_overlap(starts, out, "dynamic_slice", "starts");
    copy_into(OpId::DynamicSlice, part(a, do_index_values(starts), sizes), out);
}

Tensor BackendSession::dynamic_slice_read(const TensorRead& a, const TensorRead& starts, DimsView sizes) {
    check_starts(*this, a, starts, sizes, "dynamic_slice");
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

Tensor BackendSession::slice(Tensor&& a, DimsView starts, DimsView limits, DimsView steps) {
    return slice_read(a, starts, limits, steps);
}
Tensor BackendSession::slice_read(const TensorRead& a, DimsView starts, DimsView limits, DimsView steps) {
    return copy_read(OpId::Slice, a.slice_view(starts, limits, steps));
}
void BackendSession::slice_into(const TensorRead& a, DimsView starts, DimsView limits, DimsView steps,
                                const TensorWrite& out) {
    copy_into(OpId::Slice, a.slice_view(starts, limits, steps), out);
}

Tensor BackendSession::dynamic_slice(Tensor&& a, Tensor&& starts, DimsView sizes) {
    return dynamic_slice_read(a, starts, sizes);
}

}}  // namespace tenferro::TENFERRO_ABI
