// Loops in vectors where operands are adjacent or fixed, and plain ones along tables; compiled once per
// instruction set.
#include "cpu/kernels/contraction/strided_loops.hpp"

#include <utility>

#include "cpu/kernels/contraction/scalar_ops.hpp"
#include "cpu/kernels/movement/streaming.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/contraction/strided_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/contraction/pair_arithmetic-inl.hpp"
#include "tenferro/cpu/contraction/lane_parts-inl.hpp"
#include "tenferro/cpu/contraction/unroll.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <Walk kWalk>
HWY_INLINE Index at(const Index* offsets, Index i) {
    return kWalk == Walk::Unit ? i : kWalk == Walk::Fixed ? 0 : offsets[i];
}

/// Where a row begins.
template <class T>
struct Row {
    const T *a, *b;
    T* totals;

    Row(const PairRows& rows, Index r)
        : a(static_cast<const T*>(rows.a) + rows.row_a[r]),
          b(static_cast<const T*>(rows.b) + rows.row_b[r]),
          totals(static_cast<T*>(rows.totals) + rows.row_totals[r]) {}
};

template <class Op, Walk kWalkA, Walk kWalkB, bool kAdds>
void loop(const PairRows& rows) {
    using T = typename Op::Number;
    const Index *line_a = rows.line_a, *line_b = rows.line_b, size = rows.size;
    for (Index r = 0; r < rows.rows; ++r) {
        const Row<T> row(rows, r);
        const T *a = row.a, *b = row.b;
        T* __restrict totals = row.totals;
        for (Index i = 0; i < size; ++i) {
            const T value = typename Op::Scalar{}(a[at<kWalkA>(line_a, i)], b[at<kWalkB>(line_b, i)]);
            totals[i] = kAdds ? sum(totals[i], value) : value;
        }
    }
}

/// The vectors of a row: a is adjacent, b too or one number.
template <class Op, Walk kWalkB>
struct RowVectors {
    using Lane = typename Op::Lane;
    using D = typename Op::D;
    using V = hn::Vec<D>;

    const Lane *a, *b;
    Lane* totals;
    decltype(Op::ready(V())) fixed;

    HWY_INLINE explicit RowVectors(const Row<typename Op::Number>& row)
        : a(reinterpret_cast<const Lane*>(row.a)),
          b(reinterpret_cast<const Lane*>(row.b)),
          totals(reinterpret_cast<Lane*>(row.totals)),
          fixed(Op::ready(*row.b)) {}

    [[nodiscard]] HWY_INLINE V at(Index i) const {
        const V value = hn::LoadU(D(), a + i);
        if constexpr (kWalkB == Walk::Unit)
            return Op::of(value, Op::ready(hn::LoadU(D(), b + i)));
        else
            return Op::of(value, fixed);
    }
    [[nodiscard]] HWY_INLINE V part_at(Index i, Index lanes) const {
        const V value = load_part(D(), a + i, lanes);
        if constexpr (kWalkB == Walk::Unit)
            return Op::of(value, Op::ready(load_part(D(), b + i, lanes)));
        else
            return Op::of(value, fixed);
    }
};

/// The last `count` lanes of one vector, then the first ones of another. Not by way of memory, where it would
/// wait behind all that goes past the caches.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V joined(D d, V last, V first, Index count) {
    constexpr auto kLanes = static_cast<Index>(hn::MaxLanes(d));
    const hn::RebindToSigned<D> di;
    using Place = hn::TFromD<decltype(di)>;
    const auto turned = hn::Sub(hn::Iota(di, 0), hn::Set(di, static_cast<Place>(count)));
    const auto places = hn::And(turned, hn::Set(di, static_cast<Place>(kLanes - 1)));
    const V both = hn::IfThenElse(hn::FirstN(d, static_cast<std::size_t>(kLanes - count)), first, last);
    return hn::TableLookupLanes(both, hn::IndicesFromVec(d, places));
}

