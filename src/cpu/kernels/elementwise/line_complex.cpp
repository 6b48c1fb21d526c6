// Lines of products and functions of complex numbers.
#include "cpu/kernels/elementwise/line_table.hpp"
#include "cpu/kernels/vector_math/numbers.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/elementwise/line_complex.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/elementwise/vector_lines-inl.hpp"
#include "cpu/kernels/vector_math/complex-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

struct ComplexMul {
    template <class V>
    static HWY_INLINE Parts<V> apply(const Parts<V>& a, const Parts<V>& b) {
        return times(a, b);
    }
};

template <class T, class Exp>
void add_complex_of(LineTable& table) {
    using Number = InParts<T>;
    set_lines<AsTheyAre<T>, Number, ComplexAbs, 1>(table, OpId::Abs);
    set_lines<Number, Number, ComplexMul, 2>(table, OpId::Mul);
    set_lines<Number, Number, ComplexDiv, 2>(table, OpId::Div);
    set_lines<Number, Number, ComplexSqrt, 1>(table, OpId::Sqrt);
    set_lines<Number, Number, Exp, 1>(table, OpId::Exp);
    set_lines<Number, Number, ComplexLog, 1>(table, OpId::Log);
}

void add_complex(LineTable& table) {
    add_complex_of<float, ComplexExp<FloatExp, FloatCos, FloatSin>>(table);
    add_complex_of<double, ComplexExp<VectorExp, VectorCos, VectorSin>>(table);
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(add_complex);
void add_complex_lines(LineTable& table) { HWY_DYNAMIC_DISPATCH(add_complex)(table); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
