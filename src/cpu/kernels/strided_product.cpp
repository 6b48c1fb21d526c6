// The strided engine: C is computed in blocks whose offsets in A, B and C come from two small tables, so that neither the
// number of axes nor their extents cost anything per element. K runs outside the inner loop of a block.
#include <algorithm>
#include <complex>

#include "cpu/kernels/block_plan.hpp"
#include "cpu/kernels/engines.hpp"
#include "cpu/kernels/scalar_ops.hpp"
#include "cpu/kernels/scratch.hpp"

namespace tenferro::inline TENFERRO_ABI::cpu {

namespace {

/// How the offsets of a table go up.
enum class Walk { Unit, Fixed, Table };

/// Offsets of a loop group in one tensor.
template <Index kSize>
struct OffsetTable {
    Index offsets[kSize];
    Walk walk;

    void classify(Index size) {
        bool unit = true, fixed = true;
        for (Index i = 0; i < size; ++i) {
            unit = unit && offsets[i] == i;
            fixed = fixed && offsets[i] == 0;
        }
        walk = fixed ? Walk::Fixed : unit ? Walk::Unit : Walk::Table;
    }
};

template <Walk kWalk>
inline Index at(const Index* offsets, Index i) {
    return kWalk == Walk::Unit ? i : kWalk == Walk::Fixed ? 0 : offsets[i];
}

/// The loops of a block: totals[i] (+)= a[..i] * b[..i].
template <class T>
struct InnerLoop {
    using Function = void (*)(const T* a, const Index* a_offsets, const T* b, const Index* b_offsets, T* totals, Index size);

    template <Walk kA, Walk kB, bool kAdd>
    static void run(const T* a, const Index* a_offsets, const T* b, const Index* b_offsets, T* __restrict totals, Index size) {
        for (Index i = 0; i < size; ++i) {
            const T value = product(a[at<kA>(a_offsets, i)], b[at<kB>(b_offsets, i)]);
            totals[i] = kAdd ? sum(totals[i], value) : value;
        }
    }

    template <Walk kA, bool kAdd>
    static Function choose_b(Walk b) {
        switch (b) {
            case Walk::Unit: return run<kA, Walk::Unit, kAdd>;
            case Walk::Fixed: return run<kA, Walk::Fixed, kAdd>;
            default: return run<kA, Walk::Table, kAdd>;
        }
    }

    template <bool kAdd>
    static Function choose(Walk a, Walk b) {
        switch (a) {
            case Walk::Unit: return choose_b<Walk::Unit, kAdd>(b);
            case Walk::Fixed: return choose_b<Walk::Fixed, kAdd>(b);
            default: return choose_b<Walk::Table, kAdd>(b);
        }
    }
};

template <class T>
class StridedProduct {
public:
    explicit StridedProduct(const Contraction& loops) : loops_(loops), plan_(plan_blocks(loops)) {
        fill_table(plan_.inner, inner_a_, inner_b_, inner_c_);
        fill_table(plan_.outer, outer_a_, outer_b_, outer_c_);
        stage_a_ = needs_staging(inner_a_, outer_a_);
        stage_b_ = needs_staging(inner_b_, outer_b_);
        set_ = InnerLoop<T>::template choose<false>(stage_a_ ? Walk::Unit : inner_a_.walk, stage_b_ ? Walk::Unit : inner_b_.walk);
        add_ = InnerLoop<T>::template choose<true>(inner_a_.walk, inner_b_.walk);
    }

    void run(CpuContext& context) const {
        constexpr Index kPartsPerThread = 4;
        const Index threads = loops_.multiply_adds() < kParallelMultiplyAdds ? 1 : context.threads();
        const Index parts = threads == 1 ? 1 : std::min(plan_.rest_size, threads * kPartsPerThread);
        context.parallel_for(
            parts, [&](Index part) { run_blocks(plan_.rest_size * part / parts, plan_.rest_size * (part + 1) / parts); });
    }

private:
    /// From one line of a staged block to the next; not a power of two, so that lines do not share cache sets.
    static constexpr Index kStagedLine = kMostInner + 64 / sizeof(T);

