// argmax and argmin: the best element of each line so far and where it was. Of a long line of neighbours the
// best of some hundreds is found in vectors, and its place only where it is better than those before; of
// others each lane of a vector goes along a line, of pieces that are put in that order where they are not.
#include <functional>

#include "cpu/kernels/loops/line_loop.hpp"
#include "cpu/kernels/loops/piece_grid.hpp"
#include "cpu/kernels/loops/scratch.hpp"
#include "cpu/kernels/loops/watched.hpp"
#include "cpu/kernels/movement/copy.hpp"
#include "cpu/kernels/reduction/extreme_kernels.hpp"
#include "cpu/kernels/reduction/integer_as.hpp"
#include "cpu/kernels/reduction/lines.hpp"
#include "cpu/kernels/reduction/reduce_kernels.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

/// Elements whose best is found at once.
constexpr Index kAtOnce = 512;

/// The best of n neighbours.
template <class T>
T best_in(void (*best_of)(void*, const void*, Index), const T* from, Index n) {
    T best;
    best_of(&best, from, n);
    return best;
}

/// The place of the first best of `count` neighbours; best_of(&result, from, n) is that of n of them.
template <class T, class Better>
std::int64_t place_in_line(const T* line, Index count, void (*best_of)(void*, const void*, Index),
                           const Better& better) {
    constexpr Index kAmong = 64;  // elements that are looked through one by one
    T best = line[0];
    std::int64_t place = 0;
    for_each_piece(count, 1, [&](Index begin, Index end) {
        for (Index k = begin; k < end; k += kAtOnce) {
            const Index behind = std::min(k + kAtOnce, end);
            const T found = best_in(best_of, line + k, behind - k);
            if (!replaces(found, best, better)) continue;
            const auto is_found = [found](T x) { return x == found || (x != x && found != found); };
            best = found;
            place = k;
            while (place + kAmong < behind && !is_found(best_in(best_of, line + place, kAmong)))
                place += kAmong;
            while (!is_found(line[place])) ++place;
        }
    });
    return place;
}

/// Lines of neighbours.
template <class T, class Better>
void find_in_lines(OpId reduction, const TensorRead& a, Index axis, const TensorWrite& out,
                   CpuContext& context, const Better& better) {
    const LineLoop loop(a, axis, out);
    const auto best_of = fold_kernels(reduction, storage_dtype<T>).line;
    loop.run(context, [&](const Offsets<2>& origin, Index count) {
        const T* from = a.data_as<T>() + origin[1];
        auto* to = out.data_as<std::int64_t>() + origin[0];
        for (Index c = 0; c < count; ++c)
            to[c * loop.line_stride()[0]] =
                place_in_line(from + c * loop.line_stride()[1], loop.length(), best_of, better);
    });
}

/// Whether all axes but the last are one run.
bool has_rows(const TensorRead& a) {
    Index size = 1;
    for (std::size_t k = 0; k + 1 < a.rank(); size *= a.shape()[k++])
        if (a.shape()[k] != 1 && a.strides()[k] != size) return false;
    return true;
}

/// The places in each line along the last axis, of a tensor that has rows. `memory` has two elements of T for
/// each line.
template <class T>
void find_in_rows(FindInRows find, const TensorRead& a, std::byte* memory, std::int64_t* places) {
    using Place = IntegerAs<T>;
    constexpr Place kNotHere = -1;
    const Index length = a.shape().back(), width = a.size() / length, step = a.strides().back();
    T* const best = reinterpret_cast<T*>(memory);
    auto* const found = reinterpret_cast<Place*>(memory + static_cast<std::size_t>(width) * sizeof(T));
    const T* const from = a.data_as<T>();
    std::copy_n(from, width, best);
    std::fill_n(places, width, std::int64_t{0});
    const Index together = std::max<Index>(kWatchedElements / width, 64);
    for (Index begin = 1; begin < length; begin += together) {
        std::fill_n(found, width, kNotHere);
        find(best, found, from + begin * step, width, step, std::min(together, length - begin));
        for (Index i = 0; i < width; ++i)
            if (found[i] != kNotHere) places[i] = begin + found[i];
        look();
    }
}

template <class T>
void find_in_pieces(OpId reduction, const TensorRead& a, Index axis, const TensorWrite& out,
                    CpuContext& context) {
    const FindInRows finder = row_finder(reduction, storage_dtype<T>);
    Dims strides = out.strides(), order;
    strides.insert(static_cast<std::size_t>(axis), 0);
    const TensorWrite results(out.dtype(), out.data(), a.shape(), strides);
    for (Index k = 0; k < static_cast<Index>(a.rank()); ++k)
        if (k != axis) order.push_back(k);
    order.push_back(axis);
    PieceGrid(a, results, axis).run(a, results, context, [&](const TensorRead& from, const TensorWrite& to) {
        const TensorRead lines = from.transpose_view(order);
        const bool moved = !has_rows(lines);
        const auto size = static_cast<std::size_t>(lines.size()),
                   width = size / static_cast<std::size_t>(lines.shape().back());
        std::byte* const memory = scratch(
            ScratchUse::Totals, width * (2 * sizeof(T) + sizeof(std::int64_t)) + moved * size * sizeof(T));
        auto* const places = reinterpret_cast<std::int64_t*>(memory);
        std::byte* const room = memory + width * sizeof(std::int64_t);
        const TensorWrite near = TensorWrite::compact(a.dtype(), room + 2 * width * sizeof(T), lines.shape());
        if (moved) copy(lines, near, context);
        find_in_rows<T>(finder, moved ? near : lines, room, places);
        const TensorWrite piece = to.select_view(axis, 0);
        copy(TensorWrite::compact(out.dtype(), places, piece.shape()), piece, context);
    });
}

template <class T, class Better>
void find(OpId reduction, const TensorRead& a, Index axis, const TensorWrite& out, CpuContext& context,
          const Better& better) {
    if (a.strides()[axis] == 1 && (a.shape()[axis] >= kAtOnce || a.size() <= PieceGrid::kFew))
        return find_in_lines<T>(reduction, a, axis, out, context, better);
    find_in_pieces<T>(reduction, a, axis, out, context);
}

}  // namespace

void find_extreme(OpId op, const TensorRead& a, Index axis, const TensorWrite& out, CpuContext& context) {
    if (out.size() == 0) return;
    visit_dtype(a.dtype(), [&]<class T> {
        if constexpr (!info(OpId::Argmax).dtypes.contains(storage_dtype<T>))
            return;
        else if (op == OpId::Argmax)
            find<T>(OpId::ReduceMax, a, axis, out, context, std::greater<>());
        else
            find<T>(OpId::ReduceMin, a, axis, out, context, std::less<>());
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
