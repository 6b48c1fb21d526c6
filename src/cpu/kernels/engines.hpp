// The kernel families that contract() chooses from. Each computes the whole contraction; they differ in
// which shapes they are fast for.
#pragma once

#include "cpu/kernels/contraction_axes.hpp"
#include "tenferro/cpu/cpu_context.hpp"

namespace tenferro::inline TENFERRO_ABI::cpu {

/// Work below this many multiply-adds stays on the calling thread.
inline constexpr double kParallelMultiplyAdds = 5e5;

/// Plain loops in registers, for a handful of multiply-adds; nothing is set up. False, having done nothing, for more.
[[nodiscard]] bool small_product(const Contraction& loops);
/// The same for vectors and matrices with one contracted axis, which need no analysis either.
[[nodiscard]] bool small_matrix_product(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config,
                                        const TensorWrite& out);

/// Blocks of C with tables of offsets, K innermost but one: element-wise and outer products, tiny K, integers.
void strided_product(const Contraction& loops, CpuContext& context);

/// Small slices, perhaps many, with adjacent rows in A: micro-kernels without packing or tables on the heap. Floating point
/// only; returns false, having done nothing, when the shape does not fit.
[[nodiscard]] bool direct_product(const Contraction& loops, CpuContext& context);

/// Vectors along K: dot products and matrices with few rows or columns. K must be contiguous in A; B is copied if it
/// is not contiguous there, and then `loops` describes the copy.
void inner_products(Contraction& loops, CpuContext& context);

/// Cache-blocked matrix products on packed or directly read panels; floating point only.
void packed_product(const Contraction& loops, CpuContext& context);

}  // namespace tenferro::inline TENFERRO_ABI::cpu
