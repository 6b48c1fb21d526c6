// One line per operation family: the kernels do the work.
#include "cpu/exec_session.hpp"

#include "cpu/kernels/contraction/contract.hpp"
#include "cpu/kernels/elementwise/elementwise.hpp"
#include "cpu/kernels/fusion/fused_lines.hpp"
#include "cpu/kernels/movement/gather.hpp"
#include "cpu/kernels/reduction/lines.hpp"
#include "cpu/kernels/reduction/reduce.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

void CpuExecSession::run_concurrently(Index count, FunctionRef<void(Index, BackendSession&)> task) {
    context_.parallel_for(count, [&](Index i) {
        CpuExecSession session(context_, pool_, kind_);
        task(i, session);
    });
}

Tensor CpuExecSession::allocate(DType dtype, std::span<const Index> shape) {
    const std::size_t bytes = byte_count(shape, info(dtype).bytes, "allocate");
    return {pool_.acquire(bytes), dtype, shape};
}

void CpuExecSession::fill_zero(const TensorWrite& out) { cpu::fill_zero(out, context_); }
void CpuExecSession::copy(const TensorRead& a, const TensorWrite& out) { cpu::copy(a, out, context_); }
void CpuExecSession::unary(OpId op, const TensorRead& a, const TensorWrite& out) {
    cpu::unary(op, a, out, context_);
}
void CpuExecSession::binary(OpId op, const TensorRead& a, const TensorRead& b, const TensorWrite& out) {
    cpu::binary(op, a, b, out, context_);
}
void CpuExecSession::select_elements(const TensorRead& predicate, const TensorRead& on_true,
                                     const TensorRead& on_false, const TensorWrite& out) {
    cpu::select(predicate, on_true, on_false, out, context_);
}
void CpuExecSession::clamp_elements(const TensorRead& low, const TensorRead& x, const TensorRead& high,
                                    const TensorWrite& out) {
    cpu::clamp(low, x, high, out, context_);
}
void CpuExecSession::convert_elements(const TensorRead& a, const TensorWrite& out) {
    cpu::convert(a, out, context_);
}
bool CpuExecSession::fuse(const ElementwiseFusionPlan& plan, std::span<const TensorRead> inputs,
                          std::span<const TensorWrite> outs) {
    return cpu::fuse(plan, inputs, outs, context_);
}
void CpuExecSession::reduce(OpId op, const TensorRead& a, std::span<const Index> axes,
                            const TensorWrite& out) {
    cpu::reduce(op, a, axes, out, context_);
}
void CpuExecSession::find_extreme(OpId op, const TensorRead& a, Index axis, const TensorWrite& out) {
    cpu::find_extreme(op, a, axis, out, context_);
}
void CpuExecSession::gather_windows(const TensorRead& a, const TensorRead& indices,
                                    const GatherConfig& config, const TensorWrite& out) {
    cpu::gather_windows(a, indices, config, out, context_);
}
void CpuExecSession::write_windows(OpId op, const TensorRead& updates, const TensorRead& indices,
                                   const GatherConfig& config, const TensorWrite& out) {
    cpu::write_windows(op, updates, indices, config, out, context_);
}
void CpuExecSession::scan(const TensorRead& a, Index axis, bool reverse, const TensorWrite& out) {
    cpu::scan(a, axis, reverse, out, context_);
}
void CpuExecSession::normalize_exponentials(const TensorRead& a, Index axis, const TensorWrite& out) {
    cpu::normalize_exponentials(a, axis, out, context_);
}
void CpuExecSession::sort_lines(const TensorRead& a, Index axis, bool descending, const TensorWrite& out) {
    cpu::sort_lines(a, axis, descending, out, context_);
}
void CpuExecSession::contract(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config,
                              const TensorWrite& out) {
    cpu::contract(lhs, rhs, config, out, context_, kind_);
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
