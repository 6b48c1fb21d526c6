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
};

}}}  // namespace tenferro::TENFERRO_ABI::reference
