// One line per operation family: the kernels do the work.
#include "cpu/exec_session.hpp"

#include "cpu/kernels/contract.hpp"
#include "cpu/kernels/elementwise.hpp"
#include "cpu/kernels/reduce.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::inline TENFERRO_ABI::cpu {

Tensor CpuExecSession::allocate(DType dtype, std::span<const Index> shape) {
    const auto bytes = checked_mul(element_count(shape, "allocate"), static_cast<Index>(info(dtype).bytes));
    if (!bytes)
        throw Error(ErrorKind::InvalidArgument, "allocate", text("the size in bytes of shape ", list_text(shape), " overflows"));
    return {pool_.acquire(static_cast<std::size_t>(*bytes)), dtype, Dims(shape)};
}

void CpuExecSession::fill_zero(const TensorWrite& out) { cpu::fill_zero(out, context_); }
void CpuExecSession::copy(const TensorRead& a, const TensorWrite& out) { cpu::copy(a, out, context_); }
void CpuExecSession::unary(OpId op, const TensorRead& a, const TensorWrite& out) { cpu::unary(op, a, out, context_); }
void CpuExecSession::binary(OpId op, const TensorRead& a, const TensorRead& b, const TensorWrite& out) {
    cpu::binary(op, a, b, out, context_);
}
void CpuExecSession::sum(const TensorRead& a, std::span<const Index> axes, const TensorWrite& out) {
    cpu::reduce_sum(a, axes, out, context_);
}
void CpuExecSession::contract(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config,
                              const TensorWrite& out) {
    cpu::contract(lhs, rhs, config, out, context_, kind_);
}

}  // namespace tenferro::inline TENFERRO_ABI::cpu
