// The engine for little work per element: rows of C along the longest of the fastest axes, one after the
// other.
#include <algorithm>

#include "cpu/kernels/contraction/engines.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

constexpr Index kLongRow = 256;      ///< beyond this a longer row brings nothing
constexpr Index kPieceOfRow = 4096;  ///< elements of a row that a task computes

class LineProduct {
public:
    LineProduct(const Contraction& loops, const KernelTable& kernels, Index* winners)
        : loops_(loops), kernels_(kernels), winners_(winners) {
        const LoopAxes* inner = &loops.m;
        for (const LoopAxes* axes : {&loops.batch, &loops.n})
            if (row_length(*axes) > row_length(*inner)) inner = axes;
        if (!inner->empty()) row_ = (*inner)[0];
        for (const LoopAxes* axes : {&loops.m, &loops.n, &loops.batch})
            for (const LoopAxis& axis : *axes)
                if (inner->empty() || &axis != &(*inner)[0]) rows_.push_back(axis);
        pieces_ = (row_.extent + kPieceOfRow - 1) / kPieceOfRow;
        row_count_ = size_of(rows_);
        if (loops.k_size != 0) split_into_segments(loops.k, 0, loops.k_size, segments_);
    }

    void run(CpuContext& context) const {
        for_each_range(context, row_count_ * pieces_, runs_alone(loops_),
                       [&](Index begin, Index end) { run_pieces(begin, end); });
    }

private:
    static Index row_length(const LoopAxes& axes) {
        return axes.empty() ? 1 : std::min(axes[0].extent, kLongRow);
    }

    /// Pieces of rows, those of a row one after the other.
    void run_pieces(Index begin, Index end) const {
        const Index bytes = kernels_.element_bytes;
        const LoopAxis k = loops_.k.empty() ? LoopAxis{1, {0, 0, 0}} : loops_.k[0];
        const auto run_line = winners_ == nullptr ? kernels_.multiply_line : kernels_.find_line_winners;
        Line line{row_.extent,     nullptr,          nullptr,
                  nullptr,         row_.stride[kA],  row_.stride[kB],
                  row_.stride[kC], segments_.data(), static_cast<Index>(segments_.size()),
                  k.stride[kA],    k.stride[kB],     nullptr};
        Odometer at(rows_, begin / pieces_);
        for (Index piece = begin % pieces_; begin < end; ++begin) {
            const Index first = piece * kPieceOfRow;
            const auto offset = [&](std::size_t tensor) {
                return at.in(tensor) + first * row_.stride[tensor];
            };
            line.count = std::min(kPieceOfRow, row_.extent - first);
            line.a = at_offset(loops_.a, offset(kA) * bytes);
            line.b = at_offset(loops_.b, offset(kB) * bytes);
            line.c = at_offset(loops_.c, offset(kC) * bytes);
            if (winners_ != nullptr) line.winners = winners_ + offset(kC);
            run_line(line);
            if (++piece < pieces_) continue;
            piece = 0;
            at.advance();
        }
    }

    const Contraction& loops_;
    const KernelTable& kernels_;
    Index* const winners_;
    LoopAxis row_{1, {0, 0, 0}};
    LoopAxes rows_;
    Index row_count_ = 1, pieces_ = 1;
    Segments segments_;
};

}  // namespace

void line_product(const Contraction& loops, const KernelTable& kernels, Index* winners, CpuContext& context) {
    LineProduct(loops, kernels, winners).run(context);
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
