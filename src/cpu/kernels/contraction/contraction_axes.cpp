// Sorting, fusing and walking the loops of a contraction.
#include "cpu/kernels/contraction/contraction_axes.hpp"

#include <algorithm>
#include <cstdlib>

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

/// Stable insertion sort, ascending by |stride|: the lists are short and mostly sorted.
void sort_by(LoopAxes& axes, Index LoopAxis::*stride) noexcept {
    for (std::size_t i = 1; i < axes.size(); ++i) {
        const LoopAxis axis = axes[i];
        std::size_t j = i;
        for (; j > 0 && std::abs(axes[j - 1].*stride) > std::abs(axis.*stride); --j) axes[j] = axes[j - 1];
        axes[j] = axis;
    }
}

Index size_of(const LoopAxes& axes) noexcept {
    Index size = 1;
    for (const LoopAxis& axis : axes) size *= axis.extent;
    return size;
}

bool has_unit(const LoopAxes& axes, Index LoopAxis::*stride) noexcept {
    return std::any_of(axes.begin(), axes.end(),
                       [stride](const LoopAxis& axis) { return axis.*stride == 1; });
}

void push(LoopAxes& axes, const LoopAxis& axis) {
    if (axis.extent != 1) axes.push_back(axis);
}

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

/// Walks the axes of an operand that are neither contracted nor batch axes, in order.
template <class Visit>
void for_each_free(std::size_t rank, const Dims& contract, const Dims& batch, Visit&& visit) {
    for (std::size_t axis = 0; axis < rank; ++axis) {
        bool free = true;
        for (const Dims* axes : {&contract, &batch})
            for (const Index used : *axes) free &= used != static_cast<Index>(axis);
        if (free) visit(axis);
    }
}

void collect(Contraction& loops, const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config,
             const TensorWrite& out) {
    std::size_t out_axis = 0;
    for_each_free(lhs.rank(), config.lhs_contract, config.lhs_batch, [&](std::size_t axis) {
        push(loops.m, {lhs.shape()[axis], lhs.strides()[axis], 0, out.strides()[out_axis++]});
    });
    for_each_free(rhs.rank(), config.rhs_contract, config.rhs_batch, [&](std::size_t axis) {
        push(loops.n, {rhs.shape()[axis], 0, rhs.strides()[axis], out.strides()[out_axis++]});
    });
    for (std::size_t i = 0; i < config.lhs_batch.size(); ++i) {
        const Index axis = config.lhs_batch[i];
        const LoopAxis loop{lhs.shape()[axis], lhs.strides()[axis], rhs.strides()[config.rhs_batch[i]],
                            out.strides()[out_axis++]};
        // A batch axis along which one operand repeats is a free axis of the other.
        push(loop.b == 0 ? loops.m : loop.a == 0 ? loops.n : loops.batch, loop);
    }
    for (std::size_t i = 0; i < config.lhs_contract.size(); ++i) {
        const Index axis = config.lhs_contract[i];
        push(loops.k, {lhs.shape()[axis], lhs.strides()[axis], rhs.strides()[config.rhs_contract[i]], 0});
    }
}

}  // namespace

void Contraction::swap_operands() noexcept {
    std::swap(a, b);
    std::swap(m, n);
    std::swap(m_size, n_size);
    for (LoopAxes* axes : {&m, &n, &k, &batch})
        for (LoopAxis& axis : *axes) std::swap(axis.a, axis.b);
}

void fuse(LoopAxes& axes) noexcept {
    std::size_t kept = 0;
    for (std::size_t i = 1; i < axes.size(); ++i) {
        LoopAxis& last = axes[kept];
        const LoopAxis& next = axes[i];
        if (next.a == last.extent * last.a && next.b == last.extent * last.b &&
            next.c == last.extent * last.c)
            last.extent *= next.extent;
        else
            axes[++kept] = next;
    }
    while (axes.size() > kept + 1) axes.pop_back();
}

