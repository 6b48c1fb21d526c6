// The kernel families that contract() chooses from. Each computes the whole contraction; they differ in
// which shapes they are fast for.
#pragma once

#include "cpu/kernels/contraction/contraction_axes.hpp"
#include "cpu/kernels/loops/partition.hpp"
#include "tenferro/tensor/op_table.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Whether there is so little work that it stays on the calling thread: few multiply-adds, and few bytes,
/// which are what takes time in batches of small products.
[[nodiscard]] inline bool runs_alone(const Contraction& loops) noexcept {
    constexpr double kMultiplyAdds = 5e5, kBytes = 512 << 10;
    const double per_element = info(loops.dtype).is_complex ? 4 : 1;
    return loops.multiply_adds() * per_element < kMultiplyAdds &&
           loops.elements() * static_cast<double>(info(loops.dtype).bytes) < kBytes;
}

/// Elements of K times the shorter side of C up to which tiles are mostly padding: strided_product has no
/// tiles.
inline constexpr Index kThinSide = 8;

/// Plain loops in registers, for some hundred multiply-adds; nothing is set up. False, having done nothing,
/// for more.
[[nodiscard]] bool small_product(const Contraction& loops);
/// The same for vectors and matrices with one contracted axis, which need no analysis either.
[[nodiscard]] bool small_matrix_product(const TensorRead& lhs, const TensorRead& rhs,
                                        const DotGeneralConfig& config, const TensorWrite& out);

/// A small matrix times many columns that are read in place, with vectors along a run of N or along M. False,
/// having done nothing, when the shape does not fit.
[[nodiscard]] bool gate_product(Contraction& loops, CpuContext& context);

/// Batches whose slices lie side by side in A, B and C, or are moved there: one in each lane of a vector.
/// False, having done nothing, when the shape does not fit.
[[nodiscard]] bool lane_product(Contraction& loops, CpuContext& context);

/// Blocks of C with tables of offsets, K innermost but one: element-wise and outer products, tiny K,
/// integers.
void strided_product(const Contraction& loops, CpuContext& context);
/// The same engine for C = A op B element by element, with an operation that pair_loop() has; all axes are
/// batch axes.
void strided_pairs(OpId op, const Contraction& loops, CpuContext& context);

/// Small slices, perhaps many, with adjacent rows in A: micro-kernels without packing or tables on the heap.
/// Returns false, having done nothing, when the shape does not fit.
[[nodiscard]] bool direct_product(const Contraction& loops, const KernelTable& kernels, CpuContext& context);

/// Vectors along K: dot products and matrices with few rows or columns. K must be contiguous in A; B is
/// copied if it is not contiguous there, and then `loops` describes the copy.
void inner_products(Contraction& loops, CpuContext& context);
/// Whether M, the rows of A, or N, the columns of B, lie one step apart along a K of one axis: tiles are full
/// but for a few, and where there are several runs, all are near, or each is long and its rows are
/// neighbours.
[[nodiscard]] bool are_runs(const Contraction& loops, std::size_t operand) noexcept;
/// inner_products where M is that, K a few thousand at most.
void inner_runs(const Contraction& loops, CpuContext& context);

/// What is done about winners, which lie as C does; K must be in listed order unless nothing is.
enum class WinnerPass {
    None,
    Find,   ///< those of the finished C are found; they are 0 at first
    Track,  ///< C is computed, and where in K each element begins to be attained
};

/// Cache-blocked products on packed or directly read panels, in the algebra of `kernels`.
void packed_product(const Contraction& loops, const KernelTable& kernels, WinnerPass pass, Index* winners,
                    CpuContext& context);

/// Rows of C without packing, in the algebra of `kernels`: element-wise and outer products, tiny and empty K.
/// With `winners` those of the finished C are found.
void line_product(const Contraction& loops, const KernelTable& kernels, Index* winners, CpuContext& context);

/// Exchanges the operands, and orders the rows of one of many pages as they lie, where that serves
/// packed_product.
void turn_sides(Contraction& loops, const KernelTable& kernels) noexcept;

}}}  // namespace tenferro::TENFERRO_ABI::cpu
