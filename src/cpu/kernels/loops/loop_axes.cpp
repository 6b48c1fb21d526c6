// Tables of offsets.
#include "cpu/kernels/loops/loop_axes.hpp"

#include "cpu/kernels/loops/odometer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

/// Writes elements [first, first + count) of the endless list start + piece, start + step + piece, …
void repeat_piece(const Index* piece, Index size, Index first, Index count, Index start, Index step,
                  Index* offsets) {
    constexpr Index kLongEnough = 64;  // for vectors
    const Index repeats = (kLongEnough + size - 1) / size, shift = repeats * size;
    Index done = 0;
    for (Index i = first / size, j = first % size; done < std::min(count, shift); ++i, j = 0)
        for (; j < size && done < std::min(count, shift); ++j) offsets[done++] = start + i * step + piece[j];
    for (; done < count; done += shift) {
        const Index* const before = offsets + done - shift;
        for (Index j = 0; j < std::min(shift, count - done); ++j)
            offsets[done + j] = before[j] + repeats * step;
    }
}

}  // namespace

void fill_offsets(const LoopAxes& axes, Index begin, Index end, std::size_t tensor, Index* offsets) {
    if (axes.size() <= 1) {
        const Index step = axes.empty() ? 0 : axes[0].stride[tensor];
        for (Index i = begin; i < end; ++i) *offsets++ = i * step;
        return;
    }
    // The fastest loops are written out once, as far as they fit, and repeat as one piece along the next
    // loop.
    constexpr Index kMostPiece = 256;
    Index piece[kMostPiece];
    piece[0] = 0;
    Index size = 1;
    std::size_t inner = 0;
    for (; inner < axes.size() && size * axes[inner].extent <= std::min(kMostPiece, end - begin); ++inner) {
        for (Index i = 1; i < axes[inner].extent; ++i)
            for (Index j = 0; j < size; ++j) piece[i * size + j] = piece[j] + i * axes[inner].stride[tensor];
        size *= axes[inner].extent;
    }
    const bool last = inner == axes.size();
    const Index pieces = last ? 1 : axes[inner].extent, step = last ? 0 : axes[inner].stride[tensor];
    const LoopAxes outer(std::span<const LoopAxis>(axes.begin() + inner + (last ? 0 : 1), axes.end()));
    const Index block = size * pieces;
    Odometer at(outer, begin / block);
    for (Index first = begin % block; begin < end; first = 0, at.advance()) {
        const Index count = std::min(block - first, end - begin), start = at.in(tensor);
        repeat_piece(piece, size, first, count, start, step, offsets);
        offsets += count;
        begin += count;
    }
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
