// The engine for some hundred multiply-adds: plain loops, nothing set up.
#include <algorithm>

#include "cpu/kernels/contraction/engines.hpp"
#include "cpu/kernels/contraction/scalar_ops.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

/// A slice with at most one axis in each of M, N and K.
struct Slice {
    LoopAxis m, n, k;

    [[nodiscard]] bool has_adjacent_rows() const noexcept {
        return m.stride[kA] == 1 && m.stride[kB] == 0 && m.stride[kC] == 1;
    }
    [[nodiscard]] Index multiply_adds() const noexcept { return m.extent * n.extent * k.extent; }
    /// The most multiply-adds for which another engine takes longer to set up than this takes to compute
    /// them; that of thin slices, strided_product, has most to set up. Complex rows do not fill vectors here.
    [[nodiscard]] Index most_multiply_adds(DType dtype) const noexcept {
        const bool thin = std::min(m.extent, n.extent) * k.extent <= kThinSide;
        if (!has_adjacent_rows() || info(dtype).is_complex) return thin ? 256 : 100;
        if (info(dtype).is_integer) return 256;
        return thin ? 2048 : 512;
    }
};

/// kRows rows that follow each other in A and in C.
template <Index kRows, class T>
void multiply_rows(const LoopAxis& n, const LoopAxis& k, const T* a, const T* b, T* c) {
    for (Index j = 0; j < n.extent; ++j, a += n.stride[kA], b += n.stride[kB], c += n.stride[kC]) {
        const T *x = a, *y = b;
        T total[kRows];
        for (Index i = 0; i < kRows; ++i) total[i] = product(x[i], *y);
        for (Index l = 1; l < k.extent; ++l) {
            x += k.stride[kA];
            y += k.stride[kB];
            for (Index i = 0; i < kRows; ++i) total[i] = sum(total[i], product(x[i], *y));
        }
        std::copy_n(total, kRows, c);
    }
}

/// Rows of any strides, from `first` on.
template <class T>
void multiply_lines(const Slice& slice, Index first, const T* a, const T* b, T* c) {
    const auto& [m, n, k] = slice;
    const Index row_step = k.stride[kA], column_step = k.stride[kB];
    a += first * m.stride[kA];
    b += first * m.stride[kB];
    c += first * m.stride[kC];
    for (Index j = 0; j < n.extent; ++j, a += n.stride[kA], b += n.stride[kB], c += n.stride[kC]) {
        const T *row = a, *column = b;
        T* to = c;
        for (Index i = first; i < m.extent;
             ++i, row += m.stride[kA], column += m.stride[kB], to += m.stride[kC]) {
            const T *x = row, *y = column;
            T total = product(*x, *y);
            for (Index l = 1; l < k.extent; ++l)
                total = sum(total, product(*(x += row_step), *(y += column_step)));
            *to = total;
        }
    }
}

template <class T>
void multiply_slice(const Slice& slice, const T* a, const T* b, T* c) {
    Index i = 0;
    const auto take = [&]<Index kRows>(std::integral_constant<Index, kRows>) {
        multiply_rows<kRows>(slice.n, slice.k, a + i, b, c + i);
        i += kRows;
    };
    const Index rows = slice.m.extent;
    if (!info(storage_dtype<T>).is_complex && slice.has_adjacent_rows()) {
        while (rows - i >= 8) take(std::integral_constant<Index, 8>{});
        if (rows - i >= 4) take(std::integral_constant<Index, 4>{});
        if (rows - i >= 2) take(std::integral_constant<Index, 2>{});
    }
    if (i < rows) multiply_lines(slice, i, a, b, c);
}

LoopAxis only(const LoopAxes& axes) { return axes.empty() ? LoopAxis{1, {0, 0, 0}} : axes[0]; }

template <class T>
void multiply(const Contraction& loops, const Slice& slice) {
    const T* a = static_cast<const T*>(loops.a);
    const T* b = static_cast<const T*>(loops.b);
    T* c = static_cast<T*>(loops.c);
    if (loops.batch.empty()) return multiply_slice(slice, a, b, c);
    Odometer at(loops.batch, 0);
    for (Index i = 0; i < loops.batch_size; ++i, at.advance())
        multiply_slice(slice, a + at.in(kA), b + at.in(kB), c + at.in(kC));
}

struct Axis {
    Index extent, stride;
};

/// The axis of a matrix or vector that is not `contracted`.
Axis free_axis(const TensorRead& operand, Index contracted) {
    if (operand.rank() == 1) return {1, 0};
    return {operand.shape()[1 - contracted], operand.strides()[1 - contracted]};
}

/// A with its axis `of_a` contracted with B's `of_b`; whether it is small.
bool multiply_matrices(const TensorRead& a, Index of_a, const TensorRead& b, Index of_b, Index c_rows,
                       Index c_columns, const TensorWrite& out) {
    constexpr Index kLongest = 2048;  // no product of extents overflows
    const Axis m = free_axis(a, of_a), n = free_axis(b, of_b);
    const Slice slice{{m.extent, {m.stride, 0, c_rows}},
                      {n.extent, {0, n.stride, c_columns}},
                      {a.shape()[of_a], {a.strides()[of_a], b.strides()[of_b], 0}}};
    if (std::max({slice.m.extent, slice.n.extent, slice.k.extent}) > kLongest) return false;
    const Index multiply_adds = slice.multiply_adds();
    if (multiply_adds == 0 || multiply_adds > slice.most_multiply_adds(out.dtype())) return false;
    visit_numeric(out.dtype(), [&]<class T>() {
        multiply_slice(slice, a.data_as<T>(), b.data_as<T>(), static_cast<T*>(out.data()));
    });
    return true;
}

}  // namespace

bool small_matrix_product(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config,
                          const TensorWrite& out) {
    if (config.lhs_contract.size() != 1 || !config.lhs_batch.empty() || lhs.rank() > 2 || rhs.rank() > 2)
        return false;
    const Index of_lhs = config.lhs_contract[0], of_rhs = config.rhs_contract[0];
    const Index rows = out.rank() == 0 ? 0 : out.strides()[0];
    const Index columns = out.rank() == 0 ? 0 : out.strides()[out.rank() - 1];
    const bool is_row_major = columns == 1 && rows != 1;
    return is_row_major ? multiply_matrices(rhs, of_rhs, lhs, of_lhs, columns, rows, out)
                        : multiply_matrices(lhs, of_lhs, rhs, of_rhs, rows, columns, out);
}

bool small_product(const Contraction& loops) {
    if (loops.m.size() > 1 || loops.n.size() > 1 || loops.k.size() > 1) return false;
    const Slice slice{only(loops.m), only(loops.n), only(loops.k)};
    constexpr Index kMostInBatch = 100;
    const Index most = loops.batch.empty() ? slice.most_multiply_adds(loops.dtype) : kMostInBatch;
    if (loops.multiply_adds() > static_cast<double>(most)) return false;
    visit_numeric(loops.dtype, [&]<class T>() { multiply<T>(loops, slice); });
    return true;
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
