// Sorting along an axis, in copies of pieces. Lines whose equal elements are the same bits are sorted in
// vectors: side by side, a line in each lane, or those that are long or few one by one, as integers. Others,
// with NaN or a negative zero, are sorted stably: short ones by merging, long ones by radix, a byte of their
// keys after the other. The shortest alone are sorted by insertion.
#include <algorithm>
#include <bit>
#include <vector>

#include "cpu/kernels/loops/line_loop.hpp"
#include "cpu/kernels/loops/piece_grid.hpp"
#include "cpu/kernels/loops/scratch.hpp"
#include "cpu/kernels/loops/watched.hpp"
#include "cpu/kernels/movement/copy.hpp"
#include "cpu/kernels/movement/streaming.hpp"
#include "cpu/kernels/reduction/lines.hpp"
#include "cpu/kernels/reduction/sort_kernels.hpp"
#include "cpu/kernels/reduction/sort_network.hpp"
#include "tenferro/base/error_allocator.hpp"
#include "tenferro/base/radix_sort.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

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

constexpr Index kFewest = 7;           // elements that are sorted by insertion
constexpr Index kLeastContiguous = 8;  // elements of lines that are gathered from where they are

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

/// Sorts lines whose equal elements are not the same, one after the other.
template <class T>
class StableSorter {
public:
    explicit StableSorter(bool descending) : descending_(descending) {}

    /// `length` elements that are, and will be, so far apart.
    void sort(const T* from, Index from_step, T* to, Index to_step, Index length) {
        line_.resize(static_cast<std::size_t>(length));
        for (Index i = 0; i < length; ++i) line_[static_cast<std::size_t>(i)] = from[i * from_step];
        if (line_.size() >= kFewestByRadix<T>)
            sort_by_bytes();
        else if (descending_)
            std::stable_sort(line_.begin(), line_.end(), Above{});
        else
            std::stable_sort(line_.begin(), line_.end(), Below{});
        for (Index i = 0; i < length; ++i) to[i * to_step] = line_[static_cast<std::size_t>(i)];
    }

private:
    using Line = std::vector<T, ErrorAllocator<T>>;

    void sort_by_bytes() {
        using Key = decltype(radix_key(T()));
        const Key turned = descending_ ? ~Key{0} : Key{0};
        room_.resize(line_.size());
        const auto pieces = [&](std::size_t steps, const auto& body) {
            for_each_piece(static_cast<Index>(line_.size()), static_cast<Index>(steps), body);
        };
        sort_by_radix(
            line_, room_, [turned](T x) { return radix_key(x) ^ turned; }, pieces);
    }

    bool descending_;
    Line line_, room_;
};

/// Lines one after the other.
template <class T>
void sort_lines(T* line, Index length, Index lines, bool descending) {
    const SortInVectors sort_line = vector_sorter(storage_dtype<T>);
    const bool in_vectors = sort_line != nullptr && (length <= kWatchedElements || !is_watched());
    StableSorter<T> stable(descending);
    Watch watch;
    for (Index c = 0; c < lines; ++c, line += length) {
        watch.did(length);
        if (length <= kFewest)
            descending ? sort_by_insertion(line, length, Above{}) : sort_by_insertion(line, length, Below{});
        else if (!in_vectors || !sort_line(line, length, descending))
            stable.sort(line, 1, line, 1, length);
    }
}

/// Whether lines side by side leave less than a third of the vectors empty.
bool are_side_by_side(const SortingNetwork& network, Index length, Index lines) {
    if (network.width == 0 || length > SortingNetwork::kMostLength) return false;
    return 2 * ((lines + network.width - 1) / network.width * network.width) <= 3 * lines;
}

template <class T>
void sort_side_by_side(const EvenLines& lines, bool descending, const SortingNetwork& network) {
    std::byte* const memory = scratch(ScratchUse::Lines, network.memory_bytes(lines.length));
    StableSorter<T> stable(descending);
    Watch watch;
    EvenLines some = lines;
    for (Index begin = 0; begin < lines.count; begin += network.width) {
        const T* const from = static_cast<const T*>(lines.from) + begin * lines.from_apart;
        T* const to = static_cast<T*>(lines.to) + begin * lines.to_apart;
        some.from = from;
        some.to = to;
        some.count = std::min(network.width, lines.count - begin);
        watch.did(some.length * some.count);
        for (std::uint64_t left = network.sort(some, descending, memory); left != 0; left &= left - 1) {
            const Index line = std::countr_zero(left);
            stable.sort(from + line * lines.from_apart, lines.from_step, to + line * lines.to_apart,
                        lines.to_step, lines.length);
        }
    }
}

/// Lines that can be sorted side by side where they are; false, and nothing is done, where they are others.
/// Neighbours that are far are copied as long runs first, short contiguous lines are transposed.
template <class T>
bool sort_even_lines(const TensorRead& a, Index axis, bool descending, const TensorWrite& out,
                     const SortingNetwork& network, CpuContext& context) {
    const LineLoop loop(a, axis, out, LineLoop::kMostLines);
    if (!are_side_by_side(network, loop.length(), loop.lines())) return false;
    const auto [step, from_step] = loop.step();
    const auto [apart, from_apart] = loop.line_stride();
    if (step == 1 && from_step == 1) {
        if (loop.length() < kLeastContiguous) return false;
    } else if (worth_streaming(bytes_of(out), bytes_of(a), context) || (step != 1 && apart != 1) ||
               (from_step != 1 && from_apart != 1)) {
        return false;
    }
    loop.run(context, [&](const Offsets<2>& origin, Index lines) {
        sort_side_by_side<T>(
            {a.data_as<T>() + origin[1], loop.step()[1], loop.line_stride()[1], out.data_as<T>() + origin[0],
             loop.step()[0], loop.line_stride()[0], loop.length(), lines},
            descending, network);
    });
    return true;
}

/// The axes in the order in which they are copied: lines side by side or one after the other.
Dims order_of_copy(Index rank, Index axis, bool side_by_side) {
    Dims order;
    if (!side_by_side) order.push_back(axis);
    for (Index k = 0; k < rank; ++k)
        if (k != axis) order.push_back(k);
    if (side_by_side) order.push_back(axis);
    return order;
}

template <class T>
void sort_each(const TensorRead& a, Index axis, bool descending, const TensorWrite& out,
               CpuContext& context) {
    const SortingNetwork network = sorting_network(out.dtype());
    if (sort_even_lines<T>(a, axis, descending, out, network, context)) return;
    PieceGrid(a, out, axis).run(a, out, context, [&](const TensorRead& from, const TensorWrite& to) {
        const Index length = to.shape()[axis], lines = to.size() / length;
        const bool side_by_side = are_side_by_side(network, length, lines);
        const Dims order = order_of_copy(static_cast<Index>(to.rank()), axis, side_by_side);
        const TensorRead read = from.transpose_view(order);
        std::byte* const memory =
            scratch(ScratchUse::Totals, static_cast<std::size_t>(to.size()) * sizeof(T));
        const TensorWrite near = TensorWrite::compact(out.dtype(), memory, read.shape());
        copy(read, near, context);
        if (side_by_side)
            sort_side_by_side<T>({near.data(), lines, 1, near.data_as<T>(), lines, 1, length, lines},
                                 descending, network);
        else
            sort_lines(near.data_as<T>(), length, lines, descending);
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
