// ReferenceSession: the backend's virtual functions as loop nests, one file per family.
#pragma once

#include "tenferro/tensor/backend.hpp"

namespace tenferro::inline TENFERRO_ABI::reference {

class ReferenceSession final : public BackendSession {
    Tensor allocate(DType dtype, std::span<const Index> shape) override;
    void fill_zero(const TensorWrite& out) override;
    void copy(const TensorRead& a, const TensorWrite& out) override;
    void unary(OpId op, const TensorRead& a, const TensorWrite& out) override;
    void binary(OpId op, const TensorRead& a, const TensorRead& b, const TensorWrite& out) override;
    void sum(const TensorRead& a, std::span<const Index> axes, const TensorWrite& out) override;
    void contract(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config, const TensorWrite& out) override;
};

}  // namespace tenferro::inline TENFERRO_ABI::reference