    template <Index kSize>
    static void fill_table(const LoopGroup& group, OffsetTable<kSize>& a, OffsetTable<kSize>& b, OffsetTable<kSize>& c) {
        fill_offsets(group.axes, 0, group.size, &LoopAxis::a, a.offsets, &LoopAxis::b, b.offsets);
        fill_offsets(group.axes, 0, group.size, &LoopAxis::c, c.offsets, &LoopAxis::c, c.offsets);
        a.classify(group.size);
        b.classify(group.size);
        c.classify(group.size);
    }

    void run_blocks(Index begin, Index end) const {
        Odometer at(plan_.rest, begin);
        const T* a = static_cast<const T*>(loops_.a);
        const T* b = static_cast<const T*>(loops_.b);
        T* c = static_cast<T*>(loops_.c);
        for (; begin < end; ++begin, at.advance()) {
            const Index inner = BlockPlan::size_at(plan_.inner, at), outer = BlockPlan::size_at(plan_.outer, at);
            if (stage_a_ || stage_b_) {
                run_staged_block(a + at.a, b + at.b, c + at.c, inner, outer);
                continue;
            }
            for (Index j = 0; j < outer; ++j)
                run_line(a + at.a + outer_a_.offsets[j], b + at.b + outer_b_.offsets[j], c + at.c + outer_c_.offsets[j], inner);
        }
    }

    /// Whether an operand is contiguous along the outer group only, so that reading it in C's order would touch each of its
    /// cache lines many times; it is then copied block by block in its own order. Only without a K loop.
    [[nodiscard]] bool needs_staging(const OffsetTable<kMostInner>& inner, const OffsetTable<kMostOuter>& outer) const {
        return loops_.k_size == 1 && inner.walk == Walk::Table && plan_.outer.size > 1 && outer.offsets[1] == 1;
    }

    static void stage(const T* from, const Index* inner_offsets, const Index* outer_offsets, Index inner, Index outer, T* to) {
        for (Index i = 0; i < inner; ++i) {
            const T* line = from + inner_offsets[i];
            for (Index j = 0; j < outer; ++j) to[j * kStagedLine + i] = line[outer_offsets[j]];
        }
    }

    void run_staged_block(const T* a, const T* b, T* c, Index inner, Index outer) const {
        constexpr std::size_t kBytes = sizeof(T) * kStagedLine * kMostOuter;
        auto* staged_a = reinterpret_cast<T*>(scratch(ScratchUse::PackedA, kBytes));
        auto* staged_b = reinterpret_cast<T*>(scratch(ScratchUse::PackedB, kBytes));
        if (stage_a_) stage(a, inner_a_.offsets, outer_a_.offsets, inner, outer, staged_a);
        if (stage_b_) stage(b, inner_b_.offsets, outer_b_.offsets, inner, outer, staged_b);
        for (Index j = 0; j < outer; ++j)
            run_line(stage_a_ ? staged_a + j * kStagedLine : a + outer_a_.offsets[j],
                     stage_b_ ? staged_b + j * kStagedLine : b + outer_b_.offsets[j], c + outer_c_.offsets[j], inner);
    }

    /// One inner group of C.
    void run_line(const T* a, const T* b, T* c, Index size) const {
        T buffer[kMostInner];
        T* totals = inner_c_.walk == Walk::Table ? buffer : c;
        if (loops_.k_size == 0)
            std::fill_n(totals, size, T{});
        else
            sum_products(a, b, totals, size);
        if (totals == buffer)
            for (Index i = 0; i < size; ++i) c[inner_c_.offsets[i]] = buffer[i];
    }

    void sum_products(const T* a, const T* b, T* totals, Index size) const {
        set_(a, inner_a_.offsets, b, inner_b_.offsets, totals, size);
        if (loops_.k_size == 1) return;
        Odometer at(loops_.k, 0);
        for (Index k = 1; k < loops_.k_size; ++k) {
            at.advance();
            add_(a + at.a, inner_a_.offsets, b + at.b, inner_b_.offsets, totals, size);
        }
    }

    const Contraction& loops_;
    const BlockPlan plan_;
    OffsetTable<kMostInner> inner_a_, inner_b_, inner_c_;
    OffsetTable<kMostOuter> outer_a_, outer_b_, outer_c_;
    bool stage_a_, stage_b_;
    typename InnerLoop<T>::Function set_, add_;
};

}  // namespace

void strided_product(const Contraction& loops, CpuContext& context) {
    visit_numeric(loops.dtype, [&]<class T>() { StridedProduct<T>(loops).run(context); });
}

}  // namespace tenferro::inline TENFERRO_ABI::cpu
