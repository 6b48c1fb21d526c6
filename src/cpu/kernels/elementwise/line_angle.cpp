// Lines of inverse circular functions and of the length of pairs.
#include "cpu/kernels/elementwise/line_table.hpp"
#include "cpu/kernels/vector_math/numbers.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/elementwise/line_angle.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/elementwise/vector_lines-inl.hpp"
#include "cpu/kernels/vector_math/angle-inl.hpp"
#include "cpu/kernels/vector_math/hypot-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

template <class T>
void add_angles_of(LineTable& table) {
    set_vector_line<T, VectorAtan>(table, OpId::Atan);
    set_vector_line<T, VectorAtan2, 2>(table, OpId::Atan2);
    set_vector_line<T, VectorAsin>(table, OpId::Asin);
    set_vector_line<T, VectorAcos>(table, OpId::Acos);
    set_vector_line<T, VectorHypot, 2>(table, OpId::Hypot);
}

void add_angle(LineTable& table) {
    add_angles_of<float>(table);
    add_angles_of<double>(table);
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(add_angle);
void add_angle_lines(LineTable& table) { HWY_DYNAMIC_DISPATCH(add_angle)(table); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
