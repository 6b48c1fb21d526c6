// The strided engine: C is computed in tiles whose offsets in A, B and C come from two small tables, so that
// neither the number of axes nor their extents cost anything per element. K runs outside the loop along a
// line. Operands that lie across the lines are first moved into their order; where C's first axes are short,
// lines have several of them, and vectors find their elements in windows of the operands.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "cpu/kernels/contraction/engines.hpp"
#include "cpu/kernels/contraction/scalar_ops.hpp"
#include "cpu/kernels/contraction/strided_loops.hpp"
#include "cpu/kernels/loops/scratch.hpp"
#include "cpu/kernels/loops/watched.hpp"
#include "cpu/kernels/movement/ordered_copy.hpp"
#include "cpu/kernels/movement/ordered_operands.hpp"
#include "cpu/kernels/movement/tile_walk.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

/// All loops over C, its fastest first.
LoopAxes result_axes(const Contraction& loops) {
    LoopAxes axes = loops.m;
    axes.append(loops.n);
    axes.append(loops.batch);
    std::stable_sort(axes.begin(), axes.end(), [](const LoopAxis& x, const LoopAxis& y) {
        return std::abs(x.stride[kC]) < std::abs(y.stride[kC]);
    });
    fuse(axes);
    return axes;
}

/// A tensor with the axes of C.
TensorRead view_of(const Contraction& loops, const LoopAxes& axes, std::size_t tensor) {
    Dims shape, strides;
    for (const LoopAxis& axis : axes) {
        shape.push_back(axis.extent);
        strides.push_back(axis.stride[tensor]);
    }
    return {loops.dtype, tensor == kA ? loops.a : tensor == kB ? loops.b : loops.c, shape, strides};
}

/// Runs f(loops), where nothing is summed, with operands in C's order that had another and repeat elements.
template <class F>
void with_operands_in_order(const Contraction& loops, CpuContext& context, const F& f) {
    LoopAxes axes = result_axes(loops);
    if (lies_in_order(axes, kA) && lies_in_order(axes, kB)) return f(loops);
    const TensorRead a = view_of(loops, axes, kA), b = view_of(loops, axes, kB), c = view_of(loops, axes, kC);
    const OrderedOperands ordered(c, {&a, &b}, context);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        axes[i].stride[kA] = ordered[0].strides()[i];
        axes[i].stride[kB] = ordered[1].strides()[i];
    }
    fuse(axes);
    f({loops.dtype, ordered[0].data(), ordered[1].data(), loops.c, {}, {}, {}, axes, 1, 1, 1, c.size()});
}

template <class T>
class StridedProduct {
public:
    StridedProduct(OpId op, const Contraction& loops, const CpuContext& context)
        : loops_(loops),
          is_far_(worth_streaming(result_bytes(), operand_bytes(), context)),
          walk_(tiles(context), 1),
          streams_(is_far_ && walk_.line_c.walk == Walk::Unit) {
        const Index line = walk_.plan.line.size, rows = walk_.plan.rows.size;
        pitch_ = line + kCacheLine / kBytes;
        a_.staged = needs_staging(walk_.line_a, walk_.row_a);
        b_.staged = needs_staging(walk_.line_b, walk_.row_b);
        if (a_.staged || b_.staged) {
            for (Index l = 0; l < line; ++l) staged_line_[l] = l * kBytes;
            for (Index r = 0; r < rows; ++r) {
                pitches_[r] = r * pitch_;
                staged_rows_[r] = pitches_[r] * kBytes;
            }
        }
        if (a_.staged) count_bytes(walk_.line_a, walk_.row_a);
        if (b_.staged) count_bytes(walk_.line_b, walk_.row_b);
        joins_ = walk_.plan.line.chunked < 0;
        for (Index r = 0; r < rows; ++r) joins_ = joins_ && walk_.row_c.offsets[r] == r * line;
        choose_walk(a_, kA, walk_.line_a);
        choose_walk(b_, kB, walk_.line_b);
        set_ = pair_loop(op, storage_dtype<T>, a_.walk, b_.walk, false);
        if (loops.k_size > 1)
            add_ = pair_loop(op, storage_dtype<T>, walk_.line_a.walk, walk_.line_b.walk, true);
        streams_lines_ = streams_ && loops.k_size == 1 && line * kBytes >= kLongLine && are_vectors();
    }

