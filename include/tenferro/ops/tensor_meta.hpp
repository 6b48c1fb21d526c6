// TensorMeta: what is known of a tensor before it exists, its dtype and its symbolic shape.
#pragma once

#include <string>

#include "tenferro/tensor_core/dtype.hpp"
#include "tenferro/tensor_core/layout.hpp"
#include "tenferro/tensor_core/sym_dim.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

struct TensorMeta {
    DType dtype = DType::F64;
    SymShape shape;

    [[nodiscard]] std::size_t rank() const noexcept { return shape.size(); }
    friend bool operator==(const TensorMeta&, const TensorMeta&) = default;
};

/// A shape of known extents.
[[nodiscard]] TENFERRO_API SymShape symbolic(std::span<const Index> shape);
/// "[2, n0_1]".
[[nodiscard]] TENFERRO_API std::string shape_text(const SymShape& shape);
/// The product of the extents.
[[nodiscard]] TENFERRO_API SymDim element_count(const SymShape& shape);
/// The number that every extent is, which must be known (InvalidConfig in the name of `op`).
[[nodiscard]] TENFERRO_API Dims concrete(const SymShape& shape, std::string_view op);

}}  // namespace tenferro::TENFERRO_ABI
