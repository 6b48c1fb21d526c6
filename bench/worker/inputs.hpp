// Operands that every contestant can reproduce: element i of operand k is a function of i and k alone.
// bench/peers/inputs.py is the same rule in NumPy.
//
// Rule. z = mix((k + 1) * 2^32 + (i + 1) * 0x9e3779b97f4a7c15 mod 2^64) with SplitMix64's mixing function; i
// counts in memory order. The value is scale * (1/2 + u), u in [0, 1) from z's upper 53 bits, negative when
// `is_signed` and z is odd; it is computed in double.
#pragma once

#include <cstdint>

#include "bench/worker/row.hpp"

namespace tenferro::bench {

struct OperandRule {
    int number = 0;
    double scale = 1;
    bool is_signed = true;
};

/// A tensor of any type but Bool (else Unsupported; integers are cut off) with the given strides, which must
/// be compact in some order of the axes. A complex number is two elements of the rule.
[[nodiscard]] Tensor make_operand(DType dtype, const Dims& shape, const Dims& strides,
                                  const OperandRule& rule);
/// The same, column-major.
[[nodiscard]] Tensor make_operand(DType dtype, const Dims& shape, const OperandRule& rule);

/// row["dtype"], a name of the dtype table (else Unsupported).
[[nodiscard]] DType dtype_of(const Json& row);
[[nodiscard]] Dims dims_of(const Json& list);

}  // namespace tenferro::bench
