// The walk over lines: tiles of a StridedLoop are cut into blocks of elements that fit in L1; what is not
// contiguous in a block is gathered before the kernel and scattered after it. Small tensors are one block.
#include "cpu/kernels/elementwise/line_walk.hpp"

#include <atomic>
#include <cstdint>
#include <numeric>

#include "cpu/kernels/contraction/contract.hpp"
#include "cpu/kernels/loops/partition.hpp"
#include "cpu/kernels/loops/scratch.hpp"
#include "cpu/kernels/loops/strided_loop.hpp"
#include "cpu/kernels/movement/line_gather.hpp"
#include "cpu/kernels/movement/near_copy.hpp"
#include "cpu/kernels/movement/ordered_operands.hpp"
#include "cpu/kernels/movement/streaming.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

constexpr Index kBlockBytes = 4096;   // of an operand in near memory: four take half of L1
constexpr Index kShortRow = 32;       // rows that are shorter are gathered, to be computed together
constexpr Index kLongRow = 64;        // the same where the output is one line; longer ones bear a call each
constexpr Index kOnceRow = 256;       // and what is gathered is the same for all tiles
constexpr Index kStreamedRow = 1536;  // bytes: of shorter rows too many end within a cache line
constexpr Index kAhead = 8;           // rows between the prefetch of an output row and its turn
constexpr Index kLongLine = 512;      // elements from which on lines from far are worth their own way
constexpr Index kSmallSize = 4096;    // up to here a compact call is one line at once
constexpr Index kFar = 1 << 17;       // elements of an output from which on its lines wait for memory
constexpr Index kLeastPlanned =
    1 << 14;                           // bytes of a result from which on other ways than that are looked for
constexpr Index kNearBytes = 1 << 16;  // up to here, of each operand, other calls are one line in near memory

template <std::size_t N>
std::array<const Dims*, N> strides_of(const std::array<const TensorRead*, N>& operands) {
    std::array<const Dims*, N> strides;
    for (std::size_t k = 0; k < N; ++k) strides[k] = &operands[k]->strides();
    return strides;
}

Index width_of(const TensorRead& view) { return static_cast<Index>(info(view.dtype()).bytes); }

/// One operand of a walk.
struct Operand {
    std::byte* data;
    Index width, stride;  // of an element in bytes; along the run in elements
    bool is_line;         // whether the elements of a tile lie one after the other
};

/// Bytes of the widest elements.
template <std::size_t N>
Index widest_element(const std::array<const TensorRead*, N>& operands) {
    std::size_t widest = 0;
    for (const TensorRead* operand : operands) widest = std::max(widest, info(operand->dtype()).bytes);
    return static_cast<Index>(widest);
}

template <std::size_t N>
Index widest_bytes(const std::array<const TensorRead*, N>& operands) {
    return operands[0]->size() * widest_element(operands);
}

/// Walks N operands of which the first is written (kWrites) or all are read.
template <std::size_t N, bool kWrites>
class LineWalk {
public:
    /// `line_streams` says that the line function can store past the caches itself.
    LineWalk(std::span<const Index> shape, const std::array<const TensorRead*, N>& operands,
             const CpuContext& context, bool line_streams = false)
        : loop_(shape, strides_of(operands), kBlockBytes / widest_element(operands)),
          line_streams_(line_streams) {
        for (std::size_t k = 0; k < N; ++k)
            operands_[k] = {const_cast<std::byte*>(static_cast<const std::byte*>(operands[k]->data())),
                            width_of(*operands[k]), loop_.run_stride()[k], loop_.is_line(k)};
        block_ = kBlockBytes / widest_element(operands);
        bool is_gathered_once = true;
        for (std::size_t k = 0; k < N; ++k)
            is_gathered_once = is_gathered_once && (operands_[k].is_line || (k > 0 && loop_.repeats(k)));
        joins_ = loop_.run_extent() < (is_gathered_once       ? kOnceRow
                                       : operands_[0].is_line ? kLongRow
                                                              : kShortRow);
        if constexpr (kWrites)
            streams_ = worth_streaming(bytes_of(*operands[0]), read_bytes(operands), context) &&
                       !is_operand_again(operands) &&
                       (joins_ || loop_.run_extent() * operands_[0].width >= kStreamedRow);
        stream_ = streams_ && !is_regathered();
    }

    /// The only operand of a binary operation that is one element along rows that bear a call each, 0 where
    /// there is none.
    [[nodiscard]] std::size_t fixed_operand() const noexcept {
        std::size_t fixed = 0;
        for (std::size_t k = 0; k < N; ++k) {
            if (operands_[k].stride == 1) continue;
            if (operands_[k].stride != 0 || fixed != 0 || k == 0) return 0;
            fixed = k;
        }
        return N == 3 && loop_.run_extent() >= kLongRow ? fixed : 0;
    }
    /// From now on `line` gets that operand where it is, and one row at a time; it can store past the caches.
    void keep_fixed(std::size_t operand) noexcept {
        fixed_ = operand;
        stream_ = streams_;
    }

