// Selection and clamping.
#include "cpu/kernels/elementwise/elementwise.hpp"
#include "cpu/kernels/elementwise/line_walk.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

void select(const TensorRead& predicate, const TensorRead& on_true, const TensorRead& on_false,
            const TensorWrite& out, CpuContext& context) {
    if (out.size() == 0) return;
    map_lines(line_function(OpId::Select, out.dtype()), predicate, on_true, on_false, out, context);
}

void clamp(const TensorRead& low, const TensorRead& x, const TensorRead& high, const TensorWrite& out,
           CpuContext& context) {
    if (out.size() == 0) return;
    map_lines(line_function(OpId::Clamp, out.dtype()), low, x, high, out, context);
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
