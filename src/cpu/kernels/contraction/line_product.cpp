// The engine for little work per element: rows of C along the longest of the fastest axes, one after the
// other.
#include <algorithm>

#include "cpu/kernels/contraction/engines.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

constexpr Index kLongRow = 256;  ///< beyond this a longer row brings nothing

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
        row_count_ = size_of(rows_);
        if (loops.k_size != 0) split_into_segments(loops.k, 0, loops.k_size, segments_);
    }

    void run(CpuContext& context) const {
        for_each_range(context, row_count_, loops_.multiply_adds() < kParallelMultiplyAdds,
                       [&](Index begin, Index end) { run_rows(begin, end); });
    }

private:
    static Index row_length(const LoopAxes& axes) {
        return axes.empty() ? 1 : std::min(axes[0].extent, kLongRow);
    }

    void run_rows(Index begin, Index end) const {
        const Index bytes = kernels_.element_bytes;
        const LoopAxis k = loops_.k.empty() ? LoopAxis{1, {0, 0, 0}} : loops_.k[0];
        const auto run_line = winners_ == nullptr ? kernels_.multiply_line : kernels_.find_line_winners;
        Line line{row_.extent,     nullptr,          nullptr,
                  nullptr,         row_.stride[kA],  row_.stride[kB],
                  row_.stride[kC], segments_.data(), static_cast<Index>(segments_.size()),
                  k.stride[kA],    k.stride[kB],     nullptr};
        Odometer at(rows_, begin);
        for (; begin < end; ++begin, at.advance()) {
            line.a = at_offset(loops_.a, at.in(kA)*bytes);
            line.b = at_offset(loops_.b, at.in(kB)*bytes);
            line.c = at_offset(loops_.c, at.in(kC)*bytes);
            if (winners_ != nullptr) line.winners = winners_ + at.in(kC);
            run_line(line);
        }
    }

    const Contraction& loops_;
    const KernelTable& kernels_;
    Index* const winners_;
    LoopAxis row_{1, {0, 0, 0}};
    LoopAxes rows_;
    Index row_count_ = 1;
    Segments segments_;
};

}  // namespace

void line_product(const Contraction& loops, const KernelTable& kernels, Index* winners, CpuContext& context) {
    LineProduct(loops, kernels, winners).run(context);
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
