// Lines of conversions between element types.
#include "cpu/kernels/elementwise/line_table.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"
#include "tenferro/tensor/elementwise/conversion.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/elementwise/line_conversion.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/elementwise/line_loops-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

template <class To, class From>
void add_line(ConversionTable& table) {
    if constexpr (!std::is_same_v<From, To>)
        table[static_cast<std::size_t>(storage_dtype<From>)][static_cast<std::size_t>(storage_dtype<To>)] =
            unary_line<From, elementwise::Convert<To>>;
}

template <class To>
void add_conversions_to(ConversionTable& table) {
    add_line<To, float>(table);
    add_line<To, double>(table);
    add_line<To, std::complex<float>>(table);
    add_line<To, std::complex<double>>(table);
    add_line<To, std::int32_t>(table);
    add_line<To, std::int64_t>(table);
    add_line<To, bool>(table);
}

void add_conversions(ConversionTable& table) {
    add_conversions_to<float>(table);
    add_conversions_to<double>(table);
    add_conversions_to<std::complex<float>>(table);
    add_conversions_to<std::complex<double>>(table);
    add_conversions_to<std::int32_t>(table);
    add_conversions_to<std::int64_t>(table);
    add_conversions_to<bool>(table);
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(add_conversions);
void add_conversion_lines(ConversionTable& table) { HWY_DYNAMIC_DISPATCH(add_conversions)(table); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
