// Sorting along an axis: each line is sorted in a contiguous copy, short ones by merging, long ones by radix,
// a byte of their keys after the other. Both are stable.
#include <algorithm>
#include <vector>

#include "cpu/kernels/loops/line_loop.hpp"
#include "cpu/kernels/loops/watched.hpp"
#include "cpu/kernels/reduction/lines.hpp"
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

/// Fewer elements are merged as quickly as their bytes are counted, of which there are sizeof(T) each.
template <class T>
constexpr std::size_t kFewestByRadix = 32 * sizeof(T);

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
void sort_each(const TensorRead& a, Index axis, bool descending, const TensorWrite& out,
               CpuContext& context) {
    const LineLoop loop(a, axis, out);
    loop.run(context, [&](const Offsets<2>& origin, Index count) {
        const auto length = static_cast<std::size_t>(loop.length());
        const bool by_radix = length >= kFewestByRadix<T>;
        SortLine<T> line(length), room(by_radix ? length : 0);
        for (Index c = 0; c < count; ++c) {
            const T* from = a.data_as<T>() + origin[1] + c * loop.line_stride()[1];
            T* to = out.data_as<T>() + origin[0] + c * loop.line_stride()[0];
            for_each_piece(loop.length(), 1, [&](Index begin, Index end) {
                for (Index i = begin; i < end; ++i)
                    line[static_cast<std::size_t>(i)] = from[i * loop.step()[1]];
            });
            if (by_radix)
                sort_line_by_radix(line, room, descending);
            else if (descending)
                std::stable_sort(line.begin(), line.end(), Above{});
            else
                std::stable_sort(line.begin(), line.end(), Below{});
            for_each_piece(loop.length(), 1, [&](Index begin, Index end) {
                for (Index i = begin; i < end; ++i)
                    to[i * loop.step()[0]] = line[static_cast<std::size_t>(i)];
            });
        }
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
