// The SIMD half of the packed contraction engine: micro-kernels and packing for the best instruction set of this machine,
// behind one table of functions per element type.
#pragma once

#include "cpu/kernels/contraction_axes.hpp"

namespace tenferro::inline TENFERRO_ABI::cpu {

/// One tile of C. A is either packed (`a_step` = GemmKernels::rows; complex numbers with real and imaginary parts in
/// separate halves of each step) or read in place with unit stride along its rows.
template <class T>
struct MicroTile {
    const Segment* segments;  ///< the K loop; offsets are relative to `a` and `b`
    Index segment_count;
    const T* a;
    const T* b;
    T* c;
    Index a_step, b_step;    ///< from one k to the next inside a segment
    const Index* b_columns;  ///< offsets of the columns, padded to GemmKernels::columns with readable ones
    const Index* c_columns;
    const Index* c_rows;  ///< null when the rows of C are adjacent
    Index rows, columns;  ///< at most GemmKernels::rows (wide_rows when there is one column) and GemmKernels::columns
    bool a_packed;
    bool accumulate;  ///< add to C instead of overwriting it
};

/// A micro-panel to be packed: `lines` rows of A or columns of B, each with `depth` elements along K.
template <class T>
struct PanelSource {
    const T* data;
    const Index* lines;
    Index line_count;
    const Segment* segments;
    Index segment_count;
    Index Segment::*origin;  ///< &Segment::a or &Segment::b
    Index step;              ///< from one k to the next inside a segment
};

template <class T>
struct GemmKernels {
    Index rows, columns;       ///< shape of a full tile
    Index wide_rows;           ///< rows of a tile with one column when A is read in place
    Index direct_granularity;  ///< rows of a tile read in place must be a multiple of this
    void (*multiply)(const MicroTile<T>&);
    /// Panels of `rows` (A) or `columns` (B) elements per k, zero-filled where the source has fewer lines.
    void (*pack_a)(const PanelSource<T>&, T* panel);
    void (*pack_b)(const PanelSource<T>&, T* panel);
};

/// The kernels for float, double, std::complex<float> and std::complex<double>.
template <class T>
[[nodiscard]] GemmKernels<T> gemm_kernels();

}  // namespace tenferro::inline TENFERRO_ABI::cpu
