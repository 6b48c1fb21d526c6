// The inner-product engine: C has few rows or few columns, and K is contiguous in both operands. K is cut
// into pieces of fixed length, whose partial sums are added in order, so that a single long sum can use
// several threads.
#include <algorithm>
#include <complex>

#include "cpu/kernels/contraction/engines.hpp"
#include "cpu/kernels/contraction/inner_product_kernels.hpp"
#include "cpu/kernels/loops/scratch.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

/// Elements of K between two additions to C; part of the result's definition, so it does not depend on the
/// threads.
constexpr Index kPiece = 16384;

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
        const bool alone = loops_.multiply_adds() < kParallelMultiplyAdds;
        const bool watched = !alone && is_watched();
        if (!alone && (watched || tiles < context.threads()) && pieces_ > 1 && tiles <= context.threads())
            return sum_pieces(tiles, context);
        for_each_range(context, tiles, alone, [&](Index begin, Index end) { run_tiles(begin, end); });
    }

private:
    struct Place {
        Index rows[kInnerTile], columns[kInnerTile];      ///< offsets in A and B
        Index c_rows[kInnerTile], c_columns[kInnerTile];  ///< offsets in C, the batch included in the rows
        Index row_count, column_count;
    };

    [[nodiscard]] Place place(Index tile) const;
    void add_piece(const Place& where, Index piece, Segments& segments, InnerTile<T>& tile) const;
    void store(const Place& where, const InnerTile<T>& tile) const;
    void run_tiles(Index begin, Index end) const;
    void sum_pieces(Index tiles, CpuContext& context) const;

    const Contraction& loops_;
    const InnerKernel<T> kernel_;
    const Index row_tiles_, column_tiles_, pieces_;
};

template <class T>
auto InnerProducts<T>::place(Index tile) const -> Place {
    const Odometer batch(loops_.batch, tile / (row_tiles_ * column_tiles_));
    const Index m = tile % row_tiles_ * kInnerTile, n = tile / row_tiles_ % column_tiles_ * kInnerTile;
    Place where;
    where.row_count = std::min(kInnerTile, loops_.m_size - m);
    where.column_count = std::min(kInnerTile, loops_.n_size - n);
    fill_offsets(loops_.m, m, m + where.row_count, kA, where.rows);
    fill_offsets(loops_.m, m, m + where.row_count, kC, where.c_rows);
    fill_offsets(loops_.n, n, n + where.column_count, kB, where.columns);
    fill_offsets(loops_.n, n, n + where.column_count, kC, where.c_columns);
    for (Index i = 0; i < kInnerTile; ++i) {  // missing rows and columns repeat the last one
        where.rows[i] = i < where.row_count ? where.rows[i] + batch.in(kA) : where.rows[i - 1];
        where.columns[i] = i < where.column_count ? where.columns[i] + batch.in(kB) : where.columns[i - 1];
        if (i < where.row_count) where.c_rows[i] += batch.in(kC);
    }
    return where;
}

template <class T>
void InnerProducts<T>::add_piece(const Place& where, Index piece, Segments& segments,
                                 InnerTile<T>& tile) const {
    split_into_segments(loops_.k, piece * kPiece, std::min((piece + 1) * kPiece, loops_.k_size), segments);
    tile.row_count = where.row_count;
    tile.column_count = where.column_count;
    for (const Segment& segment : segments) {
        for (Index i = 0; i < kInnerTile; ++i) {
            tile.rows[i] = static_cast<const T*>(loops_.a) + where.rows[i] + segment.a;
            tile.columns[i] = static_cast<const T*>(loops_.b) + where.columns[i] + segment.b;
        }
        tile.length = segment.length;
        kernel_(tile);
    }
}

template <class T>
void InnerProducts<T>::store(const Place& where, const InnerTile<T>& tile) const {
    for (Index j = 0; j < where.column_count; ++j)
        for (Index i = 0; i < where.row_count; ++i)
            static_cast<T*>(loops_.c)[where.c_rows[i] + where.c_columns[j]] = tile.sums[i][j];
}

template <class T>
void add_sums(InnerTile<T>& to, const InnerTile<T>& from) {
    for (Index i = 0; i < kInnerTile; ++i)
        for (Index j = 0; j < kInnerTile; ++j) to.sums[i][j] += from.sums[i][j];
}

template <class T>
void InnerProducts<T>::run_tiles(Index begin, Index end) const {
    Segments segments;
    for (Watch watch; begin < end; ++begin) {
        const Place where = place(begin);
        InnerTile<T> total{};
        for (Index piece = 0; piece < pieces_; ++piece) {
            InnerTile<T> part{};
            add_piece(where, piece, segments, part);
            add_sums(total, part);
            watch.did(std::min(kPiece, loops_.k_size));
        }
        store(where, total);
    }
}

template <class T>
void InnerProducts<T>::sum_pieces(Index tiles, CpuContext& context) const {
    auto* parts = reinterpret_cast<InnerTile<T>*>(
        scratch(ScratchUse::PackedA, sizeof(InnerTile<T>) * static_cast<std::size_t>(pieces_)));
    for (Index t = 0; t < tiles; ++t) {
        const Place where = place(t);
        context.parallel_for(pieces_, [&](Index piece) {
            Segments segments;
            parts[piece] = InnerTile<T>{};
            add_piece(where, piece, segments, parts[piece]);
        });
        InnerTile<T> total{};
        for (Index piece = 0; piece < pieces_; ++piece) add_sums(total, parts[piece]);
        store(where, total);
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
    switch (loops.dtype) {
        case DType::F32: return run<float>(loops, context);
        case DType::F64: return run<double>(loops, context);
        case DType::C32: return run<std::complex<float>>(loops, context);
        default: return run<std::complex<double>>(loops, context);
    }
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