    void run(CpuContext& context) const {
        const T *a = a_.elements, *b = b_.elements;
        T* c = static_cast<T*>(loops_.c);
        const bool in_place = loops_.k_size == 1 && walk_.line_c.walk == Walk::Unit;
        walk_.run(context, runs_alone(loops_), [&](const Odometer<3>& at, Index line, Index rows) {
            const T* staged_a = nullptr;
            const T* staged_b = nullptr;
            if (a_.staged)
                staged_a = stage(a + at.in(kA), walk_.line_a, walk_.row_a, line, rows, ScratchUse::PackedA);
            if (b_.staged)
                staged_b = stage(b + at.in(kB), walk_.line_b, walk_.row_b, line, rows, ScratchUse::PackedB);
            const PairRows all{a_.staged ? staged_a : a + at.in(kA),
                               b_.staged ? staged_b : b + at.in(kB),
                               c + at.in(kC),
                               walk_.line_a.offsets,
                               walk_.line_b.offsets,
                               a_.staged ? pitches_ : walk_.row_a.offsets,
                               b_.staged ? pitches_ : walk_.row_b.offsets,
                               walk_.row_c.offsets,
                               line,
                               rows,
                               &a_.windows,
                               &b_.windows,
                               streams_lines_};
            if (in_place && (!streams_ || streams_lines_)) return set_(all);
            if (in_place && joins_) return stream_joined(all);
            for (Index r = 0; r < rows; ++r)
                run_line(static_cast<const T*>(all.a) + all.row_a[r],
                         static_cast<const T*>(all.b) + all.row_b[r], c + at.in(kC) + all.row_totals[r],
                         line);
        });
    }

private:
    static constexpr Index kBytes = sizeof(T);

    struct Operand {
        const T* elements;
        bool staged = false;      // its tiles are moved into C's order
        Walk walk = Walk::Table;  // of a line that is set
        LineWindows windows;
        alignas(kCacheLine) std::byte line[LineWindows::kMostLineBytes];

        explicit Operand(const void* data) : elements(static_cast<const T*>(data)) {}
    };

    static constexpr Index kLongLine = 256;    // bytes; of shorter ones a tile is put together to be streamed
    static constexpr Index kLongShared = 544;  // bytes; shorter lines that are all the same are expanded
    static constexpr Index kLeastStagedRun = 4;  // elements
    static constexpr TileWish kWish{256, 32, 16};

    [[nodiscard]] Index result_bytes() const {
        return loops_.m_size * loops_.n_size * loops_.batch_size * kBytes;
    }

    /// Bytes of a line with windows: they are made for each product and pay after some lines.
    [[nodiscard]] Index windows_line() const {
        return std::clamp<Index>(result_bytes() / 16, 256, LineWindows::kMostLineBytes);
    }

    /// Whether all tensors lie in the third cache, but not in the second.
    [[nodiscard]] bool lies_in_caches(const CpuContext& context) const {
        const Index bytes = result_bytes() + operand_bytes();
        return bytes / context.threads() >= context.stream_bytes() / 16 &&
               bytes <= context.stream_bytes() / 4 * 3;
    }

    [[nodiscard]] TilePlan tiles(const CpuContext& context) const {
        const LoopAxes axes = result_axes(loops_);
        if (loops_.k_size == 1) {
            if (vector_bytes_ > 0) {
                const ShortAxis is_short = is_far_ ? ShortAxis{kLongLine, kLongLine, kLongLine}
                                                   : ShortAxis{vector_bytes_, 32, kLongShared};
                const TilePlan lines = plan_short_axes(axes, kBytes, is_short, windows_line());
                if (!lines.line.axes.empty()) return lines;
            }
            const TilePlan lines = plan_lines(axes, kBytes, lies_in_caches(context));
            if (!lines.line.axes.empty()) return lines;
        }
        return plan_tiles(axes, kWish);
    }

    /// Whether an operand is contiguous along the rows only, so that reading it in C's order would touch each
    /// of its cache lines many times. Only without a K loop.
    [[nodiscard]] bool needs_staging(const OffsetTable<kMostLine>& line,
                                     const OffsetTable<kMostRows>& rows) const {
        return loops_.k_size == 1 && line.walk == Walk::Table && rows.run >= kLeastStagedRun;
    }

    /// How a line of an operand is walked when it is set. What all lines have is expanded once.
    void choose_walk(Operand& operand, std::size_t tensor, const OffsetTable<kMostLine>& table) const {
        const TilePlan& plan = walk_.plan;
        operand.walk = operand.staged ? Walk::Unit : table.walk;
        if (!plan.has_runs || operand.walk != Walk::Table) return;
        if (repeats(plan.rows.axes, tensor) && repeats(plan.rest, tensor)) {
            for (Index l = 0; l < plan.line.size; ++l)
                std::memcpy(operand.line + l * kBytes, operand.elements + table.offsets[l], kBytes);
            operand.elements = reinterpret_cast<const T*>(operand.line);
            operand.walk = Walk::Unit;
        } else if (operand.windows.fill(table.offsets, plan.line.size, kBytes, vector_bytes_)) {
            operand.walk = Walk::Window;
        }
    }

    void count_bytes(OffsetTable<kMostLine>& line, OffsetTable<kMostRows>& rows) const {
        for (Index l = 0; l < walk_.plan.line.size; ++l) line.offsets[l] *= kBytes;
        for (Index r = 0; r < walk_.plan.rows.size; ++r) rows.offsets[r] *= kBytes;
    }

