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
    TENFERRO_KERNEL_OVERRIDES
    bool do_elementwise_fusion(const ElementwiseFusionPlan& plan, std::span<const TensorRead> inputs,
                               std::span<const TensorWrite> outs) override;
    bool do_matrix_plan(const MatrixPlan& plan, std::span<const TensorRead> inputs,
                        std::span<const TensorWrite> outs) override;

    CpuContext& context_;
    BufferPool& pool_;
    const Provider* blas_;  ///< null for kind builtin
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
