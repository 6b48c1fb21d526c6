// argmax and argmin: the best element of each line so far and where it was.
#include <functional>

#include "cpu/kernels/loops/line_loop.hpp"
#include "cpu/kernels/loops/watched.hpp"
#include "cpu/kernels/reduction/lines.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

template <class T, class Better>
void find(const TensorRead& a, Index axis, const TensorWrite& out, CpuContext& context, Better better) {
    const LineLoop loop(a, axis, out);
    loop.run(context, [&](const Offsets<2>& origin, Index count) {
        const T* from = a.data_as<T>() + origin[1];
        auto* to = out.data_as<std::int64_t>() + origin[0];
        T best[LineLoop::kMostLines];
        std::int64_t place[LineLoop::kMostLines] = {};
        for (Index c = 0; c < count; ++c) best[c] = from[c * loop.line_stride()[1]];
        for_each_piece(loop.length(), count, [&](Index begin, Index end) {
            for (Index k = begin; k < end; ++k)
                for (Index c = 0; c < count; ++c) {
                    const T x = from[k * loop.step()[1] + c * loop.line_stride()[1]];
                    if (better(x, best[c]) || (x != x && best[c] == best[c])) {
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
            find<T>(a, axis, out, context, std::greater<>());
        else
            find<T>(a, axis, out, context, std::less<>());
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