    /// Calls line(pointers to the operands' elements, count, whether the first is to be stored past the
    /// caches) for all of them, in parallel when there is enough to do.
    template <class Line>
    void run(CpuContext& context, const Line& line) const {
        loop_.run_chunks(
            context,
            [&](const auto& visit_tiles) {
                Near near;
                visit_tiles([&](const Offsets<N>& origin, std::span<const Offsets<N>> rows, Index count) {
                    visit_tile(near, origin, rows, count, line);
                });
                if (stream_) finish_streaming();
            },
            1);
    }

private:
    /// What passes through near memory, and which elements are there.
    struct Near {
        alignas(64) std::byte line[N][kBlockBytes + kLineSlack];
        std::array<const std::byte*, N> source{};
        std::array<const Offsets<N>*, N> rows{};
        Offsets<N> length{};
    };

    template <class Line>
    void visit_tile(Near& near, const Offsets<N>& origin, std::span<const Offsets<N>> rows, Index count,
                    const Line& line) const {
        std::array<std::byte*, N> at;
        for (std::size_t k = 0; k < N; ++k) at[k] = operands_[k].data + origin[k] * operands_[k].width;
        const Index row_count = static_cast<Index>(rows.size());
        const bool joins = fixed_ == 0 && (count < kShortRow || joins_);
        const Index together = joins ? rows_together(row_count, count) : 1;
        for (Index row = 0; row < row_count; row += together) {
            if (kWrites && row + kAhead < row_count)
                prefetch(at[0] + rows[static_cast<std::size_t>(row + kAhead)][0] * operands_[0].width, count);
            visit_rows(near, at,
                       rows.subspan(static_cast<std::size_t>(row),
                                    static_cast<std::size_t>(std::min(together, row_count - row))),
                       count, line);
        }
    }

    /// Rows of blocks of about the same length: what was just gathered for a short one would be read while
    /// it is still stored, behind all that goes past the caches. Such blocks end where cache lines do.
    [[nodiscard]] Index rows_together(Index rows, Index count) const {
        const Index most = std::max<Index>(block_ / count, 1), even = even_part(rows, most);
        if (!stream_) return even;
        const Index whole = kCacheLine / std::gcd(kCacheLine, count * operands_[0].width),
                    together = (even + whole - 1) / whole * whole;
        return together <= most ? together : even;
    }

    /// Elements of a cache line that are before a place in the output.
    [[nodiscard]] Index elements_beside(const void* place) const {
        return static_cast<Index>(reinterpret_cast<std::uintptr_t>(place) % kCacheLine) / operands_[0].width;
    }

    /// Of a square the operand counts once.
    static Index read_bytes(const std::array<const TensorRead*, N>& operands) {
        Index bytes = 0;
        for (std::size_t k = 1; k < N; ++k)
            if (k == 1 || operands[k]->data() != operands[k - 1]->data())
                bytes += distinct_bytes(*operands[k]);
        return bytes;
    }

    /// Whether the output is also read: its lines are then in the cache already.
    static bool is_operand_again(const std::array<const TensorRead*, N>& operands) {
        for (std::size_t k = 1; k < N; ++k)
            if (operands[k]->data() == operands[0]->data()) return true;
        return false;
    }

    [[nodiscard]] bool in_place(std::size_t k, bool single_row) const {
        if (fixed_ != 0 && k == fixed_) return true;
        return (single_row ? operands_[k].stride == 1 : operands_[k].is_line) &&
               (k > 0 || !stream_ || line_streams_);
    }

    /// Whether something is gathered for each block: it would be read while it is still stored, behind all
    /// that goes past the caches.
    [[nodiscard]] bool is_regathered() const {
        for (std::size_t k = 1; k < N; ++k)
            if (!(joins_ ? operands_[k].is_line : operands_[k].stride == 1) && !loop_.repeats(k)) return true;
        return false;
    }

    /// Fetches the lines of a row of the output. Gathered elements are stored before they are loaded as
    /// vectors, which waits for earlier stores to the output: none of those may wait for memory.
    void prefetch(const std::byte* row, Index count) const {
        if (operands_[0].stride != 1 || stream_) return;
        for (Index at = 0; at < std::min(count * operands_[0].width, kBlockBytes); at += kCacheLine)
            __builtin_prefetch(row + at, 1);
    }

