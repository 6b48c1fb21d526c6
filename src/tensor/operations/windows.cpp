// gather, scatter and scatter_add: checks, then the backend's loop over windows.
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tensor/operations/checks.hpp"

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

void BackendSession::gather_into(const TensorRead& a, const TensorRead& indices, const GatherConfig& config,
                                 const TensorWrite& out) {
    check_out(backend_info(), out, a.dtype(), checked_gather_shape(*this, a, indices, config), "gather");
    check_no_overlap(a, out, "gather", "the operand");
    check_no_overlap(indices, out, "gather", "indices");
    do_gather(a, indices, config, out);
}

Tensor BackendSession::gather_read(const TensorRead& a, const TensorRead& indices,
                                   const GatherConfig& config) {
    Tensor out = allocate("gather", a.dtype(), checked_gather_shape(*this, a, indices, config));
    do_gather(a, indices, config, out.write());
    return out;
}

void BackendSession::scatter_as_into(OpId op, const TensorRead& a, const TensorRead& indices,
                                     const TensorRead& updates, const ScatterConfig& config,
                                     const TensorWrite& out) {
    const GatherConfig windows = checked_windows(*this, op, a, indices, updates, config);
    check_no_overlap(indices, out, info(op).name, "indices");
    check_no_overlap(updates, out, info(op).name, "updates");
    copy_into(op, a, out);
    do_scatter(op, updates, indices, windows, out);
}

Tensor BackendSession::scatter_as_read(OpId op, const TensorRead& a, const TensorRead& indices,
                                       const TensorRead& updates, const ScatterConfig& config) {
    const GatherConfig windows = checked_windows(*this, op, a, indices, updates, config);
    Tensor out = copy_read(op, a);
    do_scatter(op, updates, indices, windows, out.write());
    return out;
}

Tensor BackendSession::scatter_as(OpId op, Tensor&& a, const TensorRead& indices, const TensorRead& updates,
                                  const ScatterConfig& config) {
    if (!a.reusable()) return scatter_as_read(op, a, indices, updates, config);
    do_scatter(op, updates, indices, checked_windows(*this, op, a, indices, updates, config), a.write());
    return std::move(a);
}

Tensor BackendSession::gather(Tensor&& a, Tensor&& indices, const GatherConfig& config) {
    return gather_read(a, indices, config);
}

Tensor BackendSession::scatter(Tensor&& a, Tensor&& indices, Tensor&& updates, const ScatterConfig& config) {
    return scatter_as(OpId::Scatter, std::move(a), indices, updates, config);
}
Tensor BackendSession::scatter_read(const TensorRead& a, const TensorRead& indices, const TensorRead& updates,
                                    const ScatterConfig& config) {
    return scatter_as_read(OpId::Scatter, a, indices, updates, config);
}
void BackendSession::scatter_into(const TensorRead& a, const TensorRead& indices, const TensorRead& updates,
                                  const ScatterConfig& config, const TensorWrite& out) {
    scatter_as_into(OpId::Scatter, a, indices, updates, config, out);
}

Tensor BackendSession::scatter_add(Tensor&& a, Tensor&& indices, Tensor&& updates,
                                   const ScatterConfig& config) {
    return scatter_as(OpId::ScatterAdd, std::move(a), indices, updates, config);
}
Tensor BackendSession::scatter_add_read(const TensorRead& a, const TensorRead& indices,
                                        const TensorRead& updates, const ScatterConfig& config) {
    return scatter_as_read(OpId::ScatterAdd, a, indices, updates, config);
}
void BackendSession::scatter_add_into(const TensorRead& a, const TensorRead& indices,
                                      const TensorRead& updates, const ScatterConfig& config,
                                      const TensorWrite& out) {
    scatter_as_into(OpId::ScatterAdd, a, indices, updates, config, out);
}

}}  // namespace tenferro::TENFERRO_ABI