    /// The operand's part of a tile in C's order: rows pitch_ apart.
    const T* stage(const T* from, const OffsetTable<kMostLine>& from_line,
                   const OffsetTable<kMostRows>& from_rows, Index line, Index rows, ScratchUse use) const {
        std::byte* const to = scratch(use, static_cast<std::size_t>(walk_.plan.rows.size * pitch_ * kBytes));
        move_({reinterpret_cast<const std::byte*>(from), from_line.offsets, from_rows.offsets, to,
               staged_line_, staged_rows_, line, rows, line, from_rows.run});
        return reinterpret_cast<const T*>(to);
    }

    /// Elements that the operands repeat count once.
    [[nodiscard]] Index operand_bytes() const {
        Index elements = 0;
        for (const std::size_t tensor : {kA, kB}) {
            Index in_operand = 1;
            for (const LoopAxes* axes : {&loops_.m, &loops_.n, &loops_.k, &loops_.batch})
                in_operand *= distinct_elements(*axes, tensor);
            elements += in_operand;
        }
        return elements * kBytes;
    }

    /// Whether lines can be streamed from registers: operands are vectors or one number along them, or of
    /// windows where all vectors of C are aligned.
    [[nodiscard]] bool are_vectors() const {
        const bool has_table = a_.walk == Walk::Table || b_.walk == Walk::Table;
        const bool has_windows = a_.walk == Walk::Window || b_.walk == Walk::Window;
        return !has_table && (!has_windows || has_aligned_lines());
    }

    /// Whether lines of C begin and, but for the last chunks, end where cache lines do.
    [[nodiscard]] bool has_aligned_lines() const {
        const auto are_aligned = [](const LoopAxes& axes) {
            return std::all_of(axes.begin(), axes.end(), [](const LoopAxis& axis) {
                return axis.stride[kC] * kBytes % kCacheLine == 0;
            });
        };
        return bytes_to_line(loops_.c) == 0 && walk_.plan.line.size * kBytes % kCacheLine == 0 &&
               are_aligned(walk_.plan.rows.axes) && are_aligned(walk_.plan.rest);
    }

    /// A tile whose rows follow each other in C, from near memory.
    void stream_joined(PairRows rows) const {
        const Index size = rows.size * rows.rows;
        std::byte* const near = scratch(ScratchUse::Lines, static_cast<std::size_t>(size * kBytes));
        void* const to = rows.totals;
        rows.totals = near;
        set_(rows);
        stream_line_(static_cast<std::byte*>(to), near, size * kBytes);
    }

    /// One line of a tile of C.
    void run_line(const T* a, const T* b, T* c, Index size) const {
        alignas(T) std::byte memory[kMostLine * kBytes];  // complex numbers would be set to zero
        T* const buffer = reinterpret_cast<T*>(memory);
        T* totals = streams_ || walk_.line_c.walk == Walk::Table ? buffer : c;
        if (loops_.k_size == 0)
            std::fill_n(totals, size, T{});
        else
            sum_products(a, b, totals, size);
        if (streams_)
            stream_line_(reinterpret_cast<std::byte*>(c), memory, size * kBytes);
        else if (totals == buffer)
            for (Index i = 0; i < size; ++i) c[walk_.line_c.offsets[i]] = buffer[i];
    }

    void sum_products(const T* a, const T* b, T* totals, Index size) const {
        static constexpr Index kOneRow[] = {0};
        PairRows row{a,       b,    totals, walk_.line_a.offsets, walk_.line_b.offsets, kOneRow, kOneRow,
                     kOneRow, size, 1,      &a_.windows,          &b_.windows};
        set_(row);
        if (loops_.k_size == 1) return;
        Odometer at(loops_.k, 0);
        const auto add_steps = [&](Index begin, Index end) {
            for (Index k = begin; k < end; ++k) {
                at.advance();
                row.a = a + at.in(kA);
                row.b = b + at.in(kB);
                add_(row);
            }
        };
        for_each_piece(loops_.k_size - 1, size, add_steps);
    }

    const Contraction& loops_;
    const bool is_far_;  // what goes past the caches where lines of C are contiguous
    const Index vector_bytes_ = window_bytes();
    TileWalk walk_;
    const bool streams_;
    const MoveTile move_ = tile_mover(kBytes);
    const MoveLine stream_line_ = line_streamer();
    Index staged_line_[kMostLine], staged_rows_[kMostRows], pitches_[kMostRows];
    Index pitch_;
    bool joins_;          // rows of a tile follow each other in C
    bool streams_lines_;  // past the caches from registers
    Operand a_{loops_.a}, b_{loops_.b};
    PairLoop set_, add_;
};

}  // namespace

void strided_product(const Contraction& loops, CpuContext& context) {
    const auto run = [&context](const Contraction& in_order) { strided_pairs(OpId::Mul, in_order, context); };
    loops.k_size == 1 ? with_operands_in_order(loops, context, run) : run(loops);
}

void strided_pairs(OpId op, const Contraction& loops, CpuContext& context) {
    visit_numeric(loops.dtype, [&]<class T>() { StridedProduct<T>(op, loops, context).run(context); });
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