/// Loops over rows that are set past the caches, of two cache lines at least. What of a row does not fill its
/// last vector waits for the row that follows in memory.
template <class Op, Walk kWalkB>
void stream_rows(const PairRows& rows) {
    using T = typename Op::Number;
    using Vectors = RowVectors<Op, kWalkB>;
    using Lane = typename Vectors::Lane;
    using V = typename Vectors::V;
    const typename Vectors::D d;
    constexpr auto kStep = static_cast<Index>(hn::MaxLanes(d));
    const Index size = rows.size * static_cast<Index>(sizeof(T) / sizeof(Lane));
    constexpr Index kTogether = kCacheLine / static_cast<Index>(kStep * sizeof(Lane));  // vectors of a line
    constexpr Index kLine = kTogether * kStep;
    const auto is_followed = [&rows](Index r) {
        return r + 1 < rows.rows && rows.row_totals[r + 1] == rows.row_totals[r] + rows.size;
    };
    Index held = 0;  // lanes of `last`, its last ones, that wait
    V last = hn::Zero(d);
    bool follows = false;  // the row before, in memory
    for (Index r = 0; r < rows.rows; ++r) {
        const Vectors row{Row<T>(rows, r)};
        Index i = 0;
        const auto store_until = [&i, &row, d](Index end) HWY_ATTR {
            for (; i + kStep <= end; i += kStep) hn::StoreU(row.at(i), d, row.totals + i);
            if (i < end) store_part(d, row.part_at(i, end - i), row.totals + i, end - i);
            i = end;
        };
        const Index beside = bytes_to_line(row.totals) / static_cast<Index>(sizeof(Lane));
        if (!follows) {
            store_until(beside);
        } else if (kStep > 1 && held != 0) {
            i = kStep - held;
            hn::Stream(joined(d, last, row.at(0), held), d, row.totals - held);
        }
        follows = is_followed(r);
        const Index whole = follows ? size : size - (size - beside) % kLine;
        for (; i + kLine <= whole; i += kLine) {
            TENFERRO_UNROLL
            for (Index v = 0; v < kLine; v += kStep) hn::Stream(row.at(i + v), d, row.totals + i + v);
        }
        for (; i + kStep <= whole; i += kStep) hn::Stream(row.at(i), d, row.totals + i);
        held = size - i;
        if (!follows)
            store_until(size);
        else if (held != 0)
            last = row.at(size - kStep);
    }
}

/// The same where a is adjacent, and b too or one number. `rows` is a copy: what is not would be read again
/// after each store, and a read at the place in a page that was just written waits. The last vector of a row
/// that is set overlaps the one before.
template <class Op, Walk kWalkB, bool kAdds>
void vector_loop(const PairRows& all) {
    using T = typename Op::Number;
    using Vectors = RowVectors<Op, kWalkB>;
    using Lane = typename Vectors::Lane;
    const typename Vectors::D d;
    constexpr auto kStep = static_cast<Index>(hn::MaxLanes(d));
    const PairRows rows = all;
    const Index size = rows.size * static_cast<Index>(sizeof(T) / sizeof(Lane));
    const void* const first = static_cast<T*>(rows.totals) + rows.row_totals[0];
    constexpr auto kElement = static_cast<Index>(sizeof(T));
    if (!kAdds && rows.streams && rows.size * kElement >= 2 * kCacheLine &&
        bytes_to_line(first) % kElement == 0)
        return stream_rows<typename Op::Half, kWalkB>(all);
    for (Index r = 0; r < rows.rows; ++r) {
        const Vectors row{Row<T>(rows, r)};
        Index i = 0;
        for (; i + kStep <= size; i += kStep) {
            auto value = row.at(i);
            if constexpr (kAdds) value = hn::Add(hn::LoadU(d, row.totals + i), value);
            hn::StoreU(value, d, row.totals + i);
        }
        if (i == size) continue;
        if (!kAdds && size >= kStep) {
            hn::StoreU(row.at(size - kStep), d, row.totals + size - kStep);
            continue;
        }
        auto value = row.part_at(i, size - i);
        if constexpr (kAdds) value = hn::Add(load_part(d, row.totals + i, size - i), value);
        store_part(d, value, row.totals + i, size - i);
    }
}

#if HWY_TARGET != HWY_SCALAR
/// The vectors of a row of an operand that is walked by windows. `kExact`: nothing is read behind the last
/// element of a vector. `kTwo`: vectors may have two windows.
template <class D, bool kExact, bool kTwo>
class WindowVectors {
public:
    HWY_INLINE explicit WindowVectors(const LineWindows& windows)
        : places_(windows.places), windows_(windows) {}

