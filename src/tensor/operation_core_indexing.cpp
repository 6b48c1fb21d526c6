// gather and scatter_add: checks, then the backend's loop over windows.
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tensor/operation_checks.hpp"
#include "tensor/operation_core.hpp"

namespace tenferro::inline TENFERRO_ABI {

namespace {

void check_indices(const TensorRead& indices, std::string_view op) {
    if (!info(indices.dtype()).is_integer)
        throw Error(ErrorKind::DTypeMismatch, op,
                    text("indices has dtype ", info(indices.dtype()).name, " but needs i32 or i64"));
}

Dims checked_gather_shape(const TensorRead& a, const TensorRead& indices, const GatherConfig& config) {
    check_indices(indices, "gather");
    return gather_shape(a.shape(), indices.shape(), config);
}

GatherConfig checked_windows(const TensorRead& a, const TensorRead& indices, const TensorRead& updates,
                             const ScatterConfig& config) {
    check_supported(OpId::ScatterAdd, a.dtype());
    check_indices(indices, "scatter_add");
    if (updates.dtype() != a.dtype())
        throw Error(ErrorKind::DTypeMismatch, "scatter_add",
                    text("the operand has dtype ", info(a.dtype()).name, " but updates has ", info(updates.dtype()).name));
    return scatter_windows(a.shape(), indices.shape(), updates.shape(), config);
}

}  // namespace

void OperationCore::gather_into(BackendSession& s, const TensorRead& a, const TensorRead& indices, const GatherConfig& config,
                                const TensorWrite& out) {
    check_out(out, a.dtype(), checked_gather_shape(a, indices, config), "gather");
    check_no_overlap(a, out, "gather", "the operand");
    check_no_overlap(indices, out, "gather", "indices");
    s.gather_windows(a, indices, config, out);
}

Tensor OperationCore::gather_read(BackendSession& s, const TensorRead& a, const TensorRead& indices, const GatherConfig& config) {
    Tensor out = s.allocate(a.dtype(), checked_gather_shape(a, indices, config));
    s.gather_windows(a, indices, config, out.write());
    return out;
}

void OperationCore::scatter_add_into(BackendSession& s, const TensorRead& a, const TensorRead& indices, const TensorRead& updates,
                                     const ScatterConfig& config, const TensorWrite& out) {
    const GatherConfig windows = checked_windows(a, indices, updates, config);
    check_no_overlap(indices, out, "scatter_add", "indices");
    check_no_overlap(updates, out, "scatter_add", "updates");
    copy_into(s, "scatter_add", a, out);
    s.add_windows(updates, indices, windows, out);
}

Tensor OperationCore::scatter_add_read(BackendSession& s, const TensorRead& a, const TensorRead& indices,
                                       const TensorRead& updates, const ScatterConfig& config) {
    const GatherConfig windows = checked_windows(a, indices, updates, config);
    Tensor out = copy_read(s, a);
    s.add_windows(updates, indices, windows, out.write());
    return out;
}

Tensor OperationCore::scatter_add(BackendSession& s, Tensor&& a, const TensorRead& indices, const TensorRead& updates,
                                  const ScatterConfig& config) {
    if (!a.reusable()) return scatter_add_read(s, a, indices, updates, config);
    s.add_windows(updates, indices, checked_windows(a, indices, updates, config), a.write());
    return std::move(a);
}

}  // namespace tenferro::inline TENFERRO_ABI
