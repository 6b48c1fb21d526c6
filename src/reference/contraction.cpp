// Contractions, straight from their definition; accumulated in double precision (exactly, for integers).
#include "reference/index_loop.hpp"
#include "reference/reference_session.hpp"
#include "reference/wide.hpp"
#include "tenferro/tensor/elementwise.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace reference {

void ReferenceSession::do_dot_general(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& c,
                                      const TensorWrite& out) {
    const Dims lhs_free = free_axes(lhs.rank(), c.lhs_contract, c.lhs_batch);
    const Dims rhs_free = free_axes(rhs.rank(), c.rhs_contract, c.rhs_batch);
    const Dims contracted = pick(lhs.shape(), c.lhs_contract);
    visit_dtype(out.dtype(), [&]<class T> {
        if constexpr (info(OpId::DotGeneral).dtypes.contains(storage_dtype<T>))
            for_each_index(out.shape(), [&](const Dims& i) {
                using W = typename Wide<T>::type;
                const std::span<const Index> m(i.data(), lhs_free.size()),
                    n(m.data() + m.size(), rhs_free.size());
                const std::span<const Index> batch(n.data() + n.size(), c.lhs_batch.size());
                Dims x(lhs.rank(), 0), y(rhs.rank(), 0);
                place(x, lhs_free, m);
                place(x, c.lhs_batch, batch);
                place(y, rhs_free, n);
                place(y, c.rhs_batch, batch);
                W total{};
                for_each_index(contracted, [&](const Dims& k) {
                    place(x, c.lhs_contract, k);
                    place(y, c.rhs_contract, k);
                    total = elementwise::Add{}(total, elementwise::Mul{}(static_cast<W>(at<T>(lhs, x)),
                                                                         static_cast<W>(at<T>(rhs, y))));
                });
                at<T>(out, i) = static_cast<T>(total);
            });
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::reference
