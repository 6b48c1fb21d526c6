// The axis analysis of a contraction: loops over M (lhs free), N (rhs free), K (contracted) and batch, each
// with the strides that the two operands A and B and the result C have along it, fused as far as their
// layouts allow.
#pragma once

#include <cstddef>
#include <type_traits>

#include "cpu/kernels/loops/loop_axes.hpp"
#include "cpu/kernels/loops/odometer.hpp"
#include "tenferro/cpu/contraction/kernel_table.hpp"
#include "tenferro/tensor/dot_general.hpp"
#include "tenferro/tensor/tensor_read.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// C[m, n, batch] = Σ_k A[m, k, batch] · B[k, n, batch]; every list has its fastest axis first and no axis of
/// extent 1.
struct Contraction {
    DType dtype;
    const void* a;
    const void* b;
    void* c;
    LoopAxes m, n, k, batch;
    Index m_size, n_size, k_size, batch_size;

    /// Multiply-adds in all, as a double because the product may exceed Index.
    [[nodiscard]] double multiply_adds() const noexcept {
        return static_cast<double>(m_size) * static_cast<double>(n_size) * static_cast<double>(k_size) *
               static_cast<double>(batch_size);
    }
    /// Of A, B and C together.
    [[nodiscard]] double elements() const noexcept {
        const auto rows = static_cast<double>(m_size), columns = static_cast<double>(n_size),
                   depth = static_cast<double>(k_size);
        return (rows * depth + depth * columns + rows * columns) * static_cast<double>(batch_size);
    }
    /// Exchanges A with B and M with N: the same contraction seen from the other side.
    void swap_operands() noexcept;
};

/// Orders free axes by the steps that a tensor has along them.
void sort_by(LoopAxes& axes, std::size_t tensor) noexcept;

/// The order of the K loops: by stride, or as `config` lists them, so that positions in K are linear indices.
enum class KOrder { Strides, Listed };

/// The loops of a checked contraction. The unit-stride axis of the result, if it is a free axis, is in M.
[[nodiscard]] Contraction analyse(const TensorRead& lhs, const TensorRead& rhs,
                                  const DotGeneralConfig& config, const TensorWrite& out,
                                  KOrder k_order = KOrder::Strides);

/// The runs of a K loop.
using Segments = SmallVector<Segment, 8>;

/// The runs that make up [begin, end) of the loop nest `axes`.
void split_into_segments(const LoopAxes& axes, Index begin, Index end, Segments& segments);

/// The place `bytes` after the start of memory whose element type only the kernels know.
template <class Memory>
[[nodiscard]] inline Memory* at_offset(Memory* memory, Index bytes) noexcept {
    using Byte = std::conditional_t<std::is_const_v<Memory>, const std::byte, std::byte>;
    return static_cast<Byte*>(memory) + bytes;
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
