// The inner-product engine: one side of C is short, and K is contiguous in both operands. Bands of rows that
// stay in a near cache meet all columns, which stay there too. K is cut into pieces of fixed length, whose
// partial sums are added in order, so that a single long sum can use several threads.
#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>

#include "cpu/caches.hpp"
#include "cpu/kernels/contraction/engines.hpp"
#include "cpu/kernels/contraction/gemm_blocking.hpp"
#include "cpu/kernels/contraction/gemm_kernels.hpp"
#include "cpu/kernels/contraction/inner_product_kernels.hpp"
#include "cpu/kernels/contraction/scalar_ops.hpp"
#include "cpu/kernels/loops/scratch.hpp"
#include "cpu/kernels/loops/watched.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

/// Elements of K between two additions to C; part of the result's definition, so it does not depend on the
/// threads.
constexpr Index kPiece = 16384;
/// At most, of rows that meet all columns: where they come from far caches, or lie near.
constexpr Index kBandRows = 256, kNearBandRows = 64, kBandBytes = 128 << 10;

/// Room for the sums of a band, of which few may be needed.
template <class T>
class Sums {
public:
    T* zeros(Index count) {
        T* const first = reinterpret_cast<T*>(memory_);
        std::uninitialized_fill_n(first, count, T{});
        return first;
    }

private:
    alignas(T) std::byte memory_[sizeof(T) * kInnerTile * kBandRows];
};

template <class T>
class InnerProducts {
public:
    InnerProducts(const Contraction& loops, bool joins_slices)
        : loops_(loops),
          kernel_(inner_kernel<T>()),
          joins_slices_(joins_slices),
          row_tiles_(parts(loops.m_size, kInnerTile)),
          columns_(parts(loops.n_size, parts(loops.n_size, kernel_.columns))),
          pieces_(parts(loops.k_size, kPiece)),
          asks_(loops.n_size > 1 && comes_from_far(loops, gemm_kernels(loops.dtype))),
          spread_(is_spread()),
          band_tiles_(std::clamp<Index>(kBandBytes / static_cast<Index>(sizeof(T)) / loops.k_size, kInnerTile,
                                        spread_ ? kBandRows : kNearBandRows) /
                      kInnerTile) {}

    void run(CpuContext& context) const {
        const Index tiles = row_tiles_ * loops_.batch_size;
        const bool alone = runs_alone(loops_);
        const bool watched = !alone && is_watched();
        if (!alone && (watched || tiles < context.threads()) && pieces_ > 1 && tiles <= context.threads())
            return sum_pieces(tiles, context);
        for_each_range(context, tiles, alone, [&](Index begin, Index end) { run_tiles(begin, end); });
    }

private:
    /// Tiles that are side by side in M and the columns that they meet: the offsets of both.
    struct Band {
        Index rows[kBandRows], shifts[kBandRows], c_rows[kBandRows];
        Index columns[kInnerTile], c_columns[kInnerTile];
        Index row_count, column_count;
        Index padded_rows;  ///< whole tiles, or 1 for a dot product
        Index b_batch;      ///< the offset in B of the batch
        Index ahead;        ///< bytes from each row to that of the next band, which is asked for; 0: none

        /// How many sums it has: [column][row] with padded rows.
        [[nodiscard]] Index sum_count() const { return padded_rows * column_count; }
    };