    /// Some whole rows of together at most block_ elements, or one row of any length.
    template <class Line>
    void visit_rows(Near& near, const std::array<std::byte*, N>& origin, std::span<const Offsets<N>> rows,
                    Index count, const Line& line) const {
        const bool single = rows.size() == 1;
        bool direct = true;
        for (std::size_t k = 0; k < N; ++k) direct = direct && in_place(k, single);
        const std::byte* const out = origin[0] + rows[0][0] * operands_[0].width;
        std::array<void*, N> lines;
        for (Index first = 0, length = 0; first < count; first += length) {
            const Index beside = first == 0 && single ? elements_beside(out) : 0;
            length = direct ? count : std::min(block_ - beside, count - first);
            for (std::size_t k = 0; k < N; ++k) {
                const Operand& operand = operands_[k];
                lines[k] = near.line[k];
                if (in_place(k, single))
                    lines[k] = origin[k] + (rows[0][k] + first * operand.stride) * operand.width;
                else if (k > 0 || !kWrites)
                    bring(near, k, origin[k] + first * operand.stride * operand.width, rows,
                          operand.stride == 0 ? std::min(count, block_) : length);
            }
            const bool writes_in_place = kWrites && in_place(0, single);
            line(lines, length * static_cast<Index>(rows.size()), writes_in_place && stream_);
            if (kWrites && !writes_in_place) store(origin[0], rows, first, length, near.line[0]);
        }
    }

    /// Gathers elements that are not in near memory already, as those that are repeated along the outer axes.
    void bring(Near& near, std::size_t k, const std::byte* from, std::span<const Offsets<N>> rows,
               Index length) const {
        if (near.source[k] == from && near.rows[k] == rows.data() && near.length[k] == length) return;
        gather(operands_[k].width, near.line[k], from, rows_of(k, rows, length));
        near.source[k] = from;
        near.rows[k] = rows.data();
        near.length[k] = length;
    }

    [[nodiscard]] StridedRows rows_of(std::size_t k, std::span<const Offsets<N>> rows, Index length) const {
        return {&rows[0][k], N, static_cast<Index>(rows.size()), length, operands_[k].stride};
    }

    void store(std::byte* origin, std::span<const Offsets<N>> rows, Index first, Index length,
               const std::byte* from) const {
        const Operand& out = operands_[0];
        std::byte* const to = origin + first * out.stride * out.width;
        if (!stream_ || out.stride != 1) return scatter(out.width, to, from, rows_of(0, rows, length));
        for (const auto& row : rows) {
            stream_line_(to + row[0] * out.width, from, length * out.width);
            from += length * out.width;
        }
    }

    StridedLoop<N> loop_;
    std::array<Operand, N> operands_;
    const bool line_streams_;
    std::size_t fixed_ = 0;  // the operand that keep_fixed named
    bool joins_ = false;     // several rows are computed together
    Index block_;            // elements of a line in near memory
    const MoveLine stream_line_ = line_streamer();
    bool streams_ = false, stream_ = false;  // past the caches where lines allow it, and as they are
};

/// The axes of operand k beside those of a contiguous line, in bytes; none where the operand is that line
/// already.
template <std::size_t N>
NearAxes beside_line(const Axes<N>& axes, std::size_t k, Index width) {
    NearAxes beside;
    bool contiguous = true;
    Index size = 1;
    for (const auto& axis : axes) {
        beside.push_back({axis.extent, {size * width, axis.stride[k] * width}});
        contiguous = contiguous && axis.stride[k] == size;
        size *= axis.extent;
    }
    return contiguous ? NearAxes{} : beside;
}

/// Calls line(pointers to the operands' elements, count) once for all of them: what is not contiguous in the
/// order of the first operand passes through near memory.
template <std::size_t N, bool kWrites, class Line>
void walk_near(const std::array<const TensorRead*, N>& operands, const Line& line) {
    Offsets<N> base;
    const auto axes = fused_axes<N>(operands[0]->shape(), strides_of(operands), base);
    const std::size_t step = (static_cast<std::size_t>(widest_bytes(operands)) + 63) / 64 * 64;
    std::byte* near = nullptr;
    std::array<void*, N> at;
    NearAxes written;
    for (std::size_t k = 0; k < N; ++k) {
        const auto width = width_of(*operands[k]);
        auto* const data =
            const_cast<std::byte*>(static_cast<const std::byte*>(operands[k]->data())) + base[k] * width;
        const NearAxes beside = beside_line<N>(axes, k, width);
        at[k] = data;
        if (beside.empty()) continue;
        if (near == nullptr) near = scratch(ScratchUse::PackedA, N * step);
        at[k] = near + k * step;
        if (kWrites && k == 0)
            for (const auto& axis : beside)
                written.push_back({axis.extent, {axis.stride[kFrom], axis.stride[kTo]}});
        else
            copy_near(width, near + k * step, data, beside);
    }
    line(at, operands[0]->size(), false);
    if (written.empty()) return;
    const auto width = width_of(*operands[0]);
    auto* const out = const_cast<std::byte*>(static_cast<const std::byte*>(operands[0]->data()));
    copy_near(width, out + base[0] * width, near, written);
}

