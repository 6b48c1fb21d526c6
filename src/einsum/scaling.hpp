// Tensors with a power of two beside them, and their arithmetic. Multiplying by a power of two is exact but
// for what underflows.
#pragma once

#include <optional>

#include "tenferro/einsum/scaled.hpp"
#include "tenferro/tensor/backend.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// The largest modulus; of complex numbers that of a part, which cannot overflow as a modulus can. 0 without
/// elements.
[[nodiscard]] double largest_part(BackendSession& session, const TensorRead& view);

[[nodiscard]] Tensor times_two_to(BackendSession& session, const TensorRead& view, std::int64_t power);

/// The same value with its largest part in [1/2, 1); zeros with exponent 0; as it is where it is not finite.
[[nodiscard]] ScaledTensor normalised(BackendSession& session, ScaledTensor value);

/// Gives two values the larger of their exponents; a value of zeros takes that of the other.
void align(BackendSession& session, ScaledTensor& a, ScaledTensor& b);

/// `sum` and `term`, normalised; an absent sum is zero.
void add_to(BackendSession& session, std::optional<ScaledTensor>& sum, ScaledTensor term);

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
