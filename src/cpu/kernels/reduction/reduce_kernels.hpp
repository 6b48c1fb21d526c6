// Vector kernels of the reductions: one contiguous line to one value, and contiguous rows into a row of
// results.
#pragma once

#include <array>

#include "tenferro/tensor/op_table.hpp"
#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Processors foresee more of several streams of loads than of one.
inline constexpr int kLinesAtOnce = 4;

/// Neighbours that are reduced together in the lanes of several vectors.
inline constexpr Index kMostInterleaved = 4;

struct FoldKernels {
    /// Writes the reduction of `count` neighbours to *result. Up to `leaf` of them, no part of a sum has more
    /// than some tens of terms added one after the other.
    void (*line)(void* result, const void* from, Index count) = nullptr;
    /// The same for several lines of `count` neighbours each, whose results are neighbours.
    void (*lines)(void* results, const std::array<const void*, kLinesAtOnce>& from, Index count) = nullptr;
    /// results[i] = f(results[i], from[r * stride + i]) for i < width and the rows r < count in their order.
    void (*rows)(void* results, Index width, const void* from, Index count, Index stride) = nullptr;
    /// results[i] = f(results[i], from[i * count + k]) for i < width and k < count in their order;
    /// 2 <= count <= kMostInterleaved. Complex numbers have none.
    void (*interleaved)(void* results, Index width, const void* from, Index count) = nullptr;
    Index leaf = 0;
};

/// All kernels for the instruction set that Highway chooses at the call, or none: products of complex
/// numbers and of I64 have none.
[[nodiscard]] FoldKernels fold_kernels(OpId op, DType dtype);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
