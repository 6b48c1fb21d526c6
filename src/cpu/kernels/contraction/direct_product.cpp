// The engine for slices that fit the first caches: the micro-kernels of the packed engine on operands read in
// place, with tables on the stack that all slices of the batch share.
#include <algorithm>

#include "cpu/kernels/contraction/engines.hpp"
#include "cpu/kernels/contraction/gemm_blocking.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

constexpr Index kMostLines = 64, kMostDepth = 256;
constexpr Index kMostColumns = 8;  ///< of a micro-tile, for any instruction set

LoopAxis axis_or_one(const LoopAxes& axes) { return axes.empty() ? LoopAxis{1, {1, 1, 1}} : axes[0]; }

class DirectProduct {
public:
    DirectProduct(const Contraction& loops, const KernelTable& kernels)
        : loops_(loops),
          kernels_(kernels),
          m_(axis_or_one(loops.m)),
          n_(axis_or_one(loops.n)),
          k_(axis_or_one(loops.k)),
          segment_{0, 0, k_.extent} {
        for (Index i = 0; i < n_.extent + kernels_.columns; ++i) {  // missing columns repeat the last one
            b_columns_[i] = std::min(i, n_.extent - 1) * n_.stride[kB];
            c_columns_[i] = i * n_.stride[kC];
        }
        if (m_.stride[kC] == 1) return;
        for (Index i = 0; i < m_.extent; ++i) c_rows_[i] = i * m_.stride[kC];
    }

    void run(CpuContext& context) const {
        for_each_range(context, loops_.batch_size * column_tiles_, runs_alone(loops_),
                       [&](Index begin, Index end) { run_tiles(begin, end); });
    }

private:
    /// Tiles of columns, those of a slice one after the other.
    void run_tiles(Index begin, Index end) const {
        Odometer at(loops_.batch, begin / column_tiles_);
        for (Index first = begin % column_tiles_; begin < end; first = 0, at.advance()) {
            const Index count = std::min(column_tiles_ - first, end - begin);
            multiply_slice(element(loops_.a, at.in(kA)), element(loops_.b, at.in(kB)),
                           element(loops_.c, at.in(kC)), first, first + count);
            begin += count;
        }
    }

    template <class Memory>
    [[nodiscard]] Memory* element(Memory* memory, Index offset) const {
        return at_offset(memory, offset * kernels_.element_bytes);
    }

    void multiply_slice(const void* a, const void* b, void* c, Index first_tile, Index last_tile) const {
        MicroTile tile{};
        tile.segments = &segment_;
        tile.segment_count = 1;
        tile.b = b;
        tile.a_step = k_.stride[kA];
        tile.a_panel = kernels_.rows;
        tile.b_step = k_.stride[kB];
        tile.c_rows = m_.stride[kC] == 1 ? nullptr : c_rows_;
        tile.a_near = k_.extent >= kNearDepth;
        tile.last = true;
        tile.regular = kernels_.regular != nullptr && is_regular(a, b);
        for (Index t = first_tile; t < last_tile; ++t) {
            const Index n = t * kernels_.columns;
            tile.b_columns = b_columns_ + n;
            tile.c_columns = c_columns_ + n;
            tile.columns = std::min(kernels_.columns, n_.extent - n);
            tile.a_ahead = n == 0 ? a_ahead_ : 0;
            if (b_ahead_ != 0) ask_for_columns(b, t);
            for (Index m = 0; m < m_.extent; m += tile.panels * tile.rows) {
                tile.a = element(a, m);
                tile.c = element(c, m * m_.stride[kC]);
                tile.rows = std::min(kernels_.rows, m_.extent - m);
                tile.panels = m_.stride[kC] == 1 ? (m_.extent - m) / tile.rows : 1;
                kernels_.multiply(tile);
            }
        }
    }

    /// Bytes from a slice to the next one, where both come from far to a processor with vectors that are
    /// lines, and K is long enough: where it is short, most of what is moved is C.
    [[nodiscard]] Index ahead(std::size_t operand) const {
        constexpr Index kLongDepth = 24;
        constexpr double kOfAll = 1.5;  // A, B and C together, where A alone is told to be far from 1 on
        const auto bytes = static_cast<double>(kernels_.element_bytes);
        if (!fill_lines(kernels_) || loops_.batch.empty() || k_.extent < kLongDepth ||
            loops_.elements() * bytes <= kOfAll * static_cast<double>(far_bytes_of(loops_)))
            return 0;
        return loops_.batch[0].stride[operand] * kernels_.element_bytes;
    }

    /// Asks for the columns of the next slice, as many as a tile has, where they follow each other as in B of
    /// one piece.
    void ask_for_columns(const void* b, Index tile) const {
        constexpr Index kLine = 64;
        const Index bytes = kernels_.columns * k_.extent * kernels_.element_bytes;
        const auto* const first = static_cast<const std::byte*>(b) + b_ahead_ + tile * bytes;
        for (Index at = 0; at < bytes; at += kLine) __builtin_prefetch(first + at, 0, 2);
    }

    /// B has runs along K or along N.
    [[nodiscard]] bool is_regular(const void* a, const void* b) const {
        const bool along_k = k_.stride[kB] == 1;
        const LoopAxis &run = along_k ? k_ : n_, &other = along_k ? n_ : k_;
        return kernels_.regular(b, run.extent, other.extent, other.stride[kB]) &&
               kernels_.regular(a, m_.extent, k_.extent, k_.stride[kA]);
    }

    const Contraction& loops_;
    const KernelTable& kernels_;
    const LoopAxis m_, n_, k_;
    const Segment segment_;
    /// From each operand to its next slice, which is asked for meanwhile; 0: it is not.
    const Index a_ahead_ = ahead(kA), b_ahead_ = ahead(kB);
    const Index column_tiles_ = (n_.extent + kernels_.columns - 1) / kernels_.columns;
    Index b_columns_[kMostLines + kMostColumns], c_columns_[kMostLines + kMostColumns], c_rows_[kMostLines];
};

}  // namespace

bool direct_product(const Contraction& loops, const KernelTable& kernels, CpuContext& context) {
    if (kernels.direct_granularity == 0) return false;
    if (loops.m.size() != 1 || loops.n.size() > 1 || loops.k.size() > 1 || loops.m[0].stride[kA] != 1)
        return false;
    if (std::max(loops.m_size, loops.n_size) > kMostLines || loops.k_size > kMostDepth) return false;
    if (loops.m_size % kernels.direct_granularity != 0) return false;
    if (kernels.regular != nullptr && axis_or_one(loops.k).stride[kB] != 1 &&
        axis_or_one(loops.n).stride[kB] != 1)
        return false;
    DirectProduct(loops, kernels).run(context);
    return true;
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