/// The walk over operands as they lie.
template <std::size_t N>
void map_walk(LineFunction line, const std::array<const TensorRead*, N>& operands, CpuContext& context,
              std::optional<OpId> op) {
    if (widest_bytes(operands) <= kNearBytes)
        return walk_near<N, true>(operands, [line](const std::array<void*, N>& at, Index count, bool) {
            line(at[0], at.data() + 1, count);
        });
    const LineFunction streaming = op ? streaming_line(*op, operands[1]->dtype()) : nullptr;
    const bool is_far = op && operands[0]->size() >= kFar;
    const LineFunction far = is_far ? far_line(*op, operands[1]->dtype()) : line;
    LineWalk<N, true> walk(operands[0]->shape(), operands, context, streaming != nullptr);
    if (const std::size_t operand = op ? walk.fixed_operand() : 0; operand != 0)
        if (const FixedLine fixed = fixed_line(*op, operands[1]->dtype(), operand - 1); fixed.stored) {
            walk.keep_fixed(operand);
            return walk.run(context, [fixed](const std::array<void*, N>& at, Index count, bool past_caches) {
                (past_caches ? fixed.streaming : fixed.stored)(at[0], at.data() + 1, count);
            });
        }
    walk.run(context, [=](const std::array<void*, N>& at, Index count, bool past_caches) {
        const LineFunction stored = count >= kLongLine ? far : line;
        (past_caches ? streaming : stored)(at[0], at.data() + 1, count);
    });
}

/// Not inlined where small compact calls are made: those need none of its memory on the stack.
template <std::size_t N>
[[gnu::noinline]] void map_strided(LineFunction line, const std::array<const TensorRead*, N>& operands,
                                   CpuContext& context, std::optional<OpId> op) {
    bool alike = true;
    for (std::size_t k = 1; k < N; ++k) alike = alike && operands[k]->strides() == operands[0]->strides();
    if (alike || widest_bytes(operands) < kLeastPlanned) return map_walk<N>(line, operands, context, op);
    OrderedOperands ordered(*operands[0], {operands.begin() + 1, operands.end()}, context);
    if constexpr (N == 3) {
        const TensorWrite out(operands[0]->dtype(), const_cast<void*>(operands[0]->data()),
                              operands[0]->shape(), operands[0]->strides());
        if (op && combine_pairs(*op, ordered[0], ordered[1], out, context)) return;
    }
    ordered.use_output(context);
    std::array<const TensorRead*, N> in_order{operands[0]};
    for (std::size_t k = 1; k < N; ++k) in_order[k] = &ordered[k - 1];
    map_walk<N>(line, in_order, context, op);
}

template <std::size_t N>
void map_operands(LineFunction line, const std::array<const TensorRead*, N>& operands, CpuContext& context,
                  std::optional<OpId> op) {
    const TensorRead& out = *operands[0];
    const Index size = out.size();
    bool is_line = size <= kSmallSize && out.is_compact();
    for (std::size_t k = 1; k < N; ++k) is_line = is_line && operands[k]->strides() == out.strides();
    if (!is_line) return map_strided<N>(line, operands, context, op);
    std::array<const void*, N> at;
    for (std::size_t k = 0; k < N; ++k) at[k] = operands[k]->data();
    line(const_cast<void*>(at[0]), at.data() + 1, size);
}

}  // namespace

void map_lines(LineFunction line, const TensorRead& a, const TensorWrite& out, CpuContext& context,
               std::optional<OpId> op) {
    map_operands<2>(line, {&out, &a}, context, op);
}

void map_lines(LineFunction line, const TensorRead& a, const TensorRead& b, const TensorWrite& out,
               CpuContext& context, std::optional<OpId> op) {
    map_operands<3>(line, {&out, &a, &b}, context, op);
}

void map_lines(LineFunction line, const TensorRead& a, const TensorRead& b, const TensorRead& c,
               const TensorWrite& out, CpuContext& context) {
    map_operands<4>(line, {&out, &a, &b, &c}, context, std::nullopt);
}

bool test_lines(LineTest test, const TensorRead& a, const TensorRead& b, CpuContext& context) {
    std::atomic<bool> all = true;
    const std::array<const TensorRead*, 2> operands{&a, &b};
    const auto call = [&](const std::array<void*, 2>& at, Index count, bool) {
        if (!test(at.data(), count)) all.store(false, std::memory_order_relaxed);
    };
    if (widest_bytes(operands) <= kNearBytes)
        walk_near<2, false>(operands, call);
    else
        LineWalk<2, false>(a.shape(), operands, context).run(context, call);
    return all;
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
