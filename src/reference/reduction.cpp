// Reductions and the places of extremes, straight from their definitions; accumulated in double precision.
#include "tenferro/tensor/reduction.hpp"

#include "reference/reference_session.hpp"
#include "reference/wide.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace reference {

void ReferenceSession::do_reduce(OpId op, const TensorRead& a, std::span<const Index> axes,
                                 const TensorWrite& out) {
    const Dims kept = free_axes(a.rank(), axes, {}), reduced = pick(a.shape(), axes);
    reduction::visit(op, out.dtype(), [&]<class T>(auto combine) {
        using W = typename Wide<T>::type;
        for_each_index(out.shape(), [&](const Dims& i) {
            Dims index(a.rank(), 0);
            place(index, kept, i);
            W total = decltype(combine)::template identity<W>();
            for_each_index(reduced, [&](const Dims& k) {
                place(index, axes, k);
                total = combine(total, static_cast<W>(at<T>(a, index)));
            });
            at<T>(out, i) = static_cast<T>(total);
        });
    });
}

void ReferenceSession::do_arg_extreme(OpId op, const TensorRead& a, Index axis, const TensorWrite& out) {
    visit_dtype(a.dtype(), [&]<class T> {
        if constexpr (info(OpId::Argmax).dtypes.contains(storage_dtype<T>))
            for_each_index(out.shape(), [&](const Dims& i) {
                Dims index = i;
                index.insert(static_cast<std::size_t>(axis), 0);
                T best = at<T>(a, index);
                std::int64_t where = 0;
                Steps steps;
                for (Index k = 1; k < a.shape()[axis] && best == best; ++k, steps.next()) {
                    index[axis] = k;
                    const T x = at<T>(a, index);
                    if (x == x && !(op == OpId::Argmax ? x > best : x < best)) continue;
                    best = x;
                    where = k;
                }
                at<std::int64_t>(out, i) = where;
            });
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::reference
