// SIMD kernels of the gate engine: a matrix of a few rows and columns times many columns of B.
#pragma once

#include <cstddef>

#include "tenferro/base/checked.hpp"
#include "tenferro/tensor_core/dtype.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Rows that are computed together, and the most bytes of B that a vector repeats where there are more.
inline constexpr int kGateRows = 4;
inline constexpr Index kGateUnit = 16;

/// What all blocks of C have in common. Offsets count elements; `rows` and `depth` are at least 1.
struct Gate {
    const void* matrix;      ///< [row][k], as the kernel says
    const Index* c_rows;     ///< where the rows of a block lie
    const Index* row_sizes;  ///< elements of each row; kernels along runs do not use them
    const Index* b_depth;    ///< where the elements of K lie
    Index rows, depth;
    Index b_step, c_step;  ///< from one block to the next
    bool streams;          ///< C goes past the caches
};

/// Computes `blocks` blocks, each of runs of `length` elements.
using GateKernel = void (*)(const Gate& gate, const void* b, void* c, Index length, Index blocks);

/// The kernels of a type, null where there are no vectors.
struct GateKernels {
    /// Vectors along runs of N, which are adjacent in B and C: a row of C is one run for each element of M.
    /// `matrix` has elements. `bytes` is the length of a run.
    GateKernel (*along_run)(Index bytes);
    /// Vectors along M: `unit` bytes of B, a power of two, are repeated through a vector, and a row of C is a
    /// vector, of at most `row_bytes`.
    /// `matrix` has vectors of `row_bytes`: of elements; if they are complex, of their real parts, each
    /// twice, and then of their imaginary parts.
    GateKernel (*of_units)(Index unit, Index row_bytes);
    /// Vectors along blocks that follow each other in B and C, each at most half of one. A block is as many
    /// runs of `length` elements as K and M have, all powers of two. The sum for run p of C takes, at step k,
    /// run p xor k of B; `matrix` has a vector for each step: of its factors, as above.
    GateKernel in_blocks;
    Index vector_bytes;
};

[[nodiscard]] const GateKernels& gate_kernels(DType dtype);

}}}  // namespace tenferro::TENFERRO_ABI::cpu
