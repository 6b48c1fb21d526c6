// argmax and argmin: the best element of each line so far and where it was. Of a long line of neighbours the
// best of some hundreds is found in vectors, and its place only where it is better than those before.
#include <functional>

#include "cpu/kernels/loops/line_loop.hpp"
#include "cpu/kernels/loops/watched.hpp"
#include "cpu/kernels/reduction/lines.hpp"
#include "cpu/kernels/reduction/reduce_kernels.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

/// Elements whose best is found at once.
constexpr Index kAtOnce = 512;

/// Whether x takes the place of `best`: NaN is better than every number.
template <class T, class Better>
bool replaces(T x, T best, const Better& better) noexcept {
    return better(x, best) || (x != x && best == best);
}

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

template <class T, class Better>
void find(OpId reduction, const TensorRead& a, Index axis, const TensorWrite& out, CpuContext& context,
          const Better& better) {
    const LineLoop loop(a, axis, out);
    const bool in_vectors = loop.step()[1] == 1 && loop.length() >= kAtOnce;
    const auto best_of = in_vectors ? fold_kernels(reduction, storage_dtype<T>).line : nullptr;
    loop.run(context, [&](const Offsets<2>& origin, Index count) {
        const T* from = a.data_as<T>() + origin[1];
        auto* to = out.data_as<std::int64_t>() + origin[0];
        if (best_of != nullptr) {
            for (Index c = 0; c < count; ++c)
                to[c * loop.line_stride()[0]] =
                    place_in_line(from + c * loop.line_stride()[1], loop.length(), best_of, better);
            return;
        }
        T best[LineLoop::kMostLines];
        std::int64_t place[LineLoop::kMostLines] = {};
        for (Index c = 0; c < count; ++c) best[c] = from[c * loop.line_stride()[1]];
        for_each_piece(loop.length(), count, [&](Index begin, Index end) {
            for (Index k = begin; k < end; ++k)
                for (Index c = 0; c < count; ++c) {
                    const T x = from[k * loop.step()[1] + c * loop.line_stride()[1]];
                    if (replaces(x, best[c], better)) {
                        best[c] = x;
                        place[c] = k;
                    }
                }
        });
        for (Index c = 0; c < count; ++c) to[c * loop.line_stride()[0]] = place[c];
    });
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
