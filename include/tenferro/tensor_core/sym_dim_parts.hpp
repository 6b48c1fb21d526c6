// Taking symbolic extents apart, for whoever writes them down.
#pragma once

#include "tenferro/tensor_core/sym_dim.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

enum class DimOperator : std::uint8_t { Sum, Product, ExactDiv, Min, Max };

/// An extent that is not a number: a symbol, or an operator on at least one operand.
struct DimParts {
    std::optional<DimSymbol> symbol;
    DimOperator op = DimOperator::Sum;
    std::vector<SymDim> operands;
};

/// The outermost operation of `dim`, which is not a number. The operator applied to the operands from left to
/// right gives an extent of the same value; its normal form may be another one only where products stayed
/// factored or coefficients overflowed.
[[nodiscard]] TENFERRO_API DimParts parts_of(const SymDim& dim);

}}  // namespace tenferro::TENFERRO_ABI
