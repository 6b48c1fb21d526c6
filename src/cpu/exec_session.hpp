// CpuExecSession: the CPU's implementation of the backend's virtual functions; each calls one kernel family.
#pragma once

#include "cpu/buffer_pool.hpp"
#include "cpu/providers/provider.hpp"
#include "tenferro/cpu/cpu_backend.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

inline constexpr BackendInfo kCpuInfo{"cpu", kMainMemory, {}};

class CpuExecSession final : public BackendSession {
public:
    CpuExecSession(CpuContext& context, BufferPool& pool, const Provider* blas) noexcept
        : BackendSession(kCpuInfo), context_(context), pool_(pool), blas_(blas) {}

    [[nodiscard]] CpuContext& context() const noexcept { return context_; }
    [[nodiscard]] Index concurrency() const noexcept override { return context_.threads(); }
    void run_concurrently(Index count, FunctionRef<void(Index, BackendSession&)> task) override;

private:
    Tensor do_allocate(DType dtype, std::span<const Index> shape) override;
    void do_fill_zero(const TensorWrite& out) override;
    void do_copy(const TensorRead& a, const TensorWrite& out) override;
    void do_unary(OpId op, const TensorRead& a, const TensorWrite& out) override;
    void do_binary(OpId op, const TensorRead& a, const TensorRead& b, const TensorWrite& out) override;
    void do_select(const TensorRead& predicate, const TensorRead& on_true, const TensorRead& on_false,
                   const TensorWrite& out) override;
    void do_clamp(const TensorRead& low, const TensorRead& x, const TensorRead& high,
                  const TensorWrite& out) override;
    void do_convert(const TensorRead& a, const TensorWrite& out) override;
    bool do_elementwise_fusion(const ElementwiseFusionPlan& plan, std::span<const TensorRead> inputs,
                               std::span<const TensorWrite> outs) override;
    void do_reduce(OpId op, const TensorRead& a, std::span<const Index> axes,
                   const TensorWrite& out) override;
    void do_arg_extreme(OpId op, const TensorRead& a, Index axis, const TensorWrite& out) override;
    void do_gather(const TensorRead& a, const TensorRead& indices, const GatherConfig& config,
                   const TensorWrite& out) override;
    void do_scatter(OpId op, const TensorRead& updates, const TensorRead& indices, const GatherConfig& config,
                    const TensorWrite& out) override;
    void do_cumulative_sum(const TensorRead& a, Index axis, bool reverse, const TensorWrite& out) override;
    void do_softmax(const TensorRead& a, Index axis, const TensorWrite& out) override;
    void do_sort(const TensorRead& a, Index axis, bool descending, const TensorWrite& out) override;
    void do_dot_general(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config,
                        const TensorWrite& out) override;

    CpuContext& context_;
    BufferPool& pool_;
    const Provider* blas_;  ///< null for kind builtin
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
