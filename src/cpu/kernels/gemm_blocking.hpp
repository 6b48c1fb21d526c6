// Block sizes of the packed contraction engine and the decision which operand is packed. They depend on the contraction
// and the instruction set only, never on the number of threads, so that results do not either.
#pragma once

#include <algorithm>

#include "cpu/kernels/gemm_kernels.hpp"

namespace tenferro::inline TENFERRO_ABI::cpu {

struct Blocking {
    Index k_block;            ///< depth of packed panels
    Index m_block;            ///< rows packed at a time: with k_block half of a second-level cache
    Index n_block;            ///< columns packed at a time
    Index m_table;            ///< rows that have offset tables at a time; a multiple of m_block
    Index tile_rows;          ///< rows of a micro-tile
    bool a_direct, b_direct;  ///< read in place instead of packed
};

/// Bytes of an operand slice up to which reading it in place again and again is cheaper than packing it.
inline constexpr Index kDirectBytes = 128 << 10;

/// Whether walking K in steps of `step` elements maps few cache sets, so that rereading in place would thrash.
inline bool step_aliases(Index step, Index depth, std::size_t element_bytes) {
    return depth > 8 && step * static_cast<Index>(element_bytes) % 2048 == 0;
}

/// A may be read in place if its rows are runs that fill vectors; it pays when few tiles of columns reread it or when it
/// stays in the first caches.
template <class T>
bool read_a_directly(const Contraction& loops, const GemmKernels<T>& kernels) {
    if (loops.m.empty()) return kernels.direct_granularity == 1;
    const Index run = loops.m[0].extent;
    if (loops.m[0].a != 1 || run % kernels.direct_granularity != 0) return false;
    if (loops.m.size() > 1 && run * 2 < kernels.rows) return false;
    if (loops.n_size <= 2 * kernels.columns) return true;
    const Index step = loops.k.empty() ? 1 : loops.k[0].a;
    return loops.m_size * loops.k_size * static_cast<Index>(sizeof(T)) <= kDirectBytes &&
           !step_aliases(step, loops.k_size, sizeof(T));
}

/// B is read one element at a time, so any layout will do in place.
template <class T>
bool read_b_directly(const Contraction& loops, const GemmKernels<T>& kernels) {
    if (loops.m_size <= 2 * kernels.rows) return true;
    const Index step = loops.k.empty() ? 1 : loops.k[0].b;
    return loops.k_size * loops.n_size * static_cast<Index>(sizeof(T)) <= kDirectBytes &&
           !step_aliases(step, loops.k_size, sizeof(T));
}

template <class T>
Blocking choose_blocking(const Contraction& loops, const GemmKernels<T>& kernels, std::size_t element_bytes) {
    constexpr Index kDepth = 256, kBlockBytes = 480 << 10, kPanelBytes = 4 << 20, kTableRows = 4096;
    Blocking plan;
    const Index k_blocks = (loops.k_size + kDepth + kDepth / 4 - 1) / (kDepth + kDepth / 4);
    plan.k_block = std::max<Index>((loops.k_size + k_blocks - 1) / std::max<Index>(k_blocks, 1), 1);
    const Index bytes = static_cast<Index>(element_bytes) * plan.k_block;
    plan.a_direct = read_a_directly(loops, kernels);
    plan.b_direct = read_b_directly(loops, kernels);
    plan.m_block = std::clamp<Index>(kBlockBytes / bytes / kernels.rows, 1, kTableRows / kernels.rows) * kernels.rows;
    plan.m_table = std::max<Index>(kTableRows / plan.m_block, 1) * plan.m_block;
    plan.n_block = std::clamp<Index>(kPanelBytes / bytes / kernels.columns, 1, kTableRows / kernels.columns) * kernels.columns;
    plan.tile_rows = plan.a_direct && loops.n_size == 1 ? kernels.wide_rows : kernels.rows;
    return plan;
}

}  // namespace tenferro::inline TENFERRO_ABI::cpu
