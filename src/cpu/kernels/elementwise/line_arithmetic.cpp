// Lines of arithmetic, whose functors the compiler vectorises for every instruction set, and of remainders,
// of which it does not.
#include "cpu/kernels/elementwise/line_table.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"
#include "tenferro/tensor/elementwise.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/elementwise/line_arithmetic.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/elementwise/line_loops-inl.hpp"
#include "cpu/kernels/elementwise/vector_lines-inl.hpp"
#include "cpu/kernels/vector_math/remainder-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

template <class T>
void add_lines_of(LineTable& table) {
    using namespace elementwise;
    constexpr DType dtype = storage_dtype<T>;
    table.set(OpId::Add, dtype, binary_line<T, Add>);
    table.set(OpId::Sub, dtype, binary_line<T, Sub>);
    table.set(OpId::Neg, dtype, unary_line<T, Neg>);
    table.set(OpId::Conj, dtype, unary_line<T, Conj>);
    if constexpr (kOrdered.contains(dtype)) {
        table.set(OpId::Mul, dtype, binary_line<T, Mul>);
        table.set(OpId::Abs, dtype, unary_line<T, Abs>);
        table.set(OpId::Sign, dtype, unary_line<T, Sign>);
    }
    if constexpr (kReal.contains(dtype)) {
        table.set(OpId::Div, dtype, binary_line<T, Div>);
        set_vector_line<T, VectorRem, 2>(table, OpId::Rem);
        table.set(OpId::Sqrt, dtype, unary_line<T, Sqrt>);
        table.set(OpId::Rsqrt, dtype, unary_line<T, Rsqrt>);
        table.set(OpId::Floor, dtype, unary_line<T, Floor>);
        table.set(OpId::Ceil, dtype, unary_line<T, Ceil>);
        table.set(OpId::Trunc, dtype, unary_line<T, Trunc>);
        table.set(OpId::Round, dtype, unary_line<T, Round>);
    }
}

void add_arithmetic(LineTable& table) {
    add_lines_of<float>(table);
    add_lines_of<double>(table);
    add_lines_of<std::complex<float>>(table);
    add_lines_of<std::complex<double>>(table);
    add_lines_of<std::int32_t>(table);
    add_lines_of<std::int64_t>(table);
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(add_arithmetic);
void add_arithmetic_lines(LineTable& table) { HWY_DYNAMIC_DISPATCH(add_arithmetic)(table); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
