// Sorting along an axis, in copies of pieces in which lines are contiguous. Lines whose equal elements are
// the same bits are sorted as integers in vectors; others, with NaN or a negative zero, stably: short ones by
// merging, long ones by radix, a byte of their keys after the other. The shortest are sorted by insertion.
#include <algorithm>
#include <vector>

#include "cpu/kernels/loops/piece_grid.hpp"
#include "cpu/kernels/loops/scratch.hpp"
#include "cpu/kernels/loops/watched.hpp"
#include "cpu/kernels/movement/copy.hpp"
#include "cpu/kernels/reduction/lines.hpp"
#include "cpu/kernels/reduction/sort_kernels.hpp"
#include "tenferro/base/error_allocator.hpp"
#include "tenferro/base/radix_sort.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

template <class T>
using SortLine = std::vector<T, ErrorAllocator<T>>;

/// A strict order in which NaN is above everything.
struct Below {
    template <class T>
    bool operator()(T x, T y) const noexcept {
        return x < y || (x == x && y != y);
    }
};

struct Above {
    template <class T>
    bool operator()(T x, T y) const noexcept {
        return Below{}(y, x);
    }
};

constexpr Index kFewest = 7;  // elements that are sorted by insertion

/// Fewer elements are merged as quickly as their bytes are counted, of which there are sizeof(T) each.
template <class T>
constexpr std::size_t kFewestByRadix = 32 * sizeof(T);

template <class T, class Before>
void sort_by_insertion(T* line, Index length, const Before& before) {
    for (Index i = 1; i < length; ++i) {
        const T x = line[i];
        Index k = i;
        for (; k > 0 && before(x, line[k - 1]); --k) line[k] = line[k - 1];
        line[k] = x;
    }
}

template <class T>
void sort_line_by_radix(SortLine<T>& line, SortLine<T>& room, bool descending) {
    using Key = decltype(radix_key(T()));
    const Key turned = descending ? ~Key{0} : Key{0};
    const auto pieces = [&](std::size_t steps, const auto& body) {
        for_each_piece(static_cast<Index>(line.size()), static_cast<Index>(steps), body);
    };
    sort_by_radix(
        line, room, [turned](T x) { return radix_key(x) ^ turned; }, pieces);
}

template <class T>
void sort_line_stably(T* from, Index length, SortLine<T>& line, SortLine<T>& room, bool descending) {
    line.assign(from, from + length);
    if (line.size() >= kFewestByRadix<T>) {
        room.resize(line.size());
        sort_line_by_radix(line, room, descending);
    } else if (descending) {
        std::stable_sort(line.begin(), line.end(), Above{});
    } else {
        std::stable_sort(line.begin(), line.end(), Below{});
    }
    std::copy(line.begin(), line.end(), from);
}

/// Lines one after the other.
template <class T>
void sort_lines(T* line, Index length, Index lines, bool descending) {
    const SortInVectors sort_line = vector_sorter(storage_dtype<T>);
    const bool in_vectors = sort_line != nullptr && (length <= kWatchedElements || !is_watched());
    SortLine<T> copy, room;
    Watch watch;
    for (Index c = 0; c < lines; ++c, line += length) {
        watch.did(length);
        if (length <= kFewest)
            descending ? sort_by_insertion(line, length, Above{}) : sort_by_insertion(line, length, Below{});
        else if (!in_vectors || !sort_line(line, length, descending))
            sort_line_stably(line, length, copy, room, descending);
    }
}

template <class T>
void sort_each(const TensorRead& a, Index axis, bool descending, const TensorWrite& out,
               CpuContext& context) {
    PieceGrid(a, out, axis).run(a, out, context, [&](const TensorRead& from, const TensorWrite& to) {
        Dims order{axis};
        for (Index k = 0; k < static_cast<Index>(to.rank()); ++k)
            if (k != axis) order.push_back(k);
        const TensorRead lines = from.transpose_view(order);
        std::byte* const memory =
            scratch(ScratchUse::Totals, static_cast<std::size_t>(to.size()) * sizeof(T));
        const TensorWrite near = TensorWrite::compact(out.dtype(), memory, lines.shape());
        copy(lines, near, context);
        const Index length = to.shape()[axis];
        sort_lines(near.data_as<T>(), length, to.size() / length, descending);
        copy(near, to.transpose_view(order), context);
    });
}

}  // namespace

void sort(const TensorRead& a, Index axis, bool descending, const TensorWrite& out, CpuContext& context) {
    if (out.size() == 0) return;
    visit_dtype(a.dtype(), [&]<class T> {
        if constexpr (info(OpId::Sort).dtypes.contains(storage_dtype<T>))
            sort_each<T>(a, axis, descending, out, context);
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
