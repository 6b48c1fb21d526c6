// The unary operations of the table.
#include "cpu/kernels/elementwise.hpp"
#include "cpu/kernels/strided_map.hpp"
#include "tenferro/tensor/elementwise.hpp"

namespace tenferro::inline TENFERRO_ABI::cpu {

void unary(OpId op, const TensorRead& a, const TensorWrite& out, CpuContext& context) {
    if (out.size() == 0) return;
    elementwise::visit_unary(op, a.dtype(), [&]<class T>(auto f) { map<T>(a, out, context, f); });
}

}  // namespace tenferro::inline TENFERRO_ABI::cpu
