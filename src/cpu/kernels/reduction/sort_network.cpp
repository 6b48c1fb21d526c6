// Rows of vectors, of which each lane is a line: blocks of rows are sorted in registers by Batcher's network
// (odd-even merge sort; Knuth, TAOCP 3, 5.3.4), then merged two by two (bitonic sort, whose first
// comparisons are with the other block turned round, so that the smaller of two always goes up), the last
// steps in registers again. Compiled once per instruction set.
#include "cpu/kernels/reduction/sort_network.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "cpu/kernels/reduction/integer_as.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/reduction/sort_network.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "tenferro/cpu/contraction/lane_parts-inl.hpp"
#include "tenferro/cpu/contraction/unroll.hpp"
#include "tenferro/cpu/contraction/word_square-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
SortingNetwork find_network(DType /*dtype*/) { return {}; }
#else
constexpr int kBlockRows = 16;

template <class V>
HWY_INLINE void put_in_order(V& upper, V& lower) {
    const V least = hn::Min(upper, lower);
    lower = hn::Max(upper, lower);
    upper = least;
}

/// Batcher's merge of the rows kFrom, kFrom + kStep, ... of the two sorted halves of kCount rows.
template <int kFrom, int kCount, int kStep, class V>
HWY_INLINE void merge_rows(V* rows) {
    if constexpr (2 * kStep < kCount) {
        merge_rows<kFrom, kCount, 2 * kStep>(rows);
        merge_rows<kFrom + kStep, kCount, 2 * kStep>(rows);
        TENFERRO_UNROLL
        for (int i = kFrom + kStep; i + kStep < kFrom + kCount; i += 2 * kStep)
            put_in_order(rows[i], rows[i + kStep]);
    } else {
        put_in_order(rows[kFrom], rows[kFrom + kStep]);
    }
}

template <int kFrom, int kCount, class V>
HWY_INLINE void sort_rows(V* rows) {
    if constexpr (kCount > 1) {
        sort_rows<kFrom, kCount / 2>(rows);
        sort_rows<kFrom + kCount / 2, kCount / 2>(rows);
        merge_rows<kFrom, kCount, 1>(rows);
    }
}

/// The last steps of a bitonic merge: rows are compared kStep apart, then half as far, down to neighbours.
template <int kStep, class V>
HWY_INLINE void finish_merge(V* rows) {
    if constexpr (kStep > 0) {
        TENFERRO_UNROLL
        for (int i = 0; i < kBlockRows; ++i)
            if ((i & kStep) == 0) put_in_order(rows[i], rows[i + kStep]);
        finish_merge<kStep / 2>(rows);
    }
}

/// Rows of vectors in memory, their number a multiple of kBlockRows, of which blocks are sorted.
template <class T>
class SortedBlocks {
public:
    SortedBlocks(T* first, Index rows) : first_(first), rows_(rows) {}

    void merge() const {
        for (Index half = kBlockRows; half < rows_; half *= 2)
            for (Index begin = 0; begin + half < rows_; begin += 2 * half) merge_halves(begin, half);
    }

private:
    using D = hn::ScalableTag<T>;
    static constexpr auto kLanes = static_cast<Index>(hn::MaxLanes(D()));

    [[nodiscard]] T* row(Index i) const { return first_ + i * kLanes; }

    void put_rows_in_order(Index upper, Index lower) const {
        const D d;
        auto a = hn::Load(d, row(upper)), b = hn::Load(d, row(lower));
        put_in_order(a, b);
        hn::Store(a, d, row(upper));
        hn::Store(b, d, row(lower));
    }

    /// What the second half lacks would be larger than anything.
    void merge_halves(Index begin, Index half) const {
        const D d;
        const Index end = std::min(begin + 2 * half, rows_);
        for (Index i = begin + half; i < end; ++i) put_rows_in_order(2 * (begin + half) - 1 - i, i);
        for (Index step = half / 2; step >= kBlockRows; step /= 2)
            for (Index part = begin; part < end; part += 2 * step)
                for (Index i = part + step; i < std::min(part + 2 * step, end); ++i)
                    put_rows_in_order(i - step, i);
        for (Index block = begin; block < end; block += kBlockRows) {
            hn::Vec<D> rows[kBlockRows];
            TENFERRO_UNROLL
            for (int i = 0; i < kBlockRows; ++i) rows[i] = hn::Load(d, row(block + i));
            finish_merge<kBlockRows / 2>(rows);
            TENFERRO_UNROLL
            for (int i = 0; i < kBlockRows; ++i) hn::Store(rows[i], d, row(block + i));
        }
    }

