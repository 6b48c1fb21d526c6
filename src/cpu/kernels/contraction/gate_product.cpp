// The engine for a small matrix times many columns, as gates on the qubits of a state: nothing of B is
// packed, every column is read once. Vectors run along the free axis of B that is adjacent in B and C; where
// it is shorter than that, along M, with B's few adjacent numbers repeated, or, where B and C have few
// numbers together, along both.
#include <algorithm>
#include <bit>
#include <cstdlib>

#include "cpu/caches.hpp"
#include "cpu/kernels/contraction/engines.hpp"
#include "cpu/kernels/contraction/gate_kernels.hpp"
#include "cpu/kernels/contraction/scalar_ops.hpp"
#include "cpu/kernels/movement/streaming.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

constexpr Index kMostGateRows = 32, kMostGateDepth = 40;
constexpr Index kFewestColumns = 65;                            // fewer are left to direct_product
constexpr Index kShortDepth = 16;                               // up to which panels are hardly worth packing
constexpr Index kMatrixBytes = 1 << 14, kPieceBytes = 1 << 14;  // the latter of B: both fit the first cache

/// A matrix that is perhaps a gate, and what it is multiplied by.
struct Sides {
    const Contraction& loops;
    const LoopAxes &gate, &columns;
    std::size_t side;  ///< the number of the columns' strides
    Index rows, depth, run, run_bytes;
    bool is_complex;

    Sides(const Contraction& of, const LoopAxes& gate_axes, const LoopAxes& column_axes, std::size_t number)
        : loops(of),
          gate(gate_axes),
          columns(column_axes),
          side(number),
          rows(size_of(gate)),
          depth(of.k_size),
          run(1),
          is_complex(info(of.dtype).is_complex) {
        for (const LoopAxis& axis : columns)
            if (axis.stride[kC] == 1 && axis.stride[side] == 1) run = axis.extent;
        run_bytes = run * static_cast<Index>(info(of.dtype).bytes);
    }

    /// Whether lines of B that are read in turns are few, near, or spread over the sets of the first cache.
    [[nodiscard]] bool reads_in_turns() const {
        constexpr Index kFew = 4, kMany = 16, kShort = 512, kNextSet = 40;
        constexpr double kNear = 1 << 20;
        const auto bytes = static_cast<Index>(info(loops.dtype).bytes);
        const Index beyond = std::abs(loops.k[0].stride[side]) * bytes % kPageBytes;
        const bool are_spread =
            std::min(beyond, kPageBytes - beyond) >= (depth > kMany ? kNextSet : Index{1});
        return depth <= kFew || run_bytes < kShort || are_spread ||
               loops.elements() * static_cast<double>(bytes) <= kNear;
    }
    /// Whether more lines of far caches or memory are read in turns, or written, than the processor follows:
    /// packed_product reads a few pages at a time.
    [[nodiscard]] bool lead_far() const {
        constexpr Index kFewWritten = 8, kManyPages = 24, kLongRun = 1 << 10;
        constexpr Index kPagesBytes = 8 << 20, kManyPagesBytes = 1 << 20, kFarBytes = 24 << 20;
        const Index columns_bytes = run_bytes / run * size_of(columns);
        const bool one_run = run_bytes == columns_bytes;
        if (!one_run && run_bytes < kLongRun) return false;
        const Index pages_bytes = rows == 1 && depth >= kManyPages ? kManyPagesBytes : kPagesBytes;
        const Index near_bytes = one_run ? pages_bytes : kFarBytes;
        return (depth > kShortDepth && depth * columns_bytes > near_bytes) ||
               (rows > kFewWritten && (depth + rows) * columns_bytes > kFarBytes);
    }
    /// Vectors along the run: complex numbers fill the registers with fewer rows.
    [[nodiscard]] bool fit_runs() const {
        constexpr Index kMostReals = 1024, kMostComplex = 256, kFewRows = 2;
        if (is_complex && depth > kShortDepth && rows > kFewRows) return false;
        return rows * depth <= (is_complex ? kMostComplex : kMostReals) && reads_in_turns() && !lead_far();
    }
    /// Vectors along M.
    [[nodiscard]] bool fit_units() const {
        constexpr Index kMostRows = 16, kMost = 256, kMostOfColumns = 128;
        if (rows > kMostRows || rows * depth > kMost || (run & (run - 1)) != 0) return false;
        const bool whole_columns = loops.k[0].stride[side] == 1;
        if (depth > kShortDepth ? !(is_complex && whole_columns) : run == 1 && rows * depth > kMostOfColumns)
            return false;
        return std::any_of(gate.begin(), gate.end(),
                           [this](const LoopAxis& axis) { return axis.stride[kC] == run; });
    }
    [[nodiscard]] bool fit() const {
        if (rows > kMostGateRows || size_of(columns) < kFewestColumns) return false;
        return run_bytes > kGateUnit ? fit_runs() : fit_units();
    }
};

