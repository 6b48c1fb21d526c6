// gather, scatter and scatter_add: checks, then the backend's loop over windows.
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tensor/operation_checks.hpp"
#include "tensor/operation_core.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

void check_indices(const BackendSession& s, const TensorRead& indices, std::string_view op) {
    check_place(s.backend_info(), indices, op, "indices");
    if (!info(indices.dtype()).is_integer)
        throw Error(ErrorKind::DTypeMismatch, op,
                    text("indices has dtype ", info(indices.dtype()).name, " but needs i32 or i64"));
}

Dims checked_gather_shape(const BackendSession& s, const TensorRead& a, const TensorRead& indices,
                          const GatherConfig& config) {
    check_operand(s, OpId::Gather, a);
    check_indices(s, indices, "gather");
    return gather_shape(a.shape(), indices.shape(), config);
}

GatherConfig checked_windows(const BackendSession& s, OpId op, const TensorRead& a, const TensorRead& indices,
                             const TensorRead& updates, const ScatterConfig& config) {
    check_operand(s, op, a);
    check_place(s.backend_info(), updates, info(op).name, "updates");
    check_indices(s, indices, info(op).name);
    if (updates.dtype() != a.dtype())
        throw Error(ErrorKind::DTypeMismatch, info(op).name,
                    text("the operand has dtype ", info(a.dtype()).name, " but updates has ",
                         info(updates.dtype()).name));
    return scatter_windows(a.shape(), indices.shape(), updates.shape(), config, info(op).name);
}

}  // namespace

void OperationCore::gather_into(BackendSession& s, const TensorRead& a, const TensorRead& indices,
                                const GatherConfig& config, const TensorWrite& out) {
    check_out(s.backend_info(), out, a.dtype(), checked_gather_shape(s, a, indices, config), "gather");
    check_no_overlap(a, out, "gather", "the operand");
    check_no_overlap(indices, out, "gather", "indices");
    s.gather_windows(a, indices, config, out);
}

Tensor OperationCore::gather_read(BackendSession& s, const TensorRead& a, const TensorRead& indices,
                                  const GatherConfig& config) {
    Tensor out = s.allocate(a.dtype(), checked_gather_shape(s, a, indices, config));
    s.gather_windows(a, indices, config, out.write());
    return out;
}

void OperationCore::scatter_into(BackendSession& s, OpId op, const TensorRead& a, const TensorRead& indices,
                                 const TensorRead& updates, const ScatterConfig& config,
                                 const TensorWrite& out) {
    const GatherConfig windows = checked_windows(s, op, a, indices, updates, config);
    check_no_overlap(indices, out, info(op).name, "indices");
    check_no_overlap(updates, out, info(op).name, "updates");
    copy_into(s, op, a, out);
    s.write_windows(op, updates, indices, windows, out);
}

Tensor OperationCore::scatter_read(BackendSession& s, OpId op, const TensorRead& a, const TensorRead& indices,
                                   const TensorRead& updates, const ScatterConfig& config) {
    const GatherConfig windows = checked_windows(s, op, a, indices, updates, config);
    Tensor out = copy_read(s, op, a);
    s.write_windows(op, updates, indices, windows, out.write());
    return out;
}

Tensor OperationCore::scatter(BackendSession& s, OpId op, Tensor&& a, const TensorRead& indices,
                              const TensorRead& updates, const ScatterConfig& config) {
    if (!a.reusable()) return scatter_read(s, op, a, indices, updates, config);
    s.write_windows(op, updates, indices, checked_windows(s, op, a, indices, updates, config), a.write());
    return std::move(a);
}

}}  // namespace tenferro::TENFERRO_ABI
