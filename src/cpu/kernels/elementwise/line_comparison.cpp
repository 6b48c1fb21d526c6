// Lines that compare and choose, whose functors the compiler vectorises for every instruction set.
#include "cpu/kernels/elementwise/line_table.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"
#include "tenferro/tensor/elementwise/comparison.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/elementwise/line_comparison.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/elementwise/line_loops-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

template <class T>
void add_equality(LineTable& table) {
    table.set(OpId::Equal, storage_dtype<T>, binary_line<T, elementwise::Equal>);
    table.set(OpId::NotEqual, storage_dtype<T>, binary_line<T, elementwise::NotEqual>);
    table.set(OpId::Select, storage_dtype<T>, ternary_line<bool, T, elementwise::Select>);
}

template <class T>
void add_order(LineTable& table) {
    using namespace elementwise;
    constexpr DType dtype = storage_dtype<T>;
    table.set(OpId::Less, dtype, binary_line<T, Less>);
    table.set(OpId::LessEqual, dtype, binary_line<T, LessEqual>);
    table.set(OpId::Greater, dtype, binary_line<T, Greater>);
    table.set(OpId::GreaterEqual, dtype, binary_line<T, GreaterEqual>);
    table.set(OpId::Maximum, dtype, binary_line<T, Maximum>);
    table.set(OpId::Minimum, dtype, binary_line<T, Minimum>);
    table.set(OpId::Clamp, dtype, ternary_line<T, T, Clamp>);
}

void add_comparisons(LineTable& table) {
    add_equality<bool>(table);
    add_equality<float>(table);
    add_equality<double>(table);
    add_equality<std::complex<float>>(table);
    add_equality<std::complex<double>>(table);
    add_equality<std::int32_t>(table);
    add_equality<std::int64_t>(table);
    add_order<float>(table);
    add_order<double>(table);
    add_order<std::int32_t>(table);
    add_order<std::int64_t>(table);
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(add_comparisons);
void add_comparison_lines(LineTable& table) { HWY_DYNAMIC_DISPATCH(add_comparisons)(table); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
