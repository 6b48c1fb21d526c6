// The two kinds of extents: numbers, and those of traced tensors. What is said about shapes is written once
// as a template over them.
#pragma once

#include <concepts>
#include <type_traits>

#include "tenferro/tensor_core/layout.hpp"
#include "tenferro/tensor_core/sym_dim.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

template <class E>
concept Extent = std::same_as<E, Index> || std::same_as<E, SymDim>;

/// Dims or SymShape.
template <Extent E>
using BasicShape = std::conditional_t<std::same_as<E, Index>, Dims, SymShape>;

}}  // namespace tenferro::TENFERRO_ABI
