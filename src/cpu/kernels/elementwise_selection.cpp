// Selection, clamping and conversion.
#include "cpu/kernels/elementwise.hpp"
#include "cpu/kernels/strided_map.hpp"
#include "tenferro/tensor/elementwise/comparison.hpp"
#include "tenferro/tensor/elementwise/conversion.hpp"

namespace tenferro::inline TENFERRO_ABI::cpu {

void select(const TensorRead& predicate, const TensorRead& on_true, const TensorRead& on_false, const TensorWrite& out,
            CpuContext& context) {
    if (out.size() == 0) return;
    visit_dtype(out.dtype(), [&]<class T> { map<bool, T>(predicate, on_true, on_false, out, context, elementwise::Select{}); });
}

void clamp(const TensorRead& low, const TensorRead& x, const TensorRead& high, const TensorWrite& out, CpuContext& context) {
    if (out.size() == 0) return;
    visit_dtype(out.dtype(), [&]<class T> {
        if constexpr (info(OpId::Clamp).dtypes.contains(storage_dtype<T>))
            map<T, T>(low, x, high, out, context, elementwise::Clamp{});
    });
}

void convert(const TensorRead& a, const TensorWrite& out, CpuContext& context) {
    if (out.size() == 0) return;
    elementwise::visit_conversion(a.dtype(), out.dtype(), [&]<class From>(auto f) { map<From>(a, out, context, f); });
}

}  // namespace tenferro::inline TENFERRO_ABI::cpu
