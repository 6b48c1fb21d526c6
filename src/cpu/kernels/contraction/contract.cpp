// Analysis, choice of the engine by shape, run. The rules, in order: nothing to sum -> strided; a handful of
// multiply-adds -> small; a small matrix times many columns -> gate; slices that fill vectors, side by side
// in A, B and C or moved there -> lanes (of others those that C has in short pieces are joined, or what C has
// side by side is moved apart); contiguous K with few rows or columns -> inner products; K of extent 1, thin
// slices of short K, or slices so small that only the batch is long -> strided; BLAS where the caller asked
// for it and every slice is a matrix it is good at; slices that fit the first caches -> direct; else packed.
#include "cpu/kernels/contraction/contract.hpp"

#include <algorithm>

#include "cpu/kernels/contraction/engines.hpp"
#include "cpu/kernels/contraction/gemm_blocking.hpp"
#include "cpu/kernels/contraction/gemm_kernels.hpp"
#include "cpu/kernels/contraction/joined_slices.hpp"
#include "cpu/kernels/contraction/moved_tensor.hpp"
#include "cpu/kernels/loops/scratch.hpp"
#include "cpu/providers/blas.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

constexpr Index kTinySlice = 32;  ///< multiply-adds per slice below which a loop over slices does not pay
constexpr Index kBatchedSlice = 32768;  ///< the same where vectors can run along the batch
constexpr Index kVectorRun = 16;        ///< shortest axis worth running vectors along
constexpr Index kFewLines = 4;
constexpr Index kRunPerLine = 6;  ///< shortest run along K for inner products, for each of few lines
constexpr Index kMostInnerLines = 48;
constexpr Index kRowsPerLine = 12;   ///< one step apart, to be read where they lie beside few lines
constexpr Index kManyRows = 256;     ///< the same beside more
constexpr Index kLinesOfTiles = 8;   ///< that rows of tiles are better made of where C lies so
constexpr Index kLongRunOfRow = 24;  ///< along K; longer ones bear no more lines
constexpr Index kNearBytes = 2 << 20;
constexpr Index kManyLines = 32;        ///< lines of one operand that make a copy of few of the other cheap
constexpr Index kManyLineBytes = 1200;  ///< the same for more, in bytes of one real number of each line

bool batch_is_contiguous(const Contraction& loops) {
    return !loops.batch.empty() && loops.batch[0].stride[kA] == 1 && loops.batch[0].stride[kB] == 1 &&
           loops.batch[0].stride[kC] == 1 && loops.batch[0].extent >= kVectorRun;
}

bool is_low_intensity(const Contraction& loops) {
    const double slice = loops.multiply_adds() / static_cast<double>(loops.batch_size);
    if (loops.k_size == 1 || std::min(loops.m_size, loops.n_size) * loops.k_size <= kThinSide) return true;
    if (loops.batch_size > 1 && slice <= kTinySlice) return true;
    return batch_is_contiguous(loops) &&
           (slice <= kBatchedSlice || std::min(loops.m_size, loops.n_size) <= kFewLines);
}

/// Whether so few lines meet so many rows that lie one step apart, contiguous along a K of any length, that
/// inner_runs is quickest.
bool runs_pay(const Contraction& loops, Index lines) {
    const bool are_of_lhs = loops.n_size == lines;
    const std::size_t operand = are_of_lhs ? kA : kB;
    if (!are_runs(loops, operand) || loops.k[0].stride[operand] != 1) return false;
    const LoopAxes& rows = are_of_lhs ? loops.m : loops.n;
    const LoopAxes& others = are_of_lhs ? loops.n : loops.m;
    if (rows[0].extent < (lines < kFewLines ? kRowsPerLine * lines : kManyRows)) return false;
    const KernelTable& kernels = gemm_kernels(loops.dtype);
    const bool are_turned = !others.empty() && others[0].stride[kC] == 1;  // the lines, to tiles of rows
    if (are_turned && (lines >= kLinesOfTiles || fill_vectors(lines, kernels))) return false;
    const Index lanes = vector_bytes(kernels) / kernels.element_bytes;
    const Index k = std::min(loops.k_size, kLongRunOfRow);
    return lines * lanes <= (info(loops.dtype).is_complex ? 14 + k / 2 : 32 + 3 * k);
}

/// Whether vectors along runs of K are worth their end, where lanes are summed: each run against as many
/// lines of the other operand, which near caches hold. Other engines set up each small slice by itself.
bool sums_along_runs(const Contraction& loops, Index lines) {
    const Index run = loops.k[0].extent;
    const bool small_slices = loops.batch_size > 1 && std::max(loops.m_size, loops.n_size) <= kFewLines;
    if (run < (small_slices ? kRunPerLine + 1 - lines : kRunPerLine * lines)) return false;
    if (fill_vectors(lines, gemm_kernels(loops.dtype))) return false;
    return lines <= kFewLines ||
           (lines <= kMostInnerLines && lines * loops.k_size * info(loops.dtype).bytes <= kNearBytes);
}

