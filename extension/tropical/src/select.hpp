// The winner pass for operands that carry numbers: of all terms equal to the result the least sum of numbers.
#pragma once

#include <vector>

#include <tenferro/cpu/cpu_context.hpp>

#include "tenferro_ext_tropical/algebra.hpp"

namespace tropical {

using tenferro::Index;

/// One word of the numbers; null where all are 0.
struct SelectionWord {
    const Index* lhs = nullptr;  ///< [rows, depth, batch]
    const Index* rhs = nullptr;  ///< [depth, columns, batch]
    std::vector<Index> terms;    ///< of each term by itself, [depth]
    Index* out = nullptr;        ///< [rows, columns, batch], zeros at first
};

/// result[m, n, b] is the sum over k of lhs[m, k, b] times rhs[k, n, b], all compact. The least significant
/// word is the first.
struct Selection {
    Index rows = 1, columns = 1, depth = 1, batch = 1;
    const void* lhs = nullptr;
    const void* rhs = nullptr;
    const void* result = nullptr;
    std::vector<SelectionWord> words;
};

/// Writes the words. Elements that are the algebra's zero keep 0.
void select(Algebra algebra, tenferro::DType dtype, const Selection& selection,
            tenferro::CpuContext& context);

}  // namespace tropical
