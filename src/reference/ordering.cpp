// Running sums, softmax and sorting, straight from their definitions.
#include <algorithm>
#include <cmath>
#include <utility>

#include "reference/reference_session.hpp"
#include "reference/wide.hpp"
#include "tenferro/tensor/elementwise.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace reference {

namespace {

/// `index` with another place on one axis.
Dims moved(Dims index, Index axis, Index to) {
    index[axis] = to;
    return index;
}

}  // namespace

void ReferenceSession::do_cumulative_sum(const TensorRead& a, Index axis, bool reverse,
                                         const TensorWrite& out) {
    visit_dtype(out.dtype(), [&]<class T> {
        if constexpr (info(OpId::CumulativeSum).dtypes.contains(storage_dtype<T>))
            for_each_index(out.shape(), [&](const Dims& i) {
                using W = typename Wide<T>::type;
                W total{};
                Steps steps;
                const Index first = reverse ? i[axis] : 0, last = reverse ? a.shape()[axis] - 1 : i[axis];
                for (Index k = first; k <= last; ++k, steps.next())
                    total = elementwise::Add{}(total, static_cast<W>(at<T>(a, moved(i, axis, k))));
                at<T>(out, i) = static_cast<T>(total);
            });
    });
}

void ReferenceSession::do_softmax(const TensorRead& a, Index axis, const TensorWrite& out) {
    visit_dtype(out.dtype(), [&]<class T> {
        if constexpr (info(OpId::Softmax).dtypes.contains(storage_dtype<T>)) {
            Dims lines = out.shape();
            const Index extent = std::exchange(lines[axis], std::min<Index>(lines[axis], 1));
            for_each_index(lines, [&](const Dims& i) {
                const auto x = [&](Index k) { return static_cast<long double>(at<T>(a, moved(i, axis, k))); };
                long double largest = x(0), total = 0;
                Steps steps;
                for (Index k = 1; k < extent; ++k, steps.next())
                    largest = elementwise::Maximum{}(largest, x(k));
                for (Index k = 0; k < extent; ++k, steps.next()) total += std::exp(x(k) - largest);
                for (Index k = 0; k < extent; ++k, steps.next())
                    at<T>(out, moved(i, axis, k)) = static_cast<T>(std::exp(x(k) - largest) / total);
            });
        }
    });
}

/// An element's place is the number of those before it: smaller ones, and equal ones with a smaller index.
void ReferenceSession::do_sort(const TensorRead& a, Index axis, bool descending, const TensorWrite& out) {
    visit_dtype(out.dtype(), [&]<class T> {
        if constexpr (info(OpId::Sort).dtypes.contains(storage_dtype<T>))
            for_each_index(a.shape(), [&](const Dims& i) {
                const auto below = [](T x, T y) { return x < y || (x == x && y != y); };
                const T x = at<T>(a, i);
                Index rank = 0;
                Steps steps;
                for (Index k = 0; k < a.shape()[axis]; ++k, steps.next()) {
                    const T y = at<T>(a, moved(i, axis, k));
                    const bool before = descending ? below(x, y) : below(y, x),
                               after = descending ? below(y, x) : below(x, y);
                    if (before || (!after && k < i[axis])) ++rank;
                }
                at<T>(out, moved(i, axis, rank)) = x;
            });
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::reference