    T* first_;
    Index rows_;
};

constexpr Index whole_blocks(Index length) { return (length + kBlockRows - 1) / kBlockRows * kBlockRows; }

/// Contiguous lines become rows: line c is lane c.
template <class T>
void gather_rows(const EvenLines& lines, T* rows) {
    using Square = WordSquare<sizeof(T)>;
    constexpr Index kSide = Square::kSide;
    const hn::ScalableTag<T> d;
    const typename Square::Tag words;
    const T* line[kSide];
    for (Index c = 0; c < kSide; ++c)
        line[c] = static_cast<const T*>(lines.from) + std::min(c, lines.count - 1) * lines.from_apart;
    const auto gather = [&](Index k, const auto& load) HWY_ATTR {
        typename Square::Vec v[kSide];
        TENFERRO_UNROLL
        for (int c = 0; c < kSide; ++c) v[c] = hn::BitCast(words, load(line[c] + k));
        Square::transpose(v);
        TENFERRO_UNROLL
        for (int c = 0; c < kSide; ++c) hn::Store(hn::BitCast(d, v[c]), d, rows + (k + c) * kSide);
    };
    Index k = 0;
    for (; k + kSide <= lines.length; k += kSide)
        gather(k, [&](const T* from) HWY_ATTR { return hn::LoadU(d, from); });
    if (k < lines.length)
        gather(k, [&](const T* from) HWY_ATTR { return load_part(d, from, lines.length - k); });
}

/// The other way; lines whose bit is set in `left` are left as they are.
template <class T, class Row>
HWY_INLINE void scatter_rows(const EvenLines& lines, std::uint64_t left, const Row& row) {
    using Square = WordSquare<sizeof(T)>;
    constexpr Index kSide = Square::kSide;
    const hn::ScalableTag<T> d;
    const typename Square::Tag words;
    for (Index k = 0; k < lines.length; k += kSide) {
        const Index some = std::min(lines.length - k, kSide);
        T* to = static_cast<T*>(lines.to) + k;
        typename Square::Vec v[kSide];
        TENFERRO_UNROLL
        for (int c = 0; c < kSide; ++c) v[c] = hn::BitCast(words, row(k + c));
        Square::transpose(v);
        TENFERRO_UNROLL
        for (int c = 0; c < kSide; ++c, to += lines.to_apart) {
            if (c >= lines.count || (left >> c & 1) != 0) continue;
            const auto x = hn::BitCast(d, v[c]);
            some == kSide ? hn::StoreU(x, d, to) : store_part(d, x, to, some);
        }
    }
}

/// Element k of all lines is the vector first[k * step].
template <class T>
struct Rows {
    const T* first;
    Index step;
};

/// The lines as whole vectors: where they are, or copied to `memory`.
template <class T>
Rows<T> rows_of(const EvenLines& lines, T* memory) {
    const hn::ScalableTag<T> d;
    constexpr auto kLanes = static_cast<Index>(hn::MaxLanes(hn::ScalableTag<T>()));
    const T* const from = static_cast<const T*>(lines.from);
    if (lines.from_apart != 1) {
        gather_rows(lines, memory);
        return {memory, kLanes};
    }
    if (lines.count == kLanes) return {from, lines.from_step};
    for (Index k = 0; k < lines.length; ++k)
        hn::Store(load_part(d, from + k * lines.from_step, lines.count), d, memory + k * kLanes);
    return {memory, kLanes};
}