    /// The rows of at most `count` tiles from `tile` on, with the offsets of the batch; how many it has.
    Index place_rows(Index tile, Index count, Band& band) const;
    /// The columns from `n` on; how many it has.
    Index place_columns(Index n, Band& band) const;
    /// Missing rows repeat the last one.
    static void pad(Index* offsets, const Band& band) {
        std::fill(offsets + band.row_count, offsets + band.padded_rows, offsets[band.row_count - 1]);
    }
    /// Whether rows that follow each other come from far: then a tile has rows from every quarter of the
    /// band, so that memory is read in four places side by side.
    [[nodiscard]] bool is_spread() const {
        constexpr Index kCacheBytes = 256 << 10, kBytes = sizeof(T);
        return !joins_slices_ && loops_.m_size * loops_.k_size * kBytes > kCacheBytes && !loops_.m.empty() &&
               std::abs(loops_.m[0].stride[kA]) * kBytes <= kPageBytes;
    }
    /// Puts the offsets of rows in the order of such tiles, where they are whole.
    static void spread(Index* offsets, const Band& band);
    void split_piece(Index piece, Segments& segments) const;
    void add_piece(const Band& band, const Segments& segments, T* sums) const;
    void store(const Band& band, const T* sums) const;
    void run_tiles(Index begin, Index end) const;
    void run_columns(const Band& band, const Segments& first_piece, Watch& watch) const;
    void sum_pieces(Index tiles, CpuContext& context) const;

    const Contraction& loops_;
    const InnerKernel<T> kernel_;
    const bool joins_slices_;  ///< each row has columns of its own
    const Index row_tiles_, columns_, pieces_;
    const bool asks_;  ///< for the rows of the next band, beside the first columns of this one
    const bool spread_;
    const Index band_tiles_;
};

template <class T>
Index InnerProducts<T>::place_rows(Index tile, Index count, Band& band) const {
    const Odometer batch(loops_.batch, tile / row_tiles_);
    const Index first = tile % row_tiles_, m = first * kInnerTile;
    count = std::min({count, row_tiles_ - first, band_tiles_});
    band.row_count = std::min(count * kInnerTile, loops_.m_size - m);
    band.padded_rows = loops_.m_size == 1 ? 1 : parts(band.row_count, kInnerTile) * kInnerTile;
    fill_offsets(loops_.m, m, m + band.row_count, kA, band.rows);
    fill_offsets(loops_.m, m, m + band.row_count, kC, band.c_rows);
    Index next = band.rows[0];
    if (asks_ && m + band.row_count < loops_.m_size)
        fill_offsets(loops_.m, m + band.row_count, m + band.row_count + 1, kA, &next);
    band.ahead = (next - band.rows[0]) * static_cast<Index>(sizeof(T));
    for (Index i = 0; i < band.row_count; ++i) {
        band.rows[i] += batch.in(kA);
        band.c_rows[i] += batch.in(kC);
    }
    pad(band.rows, band);
    if (spread_) {
        spread(band.rows, band);
        spread(band.c_rows, band);
    }
    if (joins_slices_) {
        fill_offsets(loops_.m, m, m + band.row_count, kB, band.shifts);
        pad(band.shifts, band);
    }
    band.b_batch = batch.in(kB);
    return count;
}

template <class T>
void InnerProducts<T>::spread(Index* offsets, const Band& band) {
    if (band.row_count <= kInnerTile || band.row_count != band.padded_rows) return;
    const Index tiles = band.row_count / kInnerTile;
    std::array<Index, kBandRows> given;
    std::copy_n(offsets, band.row_count, given.data());
    for (Index tile = 0; tile < tiles; ++tile)
        for (Index i = 0; i < kInnerTile; ++i) *offsets++ = given[i * tiles + tile];
}

template <class T>
Index InnerProducts<T>::place_columns(Index n, Band& band) const {
    band.column_count = std::min(columns_, loops_.n_size - n);
    fill_offsets(loops_.n, n, n + band.column_count, kB, band.columns);
    fill_offsets(loops_.n, n, n + band.column_count, kC, band.c_columns);
    for (Index j = 0; j < band.column_count; ++j) band.columns[j] += band.b_batch;
    return band.column_count;
}

template <class T>
void InnerProducts<T>::split_piece(Index piece, Segments& segments) const {
    split_into_segments(loops_.k, piece * kPiece, std::min((piece + 1) * kPiece, loops_.k_size), segments);
}