    /// To the row at `row`; a short one is kept in `near`.
    HWY_INLINE void go_to(const void* row, std::uint32_t* near) {
        row_ = static_cast<const std::uint32_t*>(row);
        if (kExact || windows_.run >= kWords) return;
        hn::Store(load_part(Words(), row_, windows_.run), Words(), near);
        row_ = near;
    }
    [[nodiscard]] HWY_INLINE hn::Vec<D> at(Index v) const {
        const Words words;
        const auto places = hn::Load(words, places_ + v * kWords);
        const auto first = load(windows_.first, v);
        if (!kTwo || windows_.second.words[v] == 0)
            return hn::BitCast(D(), hn::TableLookupLanes(first, hn::IndicesFromVec(words, places)));
        const auto lanes = hn::And(places, hn::Set(words, static_cast<std::uint32_t>(kWords - 1)));
        const auto indices = hn::IndicesFromVec(words, lanes);
        const auto second = hn::TableLookupLanes(load(windows_.second, v), indices);
        return hn::BitCast(
            D(), hn::IfThenElse(hn::Eq(lanes, places), hn::TableLookupLanes(first, indices), second));
    }

private:
    using Words = hn::Repartition<std::uint32_t, D>;
    static constexpr auto kWords = static_cast<Index>(hn::MaxLanes(Words()));

    [[nodiscard]] HWY_INLINE hn::Vec<Words> load(const LineWindows::Windows& windows, Index v) const {
        if (kExact && windows.words[v] < kWords)
            return load_part(Words(), row_ + windows.from[v], windows.words[v]);
        return hn::LoadU(Words(), row_ + windows.from[v]);
    }

    const std::uint32_t* const places_;
    const LineWindows& windows_;
    const std::uint32_t* row_ = nullptr;
};

/// Sets rows where a is walked by windows and b is adjacent, one number, or walked by windows too: whole
/// vectors, of lines that are shorter than their windows then single elements.
template <class Op, Walk kWalkB, bool kWhole, bool kTwo>
void set_by_windows(const PairRows& all) {
    using T = typename Op::Number;
    using Lane = typename Op::Lane;
    using D = typename Op::D;
    using Vectors = WindowVectors<D, !kWhole, kTwo>;
    constexpr Index kElements = static_cast<Index>(hn::MaxLanes(D()) * sizeof(Lane) / sizeof(T));
    const PairRows rows = all;
    const bool streams = rows.streams;
    HWY_ALIGN std::uint32_t near[2][hwy::kMaxVectorSize / LineWindows::kWordBytes];
    Vectors a(*rows.windows_a), b(*rows.windows_b);
    for (Index r = 0; r < rows.rows; ++r) {
        const Row<T> row(rows, r);
        a.go_to(row.a, near[0]);
        if constexpr (kWalkB == Walk::Window) b.go_to(row.b, near[1]);
        const auto fixed = Op::ready(*row.b);
        const auto set = [a, b, row, fixed, streams](Index v, Index i) HWY_ATTR {
            auto factor = fixed;
            if constexpr (kWalkB == Walk::Window)
                factor = Op::ready(b.at(v));
            else if constexpr (kWalkB == Walk::Unit)
                factor = Op::ready(hn::LoadU(D(), reinterpret_cast<const Lane*>(row.b + i)));
            const auto value = Op::of(a.at(v), factor);
            auto* const to = reinterpret_cast<Lane*>(row.totals + i);
            streams ? hn::Stream(value, D(), to) : hn::StoreU(value, D(), to);
        };
        Index i = 0;
        for (Index v = 0; i + kElements <= rows.size; ++v, i += kElements) set(v, i);
        if (kWhole && i < rows.size)
            set(i / kElements, rows.size - kElements);
        else
            for (; i < rows.size; ++i)
                row.totals[i] =
                    typename Op::Scalar{}(row.a[rows.line_a[i]], row.b[at<kWalkB>(rows.line_b, i)]);
    }
}

template <class Op, Walk kWalkB>
void window_loop(const PairRows& rows) {
    const bool two = rows.windows_a->has_second || (kWalkB == Walk::Window && rows.windows_b->has_second);
    if (rows.size < rows.windows_a->size) return set_by_windows<Op, kWalkB, false, true>(rows);
    (two ? set_by_windows<Op, kWalkB, true, true> : set_by_windows<Op, kWalkB, true, false>)(rows);
}
#endif

