// One line per operation family: the kernels do the work.
#include "cpu/exec_session.hpp"

#include "cpu/kernels/contraction/contract.hpp"
#include "cpu/kernels/elementwise/elementwise.hpp"
#include "cpu/kernels/fusion/fused_lines.hpp"
#include "cpu/kernels/matrices/matrix_walk.hpp"
#include "cpu/kernels/movement/copy.hpp"
#include "cpu/kernels/movement/gather.hpp"
#include "cpu/kernels/reduction/lines.hpp"
#include "cpu/kernels/reduction/reduce.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/cpu/contraction/contract.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

CpuContext& context_of(BackendSession& session) {
    if (auto* const own = dynamic_cast<CpuExecSession*>(&session)) return own->context();
    throw Error(ErrorKind::BackendFailure, "context_of",
                text("the session is of backend ", session.backend_info().name, ", not of CpuBackend"));
}

void CpuExecSession::run_concurrently(Index count, FunctionRef<void(Index, BackendSession&)> task) {
    context_.parallel_for(count, [&](Index i) {
        CpuExecSession session(context_, pool_, blas_);
        task(i, session);
    });
}

Buffer CpuExecSession::do_allocate(std::size_t bytes) { return pool_.acquire(bytes); }

void CpuExecSession::do_fill_zero(const TensorWrite& out) { cpu::fill_zero(out, context_); }
void CpuExecSession::do_copy(const TensorRead& a, const TensorWrite& out) { cpu::copy(a, out, context_); }
void CpuExecSession::do_unary(OpId op, const TensorRead& a, const TensorWrite& out) {
    cpu::unary(op, a, out, context_);
}
void CpuExecSession::do_binary(OpId op, const TensorRead& a, const TensorRead& b, const TensorWrite& out) {
    cpu::binary(op, a, b, out, context_);
}
void CpuExecSession::do_select(const TensorRead& predicate, const TensorRead& on_true,
                               const TensorRead& on_false, const TensorWrite& out) {
    cpu::select(predicate, on_true, on_false, out, context_);
}
void CpuExecSession::do_clamp(const TensorRead& low, const TensorRead& x, const TensorRead& high,
                              const TensorWrite& out) {
    cpu::clamp(low, x, high, out, context_);
}
void CpuExecSession::do_convert(const TensorRead& a, const TensorWrite& out) {
    cpu::convert(a, out, context_);
}
bool CpuExecSession::do_elementwise_fusion(const ElementwiseFusionPlan& plan,
                                           std::span<const TensorRead> inputs,
                                           std::span<const TensorWrite> outs) {
    return cpu::fuse(plan, inputs, outs, context_);
}
bool CpuExecSession::do_matrix_plan(const MatrixPlan& plan, std::span<const TensorRead> inputs,
                                    std::span<const TensorWrite> outs) {
    return cpu::run_matrix_plan(plan, inputs, outs, context_);
}
void CpuExecSession::do_reduce(OpId op, const TensorRead& a, std::span<const Index> axes,
                               const TensorWrite& out) {
    cpu::reduce(op, a, axes, out, context_);
}
void CpuExecSession::do_arg_extreme(OpId op, const TensorRead& a, Index axis, const TensorWrite& out) {
    cpu::find_extreme(op, a, axis, out, context_);
}
void CpuExecSession::do_gather(const TensorRead& a, const TensorRead& indices, const GatherConfig& config,
                               const TensorWrite& out) {
    cpu::gather_windows(a, indices, config, out, context_);
}
void CpuExecSession::do_scatter(OpId op, const TensorRead& updates, const TensorRead& indices,
                                const GatherConfig& config, const TensorWrite& out) {
    cpu::write_windows(op, updates, indices, config, out, context_);
}
#define TENFERRO_ROW(Name, method, dtypes, meaning, operands, parameters, ...)                               \
    void CpuExecSession::do_##method(TENFERRO_EACH(TENFERRO_READ, operands) TENFERRO_PARAMETERS(parameters), \
                                     const TensorWrite& out) {                                               \
        cpu::method(TENFERRO_EACH(TENFERRO_SAME, operands) TENFERRO_ARGUMENTS(parameters), out, context_);   \
    }
TENFERRO_KERNEL_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
void CpuExecSession::do_dot_general(const TensorRead& lhs, const TensorRead& rhs,
                                    const DotGeneralConfig& config, const TensorWrite& out) {
    cpu::contract(lhs, rhs, config, out, context_, blas_);
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
