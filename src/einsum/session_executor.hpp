// SessionExecutor: the ordinary algebra, computed by a backend session.
#pragma once

#include "tenferro/base/error.hpp"
#include "tenferro/einsum/program.hpp"
#include "tenferro/tensor/backend.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

class SessionExecutor : public PairwiseExecutor {
public:
    explicit SessionExecutor(BackendSession& session) noexcept : session_(session) {}

    Tensor allocate(DType dtype, std::span<const Index> shape) override {
        try {
            return session_.empty(dtype, shape);
        } catch (const Error& error) {  // its own name says nothing to who called an einsum
            if (error.kind() != ErrorKind::OutOfMemory) throw;
            throw Error(ErrorKind::OutOfMemory, "einsum", error.message());
        }
    }
    void contract(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config,
                  const TensorWrite& out) override {
        session_.dot_general_planned_into(lhs, rhs, config, out);
    }
    void sum(const TensorRead& a, std::span<const Index> axes, const TensorWrite& out) override {
        session_.reduce_sum_into(a, axes, out);
    }
    void add(const TensorRead& a, const TensorRead& b, const TensorWrite& out) override {
        session_.add_into(a, b, out);
    }
    void embed_diagonal(const TensorRead& a, Index first, Index second, const TensorWrite& out) override {
        session_.embed_diagonal_into(a, first, second, out);
    }
    void copy(const TensorRead& a, const TensorWrite& out) override { session_.to_contiguous_into(a, out); }

private:
    BackendSession& session_;
};

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
