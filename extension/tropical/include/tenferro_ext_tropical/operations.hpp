// Tropical contractions as operations of graphs, by the extension contract of tenferro: on traced and eager
// tensors, in compiled programs and written graphs. Reverse mode gives gradients by winners; forward mode
// throws ModeNotSupported when it runs, second derivatives HvpNotSupported.
//
// | family | operands | results |
// |---|---|---|
// | tenferro-ext-tropical.fused_dot_general.v1 | lhs, rhs | the contraction |
// | tenferro-ext-tropical.einsum.v1 | as the subscripts say | the einsum |
// | tenferro-ext-tropical.einsum_tangent.v1 | operands, tangents of some | none: it is there to be transposed
// | | tenferro-ext-tropical.einsum_vjp.v1 | cotangent, operands | gradients of some |
#pragma once

#include <tenferro/api/extension.hpp>
#include <tenferro/ops/functions.hpp>
#include <tenferro/tensor/dot_general.hpp>

#include "tenferro_ext_tropical/algebra.hpp"

namespace tropical {

/// Registers the operations and their derivatives. Call it once, before graphs are built; a second call
/// throws DuplicateFamily.
TROPICAL_API void register_operations();

/// The contraction of two operands: result axes as those of tenferro's dot_general.
[[nodiscard]] TROPICAL_API std::shared_ptr<const tenferro::ExtensionOp> dot_general_operation(
    Algebra algebra, tenferro::DotGeneralConfig config);
/// The einsum. How many operands there are follows from the subscripts (strict dialect), which are part of
/// the operation.
[[nodiscard]] TROPICAL_API std::shared_ptr<const tenferro::ExtensionOp> einsum_operation(
    Algebra algebra, std::string_view subscripts);

/// On traced or eager tensors.
template <tenferro::TensorHandle Handle>
[[nodiscard]] Handle dot_general(Algebra algebra, const Handle& lhs, const Handle& rhs,
                                 tenferro::DotGeneralConfig config) {
    const Handle inputs[] = {lhs, rhs};
    return tenferro::extension::apply(dot_general_operation(algebra, std::move(config)),
                                      std::span<const Handle>(inputs))
        .front();
}
template <tenferro::TensorHandle Handle>
[[nodiscard]] Handle einsum(Algebra algebra, std::string_view subscripts, const std::vector<Handle>& inputs) {
    return tenferro::extension::apply(einsum_operation(algebra, subscripts), std::span<const Handle>(inputs))
        .front();
}

}  // namespace tropical