/// Sorts blocks of rows, whose bits differ from those in memory by `turned`, into `sorted`. Returns in which
/// lanes NaN or a negative zero is.
template <class T, class D = hn::ScalableTag<T> >
HWY_INLINE hn::Mask<D> sort_blocks(Rows<T> rows, Index length, hn::Vec<D> turned, T* sorted) {
    using Key = IntegerAs<T>;
    using Vec = hn::Vec<D>;
    const D d;
    const hn::ScalableTag<Key> keys;
    constexpr auto kLanes = static_cast<Index>(hn::MaxLanes(D()));
    constexpr bool kFloating = std::is_floating_point_v<T>;
    const Vec largest =
        hn::Set(d, kFloating ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max());
    auto tells_apart = hn::FirstN(d, 0);
    const auto get = [&](Index k) HWY_ATTR {
        const Vec x = hn::LoadU(d, rows.first + k * rows.step);
        if constexpr (kFloating) {
            const auto negative_zero = hn::RebindMask(
                d, hn::Eq(hn::BitCast(keys, x), hn::Set(keys, std::numeric_limits<Key>::min())));
            tells_apart = hn::Or(tells_apart, hn::Or(hn::IsNaN(x), negative_zero));
        }
        return hn::Xor(x, turned);
    };
    for (Index begin = 0; begin < length; begin += kBlockRows) {
        const Index count = std::min<Index>(length - begin, kBlockRows);
        Vec block[kBlockRows];
        if (count == kBlockRows) {
            TENFERRO_UNROLL
            for (int i = 0; i < kBlockRows; ++i) block[i] = get(begin + i);
        } else {
            TENFERRO_UNROLL
            for (int i = 0; i < kBlockRows; ++i) block[i] = i < count ? get(begin + i) : largest;
        }
        if (count <= kBlockRows / 4)
            sort_rows<0, kBlockRows / 4>(block);
        else if (count <= kBlockRows / 2)
            sort_rows<0, kBlockRows / 2>(block);
        else
            sort_rows<0, kBlockRows>(block);
        TENFERRO_UNROLL
        for (int i = 0; i < kBlockRows; ++i) hn::Store(block[i], d, sorted + (begin + i) * kLanes);
    }
    return tells_apart;
}

/// Writes the vectors row(k) to the lines but those whose bit is set in `left`.
template <class T, class Row>
HWY_INLINE void write_rows(const EvenLines& lines, std::uint64_t left, const Row& row) {
    const hn::ScalableTag<T> d;
    constexpr auto kLanes = static_cast<Index>(hn::MaxLanes(hn::ScalableTag<T>()));
    T* to = static_cast<T*>(lines.to);
    if (lines.to_apart != 1) {
        scatter_rows<T>(lines, left, row);
    } else if (left == 0 && lines.count == kLanes) {
        for (Index k = 0; k < lines.length; ++k, to += lines.to_step) hn::StoreU(row(k), d, to);
    } else if (left == 0) {
        for (Index k = 0; k < lines.length; ++k, to += lines.to_step) store_part(d, row(k), to, lines.count);
    } else {
        for (Index k = 0; k < lines.length; ++k, to += lines.to_step) {
            HWY_ALIGN T lanes[kLanes];
            hn::Store(row(k), d, lanes);
            for (Index c = 0; c < lines.count; ++c)
                if ((left >> c & 1) == 0) to[c] = lanes[c];
        }
    }
}

template <class T>
std::uint64_t sort_side_by_side(const EvenLines& lines, bool descending, void* memory) {
    using Key = IntegerAs<T>;
    const hn::ScalableTag<T> d;
    constexpr auto kLanes = static_cast<Index>(hn::MaxLanes(hn::ScalableTag<T>()));
    constexpr bool kFloating = std::is_floating_point_v<T>;
    T* const sorted = static_cast<T*>(memory);
    // the order is turned round by the sign, or by all bits of integers
    const Key turned_bits = !descending ? Key{0} : kFloating ? std::numeric_limits<Key>::min() : Key{-1};
    const auto turned = hn::BitCast(d, hn::Set(hn::ScalableTag<Key>(), turned_bits));
    const auto tells_apart = sort_blocks<T>(rows_of(lines, sorted), lines.length, turned, sorted);
    SortedBlocks<T>(sorted, whole_blocks(lines.length)).merge();
    std::uint64_t left = 0;
    if constexpr (kFloating) {
        const auto used = hn::FirstN(d, static_cast<std::size_t>(lines.count));
        hn::StoreMaskBits(d, hn::And(tells_apart, used), reinterpret_cast<std::uint8_t*>(&left));
    }
    write_rows<T>(lines, left,
                  [&](Index k) HWY_ATTR { return hn::Xor(hn::Load(d, sorted + k * kLanes), turned); });
    return left;
}

template <class T>
SortingNetwork network() {
    constexpr auto kLanes = static_cast<Index>(hn::MaxLanes(hn::ScalableTag<T>()));
    return {kLanes, sort_side_by_side<T>,
            [](Index length) { return static_cast<std::size_t>(whole_blocks(length) * kLanes) * sizeof(T); }};
}

SortingNetwork find_network(DType dtype) {
    switch (dtype) {
        case DType::F32: return network<float>();
        case DType::F64: return network<double>();
        case DType::I32: return network<std::int32_t>();
        default: return network<std::int64_t>();
    }
}
#endif

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(find_network);
SortingNetwork sorting_network(DType dtype) { return HWY_DYNAMIC_DISPATCH(find_network)(dtype); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
