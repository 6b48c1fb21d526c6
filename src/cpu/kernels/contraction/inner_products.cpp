// The inner-product engine: C has few rows or few columns, and K is contiguous in both operands. K is cut
// into pieces of fixed length, whose partial sums are added in order, so that a single long sum can use
// several threads.
#include <algorithm>

#include "cpu/kernels/contraction/engines.hpp"
#include "cpu/kernels/contraction/inner_product_kernels.hpp"
#include "cpu/kernels/contraction/scalar_ops.hpp"
#include "cpu/kernels/loops/scratch.hpp"
#include "cpu/kernels/loops/watched.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

/// Elements of K between two additions to C; part of the result's definition, so it does not depend on the
/// threads.
constexpr Index kPiece = 16384;
constexpr Index kBandRows = 256;  ///< of tiles whose offsets are looked up together

template <class T>
class InnerProducts {
public:
    explicit InnerProducts(const Contraction& loops)
        : loops_(loops),
          kernel_(inner_kernel<T>()),
          row_tiles_((loops.m_size + kInnerTile - 1) / kInnerTile),
          column_tiles_((loops.n_size + kInnerTile - 1) / kInnerTile),
          pieces_((loops.k_size + kPiece - 1) / kPiece) {}

    void run(CpuContext& context) const {
        const Index tiles = row_tiles_ * column_tiles_ * loops_.batch_size;
        const bool alone = runs_alone(loops_);
        const bool watched = !alone && is_watched();
        if (!alone && (watched || tiles < context.threads()) && pieces_ > 1 && tiles <= context.threads())
            return sum_pieces(tiles, context);
        for_each_range(context, tiles, alone, [&](Index begin, Index end) { run_tiles(begin, end); });
    }

private:
    /// Offsets of tiles that are side by side in M: their rows, and the columns that they share.
    struct Band {
        Index rows[kBandRows], c_rows[kBandRows];
        Index columns[kInnerTile], c_columns[kInnerTile];
        Index row_count, column_count;

        [[nodiscard]] Index rows_of(Index row) const { return std::min(kInnerTile, row_count - row); }
    };

    /// The band of at most `count` tiles from `tile` on, with the offsets of the batch; how many it has.
    Index place(Index tile, Index count, Band& band) const;
    void split_piece(Index piece, Segments& segments) const;
    void add_piece(const Band& band, Index row, const Segments& segments, InnerTile<T>& tile) const;
    void store(const Band& band, Index row, const InnerTile<T>& tile) const;
    void run_tiles(Index begin, Index end) const;
    void sum_pieces(Index tiles, CpuContext& context) const;

    const Contraction& loops_;
    const InnerKernel<T> kernel_;
    const Index row_tiles_, column_tiles_, pieces_;
};

template <class T>
Index InnerProducts<T>::place(Index tile, Index count, Band& band) const {
    const Index first = tile % row_tiles_, column_tile = tile / row_tiles_;
    const Odometer batch(loops_.batch, column_tile / column_tiles_);
    const Index m = first * kInnerTile, n = column_tile % column_tiles_ * kInnerTile;
    count = std::min({count, row_tiles_ - first, kBandRows / kInnerTile});
    band.row_count = std::min(count * kInnerTile, loops_.m_size - m);
    band.column_count = std::min(kInnerTile, loops_.n_size - n);
    fill_offsets(loops_.m, m, m + band.row_count, kA, band.rows);
    fill_offsets(loops_.m, m, m + band.row_count, kC, band.c_rows);
    fill_offsets(loops_.n, n, n + band.column_count, kB, band.columns);
    fill_offsets(loops_.n, n, n + band.column_count, kC, band.c_columns);
    for (Index i = 0; i < band.row_count; ++i) {
        band.rows[i] += batch.in(kA);
        band.c_rows[i] += batch.in(kC);
    }
    for (Index j = 0; j < band.column_count; ++j) band.columns[j] += batch.in(kB);
    return count;
}

template <class T>
void InnerProducts<T>::split_piece(Index piece, Segments& segments) const {
    split_into_segments(loops_.k, piece * kPiece, std::min((piece + 1) * kPiece, loops_.k_size), segments);
}

