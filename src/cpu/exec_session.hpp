// CpuExecSession: the CPU's implementation of the backend's virtual functions; each calls one kernel family.
#pragma once

#include "cpu/buffer_pool.hpp"
#include "tenferro/cpu/cpu_backend.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

inline constexpr BackendInfo kCpuInfo{"cpu", kMainMemory, {}};

class CpuExecSession final : public BackendSession {
public:
    CpuExecSession(CpuContext& context, BufferPool& pool, CpuKind kind) noexcept
        : BackendSession(kCpuInfo), context_(context), pool_(pool), kind_(kind) {}

    [[nodiscard]] Index concurrency() const noexcept override { return context_.threads(); }
    void run_concurrently(Index count, FunctionRef<void(Index, BackendSession&)> task) override;

private:
    Tensor allocate(DType dtype, std::span<const Index> shape) override;
    void fill_zero(const TensorWrite& out) override;
    void copy(const TensorRead& a, const TensorWrite& out) override;
    void unary(OpId op, const TensorRead& a, const TensorWrite& out) override;
    void binary(OpId op, const TensorRead& a, const TensorRead& b, const TensorWrite& out) override;
    void select_elements(const TensorRead& predicate, const TensorRead& on_true, const TensorRead& on_false,
                         const TensorWrite& out) override;
    void clamp_elements(const TensorRead& low, const TensorRead& x, const TensorRead& high,
                        const TensorWrite& out) override;
    void convert_elements(const TensorRead& a, const TensorWrite& out) override;
    bool fuse(const ElementwiseFusionPlan& plan, std::span<const TensorRead> inputs,
              std::span<const TensorWrite> outs) override;
    void reduce(OpId op, const TensorRead& a, std::span<const Index> axes, const TensorWrite& out) override;
    void find_extreme(OpId op, const TensorRead& a, Index axis, const TensorWrite& out) override;
    void gather_windows(const TensorRead& a, const TensorRead& indices, const GatherConfig& config,
                        const TensorWrite& out) override;
    void write_windows(OpId op, const TensorRead& updates, const TensorRead& indices,
                       const GatherConfig& config, const TensorWrite& out) override;
    void scan(const TensorRead& a, Index axis, bool reverse, const TensorWrite& out) override;
    void normalize_exponentials(const TensorRead& a, Index axis, const TensorWrite& out) override;
    void sort_lines(const TensorRead& a, Index axis, bool descending, const TensorWrite& out) override;
    void contract(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config,
                  const TensorWrite& out) override;

    CpuContext& context_;
    BufferPool& pool_;
    CpuKind kind_;
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
