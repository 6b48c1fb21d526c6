// SessionExecutor: the ordinary algebra, computed by a backend session.
#pragma once

#include "tenferro/einsum/program.hpp"
#include "tenferro/tensor/backend.hpp"

namespace tenferro::inline TENFERRO_ABI::einsum {

class SessionExecutor final : public PairwiseExecutor {
public:
    explicit SessionExecutor(BackendSession& session) noexcept : session_(session) {}

    Tensor contract(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config, std::span<const Index> shape,
                    std::span<const Index> placement) override {
        // The result is made in its final axis order; the contraction writes through a view in dot_general's order.
        Tensor out = session_.empty(lhs.dtype(), shape);
        const TensorWrite whole = out.write();
        if (is_identity(placement))
            session_.dot_general_into(lhs, rhs, config, whole);
        else
            session_.dot_general_into(lhs, rhs, config, whole.transpose_view(placement));
        return out;
    }
    Tensor sum(const TensorRead& a, std::span<const Index> axes) override { return session_.reduce_sum_read(a, axes); }
    Tensor add(const TensorRead& a, const TensorRead& b) override { return session_.add_read(a, b); }
    Tensor embed_diagonal(const TensorRead& a, Index first, Index second) override {
        return session_.embed_diagonal_read(a, first, second);
    }
    Tensor copy(const TensorRead& a) override { return session_.to_contiguous_read(a); }

private:
    static bool is_identity(std::span<const Index> permutation) noexcept {
        for (std::size_t i = 0; i < permutation.size(); ++i)
            if (permutation[i] != static_cast<Index>(i)) return false;
        return true;
    }

    BackendSession& session_;
};

}  // namespace tenferro::inline TENFERRO_ABI::einsum
