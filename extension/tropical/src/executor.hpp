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

/// An element of any type as a tensor without axes.
class ElementTensor {
public:
    template <class T>
    explicit ElementTensor(const T& element) : dtype_(storage_dtype<T>) {
        static_assert(sizeof element <= sizeof bytes_);
        std::memcpy(bytes_, &element, sizeof element);
    }
    [[nodiscard]] TensorRead read() const { return {dtype_, bytes_, {}, {}}; }

private:
    DType dtype_;
    alignas(16) std::byte bytes_[16] = {};
};

/// The steps of a network in an algebra that is given by its kernels, its zero and its one.
class AlgebraExecutor : public tensor_network::PairwiseExecutor {
public:
    AlgebraExecutor(const cpu::KernelTable& kernels, const ElementTensor& zero, const ElementTensor& one,
                    BackendSession& session)
        : session_(session), context_(cpu::context_of(session)), kernels_(kernels), zero_(zero), one_(one) {}

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
    /// The sum over an axis along which both lie.
    void add(const TensorRead& a, const TensorRead& b, const TensorWrite& out) override {
        Dims shape = a.shape();
        const Index last = static_cast<Index>(shape.size());
        shape.push_back(2);
        Tensor both = allocate(a.dtype(), shape);
        copy(a, both.write().select_view(last, 0));
        copy(b, both.write().select_view(last, 1));
        sum(both, {&last, 1}, out);
    }
    void embed_diagonal(const TensorRead& a, Index first, Index second, const TensorWrite& out) override {
        fill_zero(out);
        copy(a, out.diagonal_view(first, second));
    }
    void copy(const TensorRead& a, const TensorWrite& out) override { session_.to_contiguous_into(a, out); }

    void fill_zero(const TensorWrite& out) { copy(zero_.read().broadcast_view(out.shape(), {}), out); }

    [[nodiscard]] BackendSession& session() const noexcept { return session_; }
    [[nodiscard]] CpuContext& context() const noexcept { return context_; }
    [[nodiscard]] const cpu::KernelTable& table() const noexcept { return kernels_; }
    [[nodiscard]] TensorRead one() const { return one_.read(); }

private:
    BackendSession& session_;
    CpuContext& context_;
    const cpu::KernelTable& kernels_;
    ElementTensor zero_, one_;
};

/// Those of one of the algebras with winners.
class Executor final : public AlgebraExecutor {
public:
    Executor(Algebra algebra, DType dtype, BackendSession& session)
        : AlgebraExecutor(kernels(algebra, dtype, "tropical einsum"),
                          element(dtype, [=]<class T>() { return zero_of<T>(algebra); }),
                          element(dtype, [=]<class T>() { return one_of<T>(algebra); }), session),
          algebra_(algebra) {}

    [[nodiscard]] Algebra algebra() const noexcept { return algebra_; }

private:
    template <class F>
    static ElementTensor element(DType dtype, const F& value) {
        switch (dtype) {
            case DType::F32: return ElementTensor(value.template operator()<float>());
            case DType::I32: return ElementTensor(value.template operator()<std::int32_t>());
            case DType::I64: return ElementTensor(value.template operator()<std::int64_t>());
            default: return ElementTensor(value.template operator()<double>());
        }
    }

    Algebra algebra_;
};

}  // namespace tropical
