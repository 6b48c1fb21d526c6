// Sorting, fusing and walking the loops of a contraction.
#include "cpu/kernels/contraction/contraction_axes.hpp"

#include <algorithm>
#include <cstdlib>

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

/// Moves the axis along which a tensor is contiguous to `place`, if it comes later: so whole cache lines of
/// it are touched while they are near.
void bring_unit_forward(LoopAxes& axes, std::size_t tensor, std::size_t place) noexcept {
    std::size_t i = 0;
    while (i < axes.size() && axes[i].stride[tensor] != 1) ++i;
    if (i == axes.size()) return;
    for (; i > place; --i) std::swap(axes[i], axes[i - 1]);
}

bool has_unit(const LoopAxes& axes, std::size_t tensor) noexcept {
    return std::any_of(axes.begin(), axes.end(),
                       [tensor](const LoopAxis& axis) { return axis.stride[tensor] == 1; });
}

/// The order of the free axes of an operand: its own where it has many times as many elements as the result,
/// that is where K is much longer than the free axes of the other operand, or fewer times where its lines are
/// read along K; else that of the result, but where it has some times as many, long runs in which it is
/// contiguous come first.
void sort_free(LoopAxes& axes, std::size_t operand, const LoopAxes& other, const LoopAxes& k, DType dtype) {
    constexpr Index kMany = 8, kManyAlong = 6, kManyToLines = 3, kSome = 2, kLongRun = 16,
                    kFewComplexLines = 4;
    if (axes.size() < 2) return;
    const Index depth = size_of(k), lines = size_of(other);
    const Index many = !has_unit(k, operand) ? kMany : has_unit(other, kC) ? kManyToLines : kManyAlong;
    if (depth >= many * lines) {
        sort_by(axes, operand);
        bring_unit_forward(axes, kC, 1);
        return;
    }
    sort_by(axes, kC);
    const bool leads = depth >= kSome * lines && (!info(dtype).is_complex || lines <= kFewComplexLines) &&
                       std::any_of(axes.begin(), axes.end(), [operand](const LoopAxis& axis) {
                           return axis.stride[operand] == 1 && axis.extent >= kLongRun;
                       });
    bring_unit_forward(axes, operand, axes[0].stride[kC] == 1 && !leads ? 1 : 0);
}

/// The operand in whose order K is walked: the one that is contiguous along it, of two the larger one.
std::size_t rules_k(const Contraction& loops) noexcept {
    const bool a = has_unit(loops.k, kA), b = has_unit(loops.k, kB);
    if (a != b) return a ? kA : kB;
    return size_of(loops.m) >= size_of(loops.n) ? kA : kB;
}

void push(LoopAxes& axes, const LoopAxis& axis) {
    if (axis.extent != 1) axes.push_back(axis);
}

/// Walks the axes of an operand that are neither contracted nor batch axes, in order.
template <class Visit>
void for_each_free(std::size_t rank, const Dims& contract, const Dims& batch, Visit&& visit) {
    constexpr std::size_t kFew = 32;  // pairs of axes that are compared sooner than marks are made
    if (rank * (contract.size() + batch.size()) > kFew * kFew) {
        for (const Index axis : free_axes(rank, contract, batch)) visit(static_cast<std::size_t>(axis));
        return;
    }
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
        push(loops.m, {lhs.shape()[axis], {lhs.strides()[axis], 0, out.strides()[out_axis++]}});
    });
    for_each_free(rhs.rank(), config.rhs_contract, config.rhs_batch, [&](std::size_t axis) {
        push(loops.n, {rhs.shape()[axis], {0, rhs.strides()[axis], out.strides()[out_axis++]}});
    });
    for (std::size_t i = 0; i < config.lhs_batch.size(); ++i) {
        const Index axis = config.lhs_batch[i];
        const LoopAxis loop{
            lhs.shape()[axis],
            {lhs.strides()[axis], rhs.strides()[config.rhs_batch[i]], out.strides()[out_axis++]}};
        // A batch axis along which one operand repeats is a free axis of the other.
        push(loop.stride[kB] == 0 ? loops.m : loop.stride[kA] == 0 ? loops.n : loops.batch, loop);
    }
    for (std::size_t i = 0; i < config.lhs_contract.size(); ++i) {
        const Index axis = config.lhs_contract[i];
        push(loops.k, {lhs.shape()[axis], {lhs.strides()[axis], rhs.strides()[config.rhs_contract[i]], 0}});
    }
}

}  // namespace

// Stable insertion sort: the lists are short and mostly sorted.
void sort_by(LoopAxes& axes, std::size_t tensor) noexcept {
    for (std::size_t i = 1; i < axes.size(); ++i) {
        const LoopAxis axis = axes[i];
        std::size_t j = i;
        for (; j > 0 && std::abs(axes[j - 1].stride[tensor]) > std::abs(axis.stride[tensor]); --j)
            axes[j] = axes[j - 1];
        axes[j] = axis;
    }
}

void Contraction::swap_operands() noexcept {
    std::swap(a, b);
    std::swap(m, n);
    std::swap(m_size, n_size);
    for (LoopAxes* axes : {&m, &n, &k, &batch})
        for (LoopAxis& axis : *axes) std::swap(axis.stride[kA], axis.stride[kB]);
}

Contraction analyse(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config,
                    const TensorWrite& out, KOrder k_order) {
    Contraction loops;
    loops.dtype = out.dtype();
    loops.a = lhs.data();
    loops.b = rhs.data();
    loops.c = out.data();
    collect(loops, lhs, rhs, config, out);
    const bool n_has_unit = has_unit(loops.n, kC);
    sort_free(loops.m, kA, loops.n, loops.k, loops.dtype);
    sort_free(loops.n, kB, loops.m, loops.k, loops.dtype);
    sort_by(loops.batch, kC);
    if (k_order == KOrder::Strides) sort_by(loops.k, rules_k(loops));
    for (LoopAxes* axes : {&loops.m, &loops.n, &loops.k, &loops.batch}) fuse(*axes);
    loops.m_size = size_of(loops.m);
    loops.n_size = size_of(loops.n);
    loops.k_size = size_of(loops.k);
    loops.batch_size = size_of(loops.batch);
    if (n_has_unit) loops.swap_operands();
    return loops;
}

void split_into_segments(const LoopAxes& axes, Index begin, Index end, Segments& segments) {
    segments.clear();
    if (axes.size() <= 1) {
        const LoopAxis inner = axes.empty() ? LoopAxis{1, {0, 0, 0}} : axes[0];
        segments.push_back({begin * inner.stride[kA], begin * inner.stride[kB], end - begin});
        return;
    }
    const LoopAxis& inner = axes[0];
    LoopAxes outer(std::span<const LoopAxis>(axes.begin() + 1, axes.end()));
    Odometer at(outer, begin / inner.extent);
    for (Index i = begin % inner.extent; begin < end; i = 0, at.advance()) {
        const Index count = std::min(inner.extent - i, end - begin);
        segments.push_back({at.in(kA) + i * inner.stride[kA], at.in(kB) + i * inner.stride[kB], count});
        begin += count;
    }
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