/// How many lines of one operand make a copy of `lines` of the other cheap, whose elements are moved one by
/// one: what is computed with each of them is in vectors, four times as much with complex ones.
Index lines_worth_a_copy(const Contraction& loops, Index lines) {
    const auto& dtype = info(loops.dtype);
    if (lines <= kFewLines) return kManyLines;
    return kManyLineBytes / static_cast<Index>(dtype.bytes) / (dtype.is_complex ? 2 : 1);
}

/// Whether tiles of adjacent rows, which columns along K meet where they lie, are quicker than a copy of the
/// rows: a vector of them at least, beside columns that near caches hold.
bool fill_tiles(const Contraction& loops) {
    const KernelTable& kernels = gemm_kernels(loops.dtype);
    return loops.m.size() == 1 && loops.m[0].stride[kA] == 1 && loops.m_size >= kFewLines &&
           loops.m_size * kernels.element_bytes >= vector_bytes(kernels) &&
           loops.n_size * loops.k_size * kernels.element_bytes <= kNearBytes;
}

/// Few columns against contiguous rows; few rows against contiguous columns are turned into that.
bool is_inner_product(Contraction& loops) {
    const Index lines = std::min(loops.m_size, loops.n_size);
    if (loops.k_size == 1) return false;
    if (runs_pay(loops, lines)) {
        if (loops.n_size != lines) loops.swap_operands();
        return true;
    }
    if (!sums_along_runs(loops, lines)) return false;
    const LoopAxis& k = loops.k[0];
    if (k.stride[kA] == 1 && k.stride[kB] == 1) {
        if (loops.n_size > loops.m_size)
            loops.swap_operands();  // tiles of the same columns are quick to find
        return true;
    }
    if (std::max(loops.m_size, loops.n_size) < lines_worth_a_copy(loops, lines)) return false;
    if (k.stride[kA] == 1 && loops.n_size == lines) loops.swap_operands();
    if (k.stride[kB] != 1 || loops.m_size != lines || fill_tiles(loops)) return false;
    loops.swap_operands();
    return true;
}

/// By one of the engines that take slices one by one, or lines of a batch.
void multiply(Contraction& loops, CpuContext& context, const Provider* blas) {
    if (is_inner_product(loops)) return inner_products(loops, context);
    if (is_low_intensity(loops)) return strided_product(loops, context);
    if (blas != nullptr && blas_product(loops, *blas, context)) return;
    if (direct_product(loops, gemm_kernels(loops.dtype), context)) return;
    turn_sides(loops, gemm_kernels(loops.dtype));
    packed_product(loops, gemm_kernels(loops.dtype), WinnerPass::None, nullptr, context);
}

/// Whether slices of C lie side by side, those of larger operands do not, and C is written number by number
/// to so many lines that the first cache does not keep them.
bool scatters_slices(const Contraction& loops) {
    constexpr Index kMostNumberBytes = 8, kManyNumbers = 64, kNearBytesOfC = 64 << 10;
    if (loops.batch.empty() || loops.k_size == 1 || !lie_side_by_side(loops, kC)) return false;
    if (info(loops.dtype).bytes > kMostNumberBytes || loops.m_size * loops.n_size < kManyNumbers)
        return false;
    const double bytes = size_in_bytes(loops, kC);
    return bytes > kNearBytesOfC && bytes <= kMostMovedBytes && bytes_to_move(loops) > bytes;
}

}  // namespace

void contract(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config,
              const TensorWrite& out, CpuContext& context, const Provider* blas) {
    if (small_matrix_product(lhs, rhs, config, out)) return;
    Contraction loops = analyse(lhs, rhs, config, out);
    if (loops.m_size == 0 || loops.n_size == 0 || loops.batch_size == 0) return;
    if (loops.k_size == 0) return strided_product(loops, context);
    if (small_product(loops)) return;
    if (gate_product(loops, context)) return;
    if (lane_product(loops, context)) return;
    if (const Index count = slices_to_join(loops); count != 0)
        return join_slices(loops, count, context, [&](Contraction& part) { multiply(part, context, blas); });
    if (!scatters_slices(loops)) return multiply(loops, context, blas);
    std::byte* const memory = scratch(ScratchUse::Totals, static_cast<std::size_t>(size_in_bytes(loops, kC)));
    const MovedTensor result(loops, kC, memory, Slices::Apart);
    multiply(loops, context, blas);
    result.bring_home(context);
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
