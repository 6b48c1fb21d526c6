// The steps of a network in a tropical algebra, on a session of the CPU backend.
#pragma once

#include <cstring>

#include <tenferro/base/error.hpp>
#include <tenferro/cpu/contraction/contract.hpp>
#include <tenferro/einsum/program.hpp>
#include <tenferro/tensor/backend.hpp>

#include "kernels.hpp"

namespace tropical {

using namespace tenferro;

/// A number of any dtype as a tensor without axes.
class Scalar {
public:
    template <class F>
    Scalar(DType dtype, F&& value) : dtype_(dtype) {
        visit_dtype(dtype, [&]<class T>() {
            if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
                const T number = value.template operator()<T>();
                std::memcpy(bytes_, &number, sizeof number);
            }
        });
    }
    [[nodiscard]] TensorRead read() const { return {dtype_, bytes_, {}, {}}; }

private:
    DType dtype_;
    alignas(8) std::byte bytes_[8] = {};
};

class Executor final : public tensor_network::PairwiseExecutor {
public:
    Executor(Algebra algebra, DType dtype, BackendSession& session)
        : algebra_(algebra),
          session_(session),
          context_(cpu::context_of(session)),
          kernels_(kernels(algebra, dtype, "tropical einsum")),
          zero_(dtype, [=]<class T>() { return zero_of<T>(algebra); }),
          one_(dtype, [=]<class T>() { return one_of<T>(algebra); }) {}

    Tensor allocate(DType dtype, std::span<const Index> shape) override {
        return session_.empty(dtype, shape);
    }
    void contract(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config,
                  const TensorWrite& out) override {
        cpu::contract(kernels_, lhs, rhs, config, out, context_);
    }
    /// A contraction with ones.
    void sum(const TensorRead& a, std::span<const Index> axes, const TensorWrite& out) override {
        Dims extents, all;
        for (const Index axis : axes) {
            all.push_back(static_cast<Index>(extents.size()));
            extents.push_back(a.shape()[static_cast<std::size_t>(axis)]);
        }
        contract(a, one_.read().broadcast_view(extents, {}), {Dims(axes), all, {}, {}}, out);
    }
    void add(const TensorRead& a, const TensorRead& b, const TensorWrite& out) override {
        if (algebra_ == Algebra::MinPlus)
            session_.minimum_into(a, b, out);
        else
            session_.maximum_into(a, b, out);
    }
    void embed_diagonal(const TensorRead& a, Index first, Index second, const TensorWrite& out) override {
        copy(zero_.read().broadcast_view(out.shape(), {}), out);
        copy(a, out.diagonal_view(first, second));
    }
    void copy(const TensorRead& a, const TensorWrite& out) override { session_.to_contiguous_into(a, out); }

    [[nodiscard]] Algebra algebra() const noexcept { return algebra_; }
    [[nodiscard]] BackendSession& session() const noexcept { return session_; }
    [[nodiscard]] CpuContext& context() const noexcept { return context_; }
    [[nodiscard]] const cpu::KernelTable& table() const noexcept { return kernels_; }
    [[nodiscard]] TensorRead one() const { return one_.read(); }

private:
    Algebra algebra_;
    BackendSession& session_;
    CpuContext& context_;
    const cpu::KernelTable& kernels_;
    Scalar zero_, one_;
};

}  // namespace tropical
