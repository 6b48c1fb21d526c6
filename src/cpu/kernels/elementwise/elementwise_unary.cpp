// The unary operations of the table, and conversions.
#include "cpu/kernels/elementwise/elementwise.hpp"
#include "cpu/kernels/elementwise/line_walk.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

void unary(OpId op, const TensorRead& a, const TensorWrite& out, CpuContext& context) {
    if (out.size() == 0) return;
    map_lines(line_function(op, a.dtype()), a, out, context, op);
}

void convert(const TensorRead& a, const TensorWrite& out, CpuContext& context) {
    if (out.size() == 0) return;
    map_lines(conversion_line(a.dtype(), out.dtype()), a, out, context);
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