Contraction analyse(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config,
                    const TensorWrite& out, KOrder k_order) {
    Contraction loops;
    loops.dtype = out.dtype();
    loops.a = lhs.data();
    loops.b = rhs.data();
    loops.c = out.data();
    collect(loops, lhs, rhs, config, out);
    sort_by(loops.m, &LoopAxis::c);
    sort_by(loops.n, &LoopAxis::c);
    sort_by(loops.batch, &LoopAxis::c);
    if (k_order == KOrder::Strides)
        sort_by(loops.k, has_unit(loops.k, &LoopAxis::a) || !has_unit(loops.k, &LoopAxis::b) ? &LoopAxis::a
                                                                                             : &LoopAxis::b);
    for (LoopAxes* axes : {&loops.m, &loops.n, &loops.k, &loops.batch}) fuse(*axes);
    loops.m_size = size_of(loops.m);
    loops.n_size = size_of(loops.n);
    loops.k_size = size_of(loops.k);
    loops.batch_size = size_of(loops.batch);
    if (!loops.n.empty() && loops.n[0].c == 1) loops.swap_operands();
    return loops;
}

Odometer::Odometer(const LoopAxes& axes, Index start) : axes_(axes), position_(axes.size(), 0) {
    for (std::size_t i = 0; i < axes.size() && start != 0; ++i) {
        const LoopAxis& axis = axes[i];
        position_[i] = start % axis.extent;
        start /= axis.extent;
        a += position_[i] * axis.a;
        b += position_[i] * axis.b;
        c += position_[i] * axis.c;
    }
}

void Odometer::advance() noexcept {
    for (std::size_t i = 0; i < axes_.size(); ++i) {
        const LoopAxis& axis = axes_[i];
        a += axis.a;
        b += axis.b;
        c += axis.c;
        if (++position_[i] < axis.extent) return;
        a -= axis.extent * axis.a;
        b -= axis.extent * axis.b;
        c -= axis.extent * axis.c;
        position_[i] = 0;
    }
}

void fill_offsets(const LoopAxes& axes, Index begin, Index end, Index LoopAxis::*stride, Index* offsets) {
    if (axes.size() <= 1) {
        const Index step = axes.empty() ? 0 : axes[0].*stride;
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
            for (Index j = 0; j < size; ++j) piece[i * size + j] = piece[j] + i * axes[inner].*stride;
        size *= axes[inner].extent;
    }
    const bool last = inner == axes.size();
    const Index pieces = last ? 1 : axes[inner].extent, step = last ? 0 : axes[inner].*stride;
    const LoopAxes outer(std::span<const LoopAxis>(axes.begin() + inner + (last ? 0 : 1), axes.end()));
    const Index block = size * pieces;
    Odometer at(outer, begin / block);
    for (Index first = begin % block; begin < end; first = 0, at.advance()) {
        const Index count = std::min(block - first, end - begin), start = at.along(stride);
        repeat_piece(piece, size, first, count, start, step, offsets);
        offsets += count;
        begin += count;
    }
}

void split_into_segments(const LoopAxes& axes, Index begin, Index end, Segments& segments) {
    segments.clear();
    if (axes.size() <= 1) {
        const LoopAxis inner = axes.empty() ? LoopAxis{1, 0, 0, 0} : axes[0];
        segments.push_back({begin * inner.a, begin * inner.b, end - begin});
        return;
    }
    const LoopAxis& inner = axes[0];
    LoopAxes outer(std::span<const LoopAxis>(axes.begin() + 1, axes.end()));
    Odometer at(outer, begin / inner.extent);
    for (Index i = begin % inner.extent; begin < end; i = 0, at.advance()) {
        const Index count = std::min(inner.extent - i, end - begin);
        segments.push_back({at.a + i * inner.a, at.b + i * inner.b, count});
        begin += count;
    }
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
