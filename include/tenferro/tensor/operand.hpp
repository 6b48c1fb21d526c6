// Operand: an entry of a braced list of tensors, as in `einsum("ij,->ij", {x, scalar(2.)})`. It borrows a
// tensor that has a name and keeps the memory of one that has none, so that it never dangles in the list.
#pragma once

#include <initializer_list>
#include <vector>

#include "tenferro/tensor/typed_tensor.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

class Operand {
public:
    /// Borrows: the memory must outlive it.
    Operand(const TensorRead& view) : view_(view) {}         // NOLINT(google-explicit-constructor)
    Operand(const Tensor& tensor) : view_(tensor.read()) {}  // NOLINT(google-explicit-constructor)
    template <Scalar T, int R>
    Operand(const TypedTensor<T, R>& tensor) : view_(tensor.erased().read()) {}  // NOLINT
    template <Scalar T, int R>
    Operand(const TypedTensorView<T, R>& view) : view_(view) {}  // NOLINT(google-explicit-constructor)
    /// Keeps the memory.
    Operand(Tensor&& tensor) : view_(tensor.read()), kept_(tensor.buffer()) {}  // NOLINT
    template <Scalar T, int R>
    Operand(TypedTensor<T, R>&& tensor) : Operand(std::move(tensor).erased()) {}  // NOLINT

    [[nodiscard]] const TensorRead& view() const noexcept { return view_; }

private:
    TensorRead view_;
    Buffer kept_;
};

using Operands = std::initializer_list<Operand>;

/// The views in a list, valid while the list is.
[[nodiscard]] inline std::vector<TensorRead> views(Operands operands) try {
    std::vector<TensorRead> list;
    list.reserve(operands.size());
    for (const Operand& operand : operands) list.push_back(operand.view());
    return list;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("a list of operands");
}

}}  // namespace tenferro::TENFERRO_ABI
