// SessionExecutor: the ordinary algebra, computed by a backend session.
#pragma once

#include "tenferro/einsum/program.hpp"
#include "tenferro/tensor/backend.hpp"

namespace tenferro::inline TENFERRO_ABI::einsum {

class SessionExecutor final : public PairwiseExecutor {
public:
    explicit SessionExecutor(BackendSession& session) noexcept : session_(session) {}

    Tensor contract(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config,
                    std::span<const Index> placement) override {
        return session_.dot_general_permuted_read(lhs, rhs, config, placement);
    }
    Tensor sum(const TensorRead& a, std::span<const Index> axes) override { return session_.reduce_sum_read(a, axes); }
    Tensor add(const TensorRead& a, const TensorRead& b) override { return session_.add_read(a, b); }
    Tensor embed_diagonal(const TensorRead& a, Index first, Index second) override {
        return session_.embed_diagonal_read(a, first, second);
    }
    Tensor copy(const TensorRead& a) override { return session_.to_contiguous_read(a); }

private:
    BackendSession& session_;
};

}  // namespace tenferro::inline TENFERRO_ABI::einsum