/// Takes the axis out of `axes` that has these strides in B (where not negative) and C; extent 1 if none has.
LoopAxis take(LoopAxes& axes, Index in_b, Index in_c) {
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const LoopAxis axis = axes[i];
        if (axis.stride[kC] != in_c || (in_b >= 0 && axis.stride[kB] != in_b)) continue;
        axes.erase(i);
        return axis;
    }
    return {1, {0, 0, 0}};
}

template <class T>
class GateProduct {
public:
    GateProduct(const Contraction& loops, const CpuContext& context)
        : loops_(loops), kernels_(gate_kernels(loops.dtype)), blocks_(loops.n) {
        run_ = take(blocks_, 1, 1).extent;
        fill_offsets(loops.k, 0, loops.k_size, kB, b_depth_);
        gate_ = {.matrix = matrix_,
                 .c_rows = c_rows_,
                 .row_sizes = row_sizes_,
                 .b_depth = b_depth_,
                 .rows = 0,
                 .depth = loops.k_size,
                 .b_step = 0,
                 .c_step = 0,
                 .streams = worth_streaming(loops.m_size * loops.n_size * kBytes,
                                            loops.k_size * loops.n_size * kBytes, context)};
        kernel_ = are_blocks() ? prepare_blocks() : are_units() ? prepare_units() : prepare_runs();
        piece_ = std::min(run_, whole_lines(kPieceBytes / loops.k_size) / kBytes);
        pieces_ = (run_ + piece_ - 1) / piece_;
        if (blocks_.empty()) blocks_.push_back({1, {0, 0, 0}});
        gate_.b_step = blocks_[0].stride[kB];
        gate_.c_step = blocks_[0].stride[kC];
    }

    void run(CpuContext& context) const {
        const Index blocks = loops_.n_size / run_;
        for_each_range(context, blocks * pieces_, runs_alone(loops_), [&](Index begin, Index end) {
            pieces_ > 1 ? run_pieces(begin, end) : run_blocks(begin, end);
            if (gate_.streams) finish_streaming();
        });
    }

private:
    /// Which row of the matrix a run of a block is in C, and which column in B.
    struct Place {
        Index m, k;
    };

    static constexpr Index kBytes = sizeof(T), kParts = info(storage_dtype<T>).is_complex ? 2 : 1;

    static constexpr Index whole_lines(Index bytes) { return bytes / kCacheLine * kCacheLine; }

    [[nodiscard]] const T& factor(Index m, Index k) const {
        return static_cast<const T*>(loops_.a)[a_rows_[m] + a_depth_[k]];
    }

    /// Short runs, and runs of a vector or half of one beside as few rows as are computed together.
    [[nodiscard]] bool are_units() const {
        const Index bytes = run_ * kBytes;
        if (bytes <= kGateUnit) return true;
        return bytes <= kernels_.vector_bytes && std::has_single_bit(static_cast<std::size_t>(run_)) &&
               loops_.m_size <= kGateRows && loops_.k_size <= kShortDepth;
    }

    /// Whether B and C are alike: blocks that follow each other, of as many runs as K and M have, which fill
    /// at most half of a vector. Fills places_.
    [[nodiscard]] bool are_blocks() {
        const Index block = run_ * loops_.k_size;
        if (loops_.m_size != loops_.k_size || !std::has_single_bit(static_cast<std::size_t>(block)) ||
            2 * block * kBytes > kernels_.vector_bytes)
            return false;
        if (blocks_.empty() || blocks_[0].stride[kB] != block || blocks_[0].stride[kC] != block) return false;
        fill_offsets(loops_.m, 0, loops_.m_size, kC, c_rows_);
        std::fill_n(places_, loops_.k_size, Place{-1, -1});
        for (Index i = 0; i < loops_.k_size; ++i)
            for (const auto& [offset, number] :
                 {std::pair{c_rows_[i], &Place::m}, std::pair{b_depth_[i], &Place::k}}) {
                if (offset < 0 || offset >= block || offset % run_ != 0) return false;
                places_[offset / run_].*number = i;
            }
        return std::none_of(places_, places_ + loops_.k_size, [](const Place& p) { return p.k < 0; });
    }

    /// Element i of vector k is what is multiplied by the run of B whose number differs from its in the bits
    /// of k.
    GateKernel prepare_blocks() {
        place(loops_.m);
        gate_.rows = 1;
        const Index lanes = kernels_.vector_bytes / kBytes;
        for (Index k = 0; k < loops_.k_size; ++k)
            for (Index i = 0; i < lanes; ++i) {
                const Index run = i / run_ % loops_.k_size;
                put(reinterpret_cast<T*>(matrix_) + k * lanes * kParts, i, lanes,
                    factor(places_[run].m, places_[run ^ k].k));
            }
        return kernels_.in_blocks;
    }