/// Operands the other way round. Field by field: what was just stored in words is not there yet for loads
/// of vectors.
template <PairLoop kSwapped>
void swapped(const PairRows& rows) {
    kSwapped({rows.b, rows.a, rows.totals, rows.line_b, rows.line_a, rows.row_b, rows.row_a, rows.row_totals,
              rows.size, rows.rows, rows.windows_b, rows.windows_a, rows.streams});
}

template <class Op, Walk kWalkA, Walk kWalkB, bool kAdds>
constexpr PairLoop kLoop = loop<Op, kWalkA, kWalkB, kAdds>;
template <class Op, Walk kWalkB, bool kAdds>
requires(Op::kInVectors && (kWalkB == Walk::Unit || kWalkB == Walk::Fixed)) constexpr PairLoop
    kLoop<Op, Walk::Unit, kWalkB, kAdds> = vector_loop<Op, kWalkB, kAdds>;
template <class Op, bool kAdds>
requires(Op::kInVectors) constexpr PairLoop kLoop<Op, Walk::Fixed, Walk::Unit, kAdds> =
    swapped<vector_loop<typename Op::Swapped, Walk::Fixed, kAdds>>;

#if HWY_TARGET != HWY_SCALAR
template <class Op, Walk kWalkB>
requires(kWalkB !=
         Walk::Table) constexpr PairLoop kLoop<Op, Walk::Window, kWalkB, false> = window_loop<Op, kWalkB>;
template <class Op, Walk kWalkA>
requires(kWalkA == Walk::Unit ||
         kWalkA == Walk::Fixed) constexpr PairLoop kLoop<Op, kWalkA, Walk::Window, false> =
    swapped<window_loop<typename Op::Swapped, kWalkA>>;
#endif

template <class Op, Walk kWalkA, bool kAdds>
PairLoop choose_b(Walk b) {
    switch (b) {
        case Walk::Unit: return kLoop<Op, kWalkA, Walk::Unit, kAdds>;
        case Walk::Fixed: return kLoop<Op, kWalkA, Walk::Fixed, kAdds>;
        case Walk::Window: return kLoop<Op, kWalkA, Walk::Window, kAdds>;
        default: return kLoop<Op, kWalkA, Walk::Table, kAdds>;
    }
}

template <class Op, bool kAdds>
PairLoop choose_a(Walk a, Walk b) {
    switch (a) {
        case Walk::Unit: return choose_b<Op, Walk::Unit, kAdds>(b);
        case Walk::Fixed: return choose_b<Op, Walk::Fixed, kAdds>(b);
        case Walk::Window: return choose_b<Op, Walk::Window, kAdds>(b);
        default: return choose_b<Op, Walk::Table, kAdds>(b);
    }
}

Index bytes_of_windows() {
    return HWY_TARGET == HWY_SCALAR ? 0 : static_cast<Index>(hn::MaxLanes(hn::ScalableTag<std::uint8_t>()));
}

PairLoop choose_loop(OpId op, DType dtype, Walk a, Walk b, bool adds) {
    PairLoop chosen = nullptr;
    visit_numeric(dtype, [&]<class T>() {
        using Product = PairOp<elementwise::Mul, T>;
        if (op == OpId::Mul) chosen = adds ? choose_a<Product, true>(a, b) : choose_a<Product, false>(a, b);
        if (op == OpId::Add) chosen = choose_a<PairOp<elementwise::Add, T>, false>(a, b);
        if (op == OpId::Sub) chosen = choose_a<PairOp<elementwise::Sub, T>, false>(a, b);
        if constexpr (std::is_floating_point_v<T>)
            if (op == OpId::Div) chosen = choose_a<PairOp<elementwise::Div, T>, false>(a, b);
    });
    return chosen;
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(bytes_of_windows);
Index window_bytes() { return HWY_DYNAMIC_DISPATCH(bytes_of_windows)(); }

HWY_EXPORT(choose_loop);
PairLoop pair_loop(OpId op, DType dtype, Walk a, Walk b, bool adds) {
    return HWY_DYNAMIC_DISPATCH(choose_loop)(op, dtype, a, b, adds);
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
