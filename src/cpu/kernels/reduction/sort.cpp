// Sorting along an axis: each line is sorted in a contiguous copy.
#include <algorithm>
#include <vector>

#include "cpu/kernels/loops/line_loop.hpp"
#include "cpu/kernels/loops/watched.hpp"
#include "cpu/kernels/reduction/lines.hpp"
#include "tenferro/base/error_allocator.hpp"

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

template <class Line, class Order>
void sort_line(Line& line, const Order& order) {
    if (static_cast<Index>(line.size()) < kWatchedElements || !is_watched())
        return std::stable_sort(line.begin(), line.end(), order);
    Watch watch;
    std::stable_sort(line.begin(), line.end(), [&](auto x, auto y) {
        watch.did(1);
        return order(x, y);
    });
}

template <class T>
void sort_each(const TensorRead& a, Index axis, bool descending, const TensorWrite& out,
               CpuContext& context) {
    const LineLoop loop(a, axis, out);
    loop.run(context, [&](const Offsets<2>& origin, Index count) {
        std::vector<T, ErrorAllocator<T>> line(static_cast<std::size_t>(loop.length()));
        for (Index c = 0; c < count; ++c) {
            const T* from = a.data_as<T>() + origin[1] + c * loop.line_stride()[1];
            T* to = out.data_as<T>() + origin[0] + c * loop.line_stride()[0];
            for (T& x : line) x = *from, from += loop.step()[1];
            descending ? sort_line(line, Above{}) : sort_line(line, Below{});
            for (const T& x : line) *to = x, to += loop.step()[0];
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