    GateKernel prepare_runs() {
        gate_.rows = loops_.m_size;
        place(loops_.m);
        fill_offsets(loops_.m, 0, loops_.m_size, kC, c_rows_);
        T* to = reinterpret_cast<T*>(matrix_);
        for (Index m = 0; m < loops_.m_size; ++m)
            for (Index k = 0; k < loops_.k_size; ++k) *to++ = factor(m, k);
        return kernels_.along_run(run_ * kBytes);
    }

    /// A row of the matrix are the elements of a block that are adjacent in C, as many as a vector holds.
    GateKernel prepare_units() {
        LoopAxes outer = loops_.m;
        const LoopAxis inner = take(outer, -1, run_);
        const Index unit = run_ * kBytes, adjacent = run_ * inner.extent;
        Index row_bytes = 8;
        while (row_bytes < std::min(kernels_.vector_bytes, adjacent * kBytes)) row_bytes *= 2;
        LoopAxes m{inner};
        m.append(outer);
        place(m);
        const Index lanes = row_bytes / kBytes;
        Index c_lines[kMostGateRows];
        fill_offsets(m, 0, loops_.m_size, kC, c_lines);
        for (Index line = 0; line < loops_.m_size; line += inner.extent)
            for (Index first = 0; first < adjacent; first += lanes) {
                c_rows_[gate_.rows] = c_lines[line] + first;
                row_sizes_[gate_.rows] = std::min(lanes, adjacent - first);
                fill_row(line, first, lanes);
                ++gate_.rows;
            }
        return kernels_.of_units(unit, row_bytes);
    }

    void place(const LoopAxes& m) {
        fill_offsets(m, 0, loops_.m_size, kA, a_rows_);
        fill_offsets(loops_.k, 0, loops_.k_size, kA, a_depth_);
    }

    void fill_row(Index line, Index first, Index lanes) {
        const Index size = row_sizes_[gate_.rows];
        for (Index k = 0; k < loops_.k_size; ++k) {
            T* const to = reinterpret_cast<T*>(matrix_) + (gate_.rows * loops_.k_size + k) * lanes * kParts;
            for (Index i = 0; i < lanes; ++i) {
                const T value = i < size ? factor(line + (first + i) / run_, k) : T{};
                put(to, i, lanes, value);
            }
        }
    }
    static void put(T* to, Index i, Index lanes, T value) {
        if constexpr (requires { value.real(); }) {
            to[i] = {value.real(), value.real()};
            to[lanes + i] = {value.imag(), value.imag()};
        } else {
            to[i] = value;
        }
    }

    /// Blocks that follow each other along the first axis, or pieces of long runs.
    void run_blocks(Index begin, Index end) const {
        const Index in_row = blocks_[0].extent;
        const Index most = std::max<Index>(kWatchedElements / (run_ * loops_.m_size), 1);
        Index x = begin % in_row;
        Watch watch;
        for (Odometer at(blocks_, begin / in_row, {}, 1); begin < end; at.advance(), x = 0)
            while (x < in_row && begin < end) {
                const Index count = std::min({end - begin, in_row - x, most});
                multiply(at.in(kB) + x * gate_.b_step, at.in(kC) + x * gate_.c_step, run_, count);
                watch.did(count * run_ * loops_.m_size);
                x += count;
                begin += count;
            }
    }

    void run_pieces(Index begin, Index end) const {
        Watch watch;
        for (; begin < end; ++begin) {
            const Odometer at(blocks_, begin / pieces_);
            const Index first = begin % pieces_ * piece_, length = std::min(piece_, run_ - first);
            multiply(at.in(kB) + first, at.in(kC) + first, length, 1);
            watch.did(length * loops_.m_size);
        }
    }

    void multiply(Index b, Index c, Index length, Index count) const {
        kernel_(gate_, static_cast<const T*>(loops_.b) + b, static_cast<T*>(loops_.c) + c, length, count);
    }

    const Contraction& loops_;
    const GateKernels& kernels_;
    LoopAxes blocks_;  ///< N without the run
    Index run_, piece_, pieces_;
    Gate gate_;
    GateKernel kernel_;
    Index a_rows_[kMostGateRows], a_depth_[kMostGateDepth], b_depth_[kMostGateDepth];
    Index c_rows_[kMostGateRows], row_sizes_[kMostGateRows];
    Place places_[kMostGateDepth];
    alignas(64) std::byte matrix_[kMatrixBytes];
};

}  // namespace

bool gate_product(Contraction& loops, CpuContext& context) {
    if (std::max(loops.m_size, loops.n_size) < kFewestColumns || loops.k_size == 1 ||
        loops.k_size > kMostGateDepth || loops.batch_size > 1)
        return false;
    if (gate_kernels(loops.dtype).along_run == nullptr) return false;
    if (!Sides(loops, loops.m, loops.n, kB).fit()) {
        if (!Sides(loops, loops.n, loops.m, kA).fit()) return false;
        loops.swap_operands();
    }
    visit_numeric(loops.dtype, [&]<class T>() {
        if constexpr (!std::is_integral_v<T>) GateProduct<T>(loops, context).run(context);
    });
    return true;
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