template <class T>
void InnerProducts<T>::add_piece(const Band& band, Index row, const Segments& segments,
                                 InnerTile<T>& tile) const {
    tile.row_count = band.rows_of(row);
    tile.column_count = band.column_count;
    for (const Segment& segment : segments) {
        for (Index i = 0; i < kInnerTile; ++i) {  // missing rows and columns repeat the last one
            tile.rows[i] = static_cast<const T*>(loops_.a) +
                           band.rows[row + std::min(i, tile.row_count - 1)] + segment.a;
            tile.columns[i] = static_cast<const T*>(loops_.b) +
                              band.columns[std::min(i, tile.column_count - 1)] + segment.b;
        }
        tile.length = segment.length;
        kernel_(tile);
    }
}

template <class T>
void InnerProducts<T>::store(const Band& band, Index row, const InnerTile<T>& tile) const {
    const Index row_count = band.rows_of(row);
    for (Index j = 0; j < band.column_count; ++j)
        for (Index i = 0; i < row_count; ++i)
            static_cast<T*>(loops_.c)[band.c_rows[row + i] + band.c_columns[j]] = tile.sums[i][j];
}

template <class T>
void add_sums(InnerTile<T>& to, const InnerTile<T>& from) {
    for (Index i = 0; i < kInnerTile; ++i)
        for (Index j = 0; j < kInnerTile; ++j) to.sums[i][j] = sum(to.sums[i][j], from.sums[i][j]);
}

template <class T>
void InnerProducts<T>::run_tiles(Index begin, Index end) const {
    Segments segments;
    split_piece(0, segments);
    Band band;
    for (Watch watch; begin < end;) {
        const Index count = place(begin, end - begin, band);
        begin += count;
        for (Index row = 0; row < band.row_count; row += kInnerTile) {
            InnerTile<T> total{};
            add_piece(band, row, segments, total);
            for (Index piece = 1; piece < pieces_; ++piece) {
                InnerTile<T> part{};
                split_piece(piece, segments);
                add_piece(band, row, segments, part);
                add_sums(total, part);
                watch.did(kPiece);
            }
            if (pieces_ > 1) split_piece(0, segments);
            store(band, row, total);
            watch.did(std::min(kPiece, loops_.k_size));
        }
    }
}

template <class T>
void InnerProducts<T>::sum_pieces(Index tiles, CpuContext& context) const {
    auto* parts = reinterpret_cast<InnerTile<T>*>(
        scratch(ScratchUse::PackedA, sizeof(InnerTile<T>) * static_cast<std::size_t>(pieces_)));
    for (Index t = 0; t < tiles; ++t) {
        Band band;
        place(t, 1, band);
        context.parallel_for(pieces_, [&](Index piece) {
            Segments segments;
            split_piece(piece, segments);
            parts[piece] = InnerTile<T>{};
            add_piece(band, 0, segments, parts[piece]);
        });
        InnerTile<T> total{};
        for (Index piece = 0; piece < pieces_; ++piece) add_sums(total, parts[piece]);
        store(band, 0, total);
    }
}

/// Copies B to memory where K is contiguous and describes the copy by new strides; the copy's axes are K, N,
/// batch.
template <class T>
void make_rhs_contiguous(Contraction& loops) {
    const Index lines = loops.n_size * loops.batch_size;
    LoopAxes line_axes = loops.n;
    line_axes.append(loops.batch);
    auto* copy = reinterpret_cast<T*>(
        scratch(ScratchUse::PackedB, sizeof(T) * static_cast<std::size_t>(lines * loops.k_size)));
    Odometer line(line_axes, 0);
    const T* b = static_cast<const T*>(loops.b);
    for (Index i = 0; i < lines; ++i, line.advance()) {
        Odometer at(loops.k, 0);
        for_each_piece(loops.k_size, 1, [&](Index begin, Index end) {
            for (Index k = begin; k < end; ++k, at.advance())
                copy[i * loops.k_size + k] = b[line.in(kB) + at.in(kB)];
        });
    }
    Index stride = 1;
    for (LoopAxes* axes : {&loops.k, &loops.n, &loops.batch})
        for (LoopAxis& axis : *axes) {
            axis.stride[kB] = stride;
            stride *= axis.extent;
        }
    fuse(loops.k);
    loops.b = copy;
}

template <class T>
void run(Contraction& loops, CpuContext& context) {
    if (loops.k[0].stride[kB] != 1) make_rhs_contiguous<T>(loops);
    InnerProducts<T>(loops).run(context);
}

}  // namespace

void inner_products(Contraction& loops, CpuContext& context) {
    visit_numeric(loops.dtype, [&]<class T>() { run<T>(loops, context); });
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
