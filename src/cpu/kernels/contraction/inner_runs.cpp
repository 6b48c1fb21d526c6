// Inner products of rows that lie one step apart, without tables: pieces of such a run of rows stay in a near
// cache while all columns meet them, and each sum is written where it belongs.
#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include "cpu/kernels/contraction/engines.hpp"
#include "cpu/kernels/contraction/gemm_blocking.hpp"
#include "cpu/kernels/contraction/gemm_kernels.hpp"
#include "cpu/kernels/contraction/inner_product_kernels.hpp"
#include "cpu/kernels/contraction/scalar_ops.hpp"
#include "cpu/kernels/loops/watched.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

constexpr Index kLeastPieceBytes = 64 << 10, kMostPieceBytes = 128 << 10, kPiecesOfAll = 16;
/// Bytes of a row from which on a tile has rows of four places, where they come from memory and from caches.
constexpr Index kSpreadFarRow = 192, kSpreadRow = 448;
/// Bytes of a row up to which even one column asks for the next piece.
constexpr Index kShortRow = 1 << 10;

/// Rows of `bytes` each for one task: whole tiles, of four places where there are so many.
Index rows_of_piece(Index all_rows, Index bytes) {
    constexpr Index kFourTiles = 4 * kInnerTile;
    const Index piece = std::clamp(all_rows * bytes / kPiecesOfAll, kLeastPieceBytes, kMostPieceBytes);
    const Index rows = piece / bytes, whole = rows < 2 * kFourTiles ? kInnerTile : kFourTiles;
    return std::max(rows / whole * whole, kInnerTile);
}

template <class T>
class InnerRuns {
public:
    InnerRuns(const Contraction& loops, const CpuContext& context)
        : loops_(loops), kernel_(inner_kernel<T>()), row_(loops.m[0]) {
        for (std::size_t i = 1; i < loops.m.size(); ++i) outer_.push_back(loops.m[i]);
        outer_.append(loops.batch);
        const Index row_bytes = loops.k_size * static_cast<Index>(sizeof(T));
        const Index rows = loops.m_size * loops.batch_size;
        piece_ = rows_of_piece(rows, row_bytes);
        pieces_ = parts(row_.extent, piece_);
        columns_ = parts(loops.n_size, parts(loops.n_size, kernel_.columns));
        const bool far = rows * row_bytes >= context.stream_bytes();
        const bool asks = loops.n_size > 1 || row_bytes <= kShortRow;  // else the processor foresees rows
        if (asks && comes_from_far(loops, gemm_kernels(loops.dtype))) {
            const Index next = pieces_ > 1      ? piece_ * row_.stride[kA]
                               : outer_.empty() ? 0
                                                : outer_[0].stride[kA];
            ahead_ = next * static_cast<Index>(sizeof(T));
        }
        tiles_spread_ = row_bytes >= (far ? kSpreadFarRow : kSpreadRow);
    }

    void run(CpuContext& context) const {
        for_each_range(context, pieces_ * size_of(outer_), runs_alone(loops_),
                       [&](Index begin, Index end) { run_pieces(begin, end); });
    }

private:
    /// Pieces of runs, those of a run one after the other.
    void run_pieces(Index begin, Index end) const {
        InnerRun<T> run{.step = row_.stride[kA],
                        .length = loops_.k_size,
                        .c_step = row_.stride[kC],
                        .tiles_spread = tiles_spread_};
        Watch watch;
        Odometer at(outer_, begin / pieces_);
        for (Index piece = begin % pieces_; begin < end; ++begin) {
            const Index first = piece * piece_;
            run.row_count = std::min(piece_, row_.extent - first);
            run.a = static_cast<const T*>(loops_.a) + at.in(kA) + first * run.step;
            run.ahead = ahead_;
            for (Index n = 0; n < loops_.n_size; n += run.column_count) {
                place_columns(n, at.in(kB), at.in(kC) + first * run.c_step, run);
                kernel_.set(run);
                run.ahead = 0;  // near caches have it now
                watch.did(loops_.k_size * run.row_count / kInnerTile);
            }
            if (++piece < pieces_) continue;
            piece = 0;
            at.advance();
        }
    }

    void place_columns(Index n, Index b, Index c, InnerRun<T>& run) const {
        run.column_count = std::min(columns_, loops_.n_size - n);
        Index in_b[kInnerTile], in_c[kInnerTile];
        fill_offsets(loops_.n, n, n + run.column_count, kB, in_b);
        fill_offsets(loops_.n, n, n + run.column_count, kC, in_c);
        for (Index j = 0; j < run.column_count; ++j) {
            run.columns[j] = static_cast<const T*>(loops_.b) + b + in_b[j];
            run.c[j] = static_cast<T*>(loops_.c) + c + in_c[j];
        }
    }

    const Contraction& loops_;
    const InnerKernel<T> kernel_;
    const LoopAxis row_;
    LoopAxes outer_;  ///< of M but the first, and the batch
    Index piece_, pieces_, columns_;
    Index ahead_ = 0;  ///< bytes to the next piece, which is asked for beside the first columns of this one
    bool tiles_spread_;
};

}  // namespace

bool are_runs(const Contraction& loops, std::size_t operand) noexcept {
    constexpr Index kFillingRun = 32, kNearBytes = 256 << 10, kNeighbours = 4;
    const Index long_run = fill_lines(gemm_kernels(loops.dtype)) ? 12 << 10 : 64 << 10;  // bytes
    const LoopAxes& rows = operand == kA ? loops.m : loops.n;
    if (loops.k.size() != 1 || rows.empty()) return false;
    const Index run = rows[0].extent, step = std::abs(rows[0].stride[operand]);
    if (rows.size() == 1) return run >= kInnerTile;
    if (run % kInnerTile != 0 && run < kFillingRun) return false;
    const Index row_bytes = loops.k_size * static_cast<Index>(info(loops.dtype).bytes);
    return size_of(rows) * row_bytes <= kNearBytes ||
           (run * row_bytes >= long_run && step <= kNeighbours * loops.k_size);
}

void inner_runs(const Contraction& loops, CpuContext& context) {
    visit_numeric(loops.dtype, [&]<class T>() { InnerRuns<T>(loops, context).run(context); });
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
