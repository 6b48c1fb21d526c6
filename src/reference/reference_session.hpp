// ReferenceSession: the backend's virtual functions as loop nests, one file per family.
#pragma once

#include "tenferro/tensor/backend.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace reference {

inline constexpr BackendInfo kReferenceInfo{"reference", kMainMemory, {}};

class ReferenceSession : public BackendSession {
public:
    /// Tests give another `info`, to be a backend elsewhere.
    explicit ReferenceSession(const BackendInfo& info = kReferenceInfo) noexcept : BackendSession(info) {}

protected:
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
};

}}}  // namespace tenferro::TENFERRO_ABI::reference