template <class T>
void InnerProducts<T>::add_piece(const Band& band, const Segments& segments, T* sums) const {
    InnerBand<T> run{.rows = band.rows,
                     .row_count = band.padded_rows,
                     .column_count = band.column_count,
                     .shifts = joins_slices_ ? band.shifts : nullptr,
                     .ahead = band.ahead,
                     .sums = sums};
    for (const Segment& segment : segments) {
        run.a = static_cast<const T*>(loops_.a) + segment.a;
        for (Index j = 0; j < band.column_count; ++j)
            run.columns[j] = static_cast<const T*>(loops_.b) + band.columns[j] + segment.b;
        run.length = segment.length;
        kernel_.add(run);
    }
}

template <class T>
void InnerProducts<T>::store(const Band& band, const T* sums) const {
    for (Index j = 0; j < band.column_count; ++j) {
        T* const c = static_cast<T*>(loops_.c) + band.c_columns[j];
        for (Index i = 0; i < band.row_count; ++i) c[band.c_rows[i]] = sums[j * band.padded_rows + i];
    }
}

template <class T>
void add_sums(T* to, const T* from, Index count) {
    for (Index i = 0; i < count; ++i) to[i] = sum(to[i], from[i]);
}

template <class T>
void InnerProducts<T>::run_tiles(Index begin, Index end) const {
    Segments segments;
    split_piece(0, segments);
    Band band;
    for (Watch watch; begin < end;) {
        begin += place_rows(begin, end - begin, band);
        for (Index n = 0; n < loops_.n_size;) {
            n += place_columns(n, band);
            run_columns(band, segments, watch);
            band.ahead = 0;  // near caches have it now
        }
    }
}

template <class T>
void InnerProducts<T>::run_columns(const Band& band, const Segments& first_piece, Watch& watch) const {
    Sums<T> memory;
    T* const total = memory.zeros(band.sum_count());
    add_piece(band, first_piece, total);
    watch.did(std::min(kPiece, loops_.k_size) * band.row_count / kInnerTile);
    for (Index piece = 1; piece < pieces_; ++piece) {
        Sums<T> more;
        T* const part = more.zeros(band.sum_count());
        Segments segments;
        split_piece(piece, segments);
        add_piece(band, segments, part);
        add_sums(total, part, band.sum_count());
        watch.did(kPiece * band.row_count / kInnerTile);
    }
    store(band, total);
}

template <class T>
void InnerProducts<T>::sum_pieces(Index tiles, CpuContext& context) const {
    constexpr Index kSums = kInnerTile * kInnerTile;
    auto* parts = reinterpret_cast<T*>(
        scratch(ScratchUse::PackedA, sizeof(T) * static_cast<std::size_t>(pieces_ * kSums)));
    Band band;
    for (Index tile = 0; tile < tiles; ++tile) {
        place_rows(tile, 1, band);
        for (Index n = 0; n < loops_.n_size;) {
            n += place_columns(n, band);
            context.parallel_for(pieces_, [&](Index piece) {
                Segments segments;
                split_piece(piece, segments);
                std::fill_n(parts + piece * kSums, kSums, T{});
                add_piece(band, segments, parts + piece * kSums);
            });
            T total[kSums]{};
            for (Index piece = 0; piece < pieces_; ++piece) add_sums(total, parts + piece * kSums, kSums);
            store(band, total);
        }
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

/// Makes the rows of all slices those of one product.
void join_batch(Contraction& loops) {
    loops.m.append(loops.batch);
    loops.m_size *= loops.batch_size;
    loops.batch.clear();
    loops.batch_size = 1;
}

template <class T>
void run(Contraction& loops, CpuContext& context) {
    if (loops.k[0].stride[kB] != 1) make_rhs_contiguous<T>(loops);
    if (loops.k_size <= kPiece && are_runs(loops, kA)) return inner_runs(loops, context);
    const bool joins = loops.batch_size > 1 && loops.m_size <= kInnerTile;
    if (joins) join_batch(loops);
    InnerProducts<T>(loops, joins).run(context);
}

}  // namespace

void inner_products(Contraction& loops, CpuContext& context) {
    visit_numeric(loops.dtype, [&]<class T>() { run<T>(loops, context); });
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
