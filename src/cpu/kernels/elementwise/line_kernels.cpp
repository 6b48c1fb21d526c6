// The tables of line kernels, made at the first use.
#include "cpu/kernels/elementwise/line_kernels.hpp"

#include "base/immortal.hpp"
#include "cpu/kernels/elementwise/line_table.hpp"
#include "tenferro/tensor/elementwise.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

template <class T, class F>
bool all_defined(const void* const* in, Index count) {
    const T *a = static_cast<const T*>(in[0]), *b = static_cast<const T*>(in[1]);
    bool all = true;
    for (Index i = 0; i < count; ++i) all &= F::defined(a[i], b[i]);
    return all;
}

const LineTable& line_table() {
    static constinit Immortal<LineTable> table;
    return table.get([] { return std::make_unique<LineTable>(make_line_table()); });
}

ConversionTable make_conversion_table() {
    ConversionTable table{};
    add_conversion_lines(table);
    return table;
}

}  // namespace

LineTable make_line_table() {
    LineTable table;
    add_scalar_lines(table);
    add_arithmetic_lines(table);
    add_comparison_lines(table);
    add_exponential_lines(table);
    add_hyperbolic_lines(table);
    add_logarithm_lines(table);
    add_sine_lines(table);
    add_power_lines(table);
    add_angle_lines(table);
    add_complex_lines(table);
    add_error_function_lines(table);
    add_inverse_hyperbolic_lines(table);
    add_far_lines(table);
    return table;
}

LineFunction line_function(OpId op, DType dtype) { return line_table().find(op, dtype); }

LineFunction far_line(OpId op, DType dtype) {
    const LineFunction far = line_table().find_far(op, dtype);
    return far != nullptr ? far : line_function(op, dtype);
}

LineFunction streaming_line(OpId op, DType dtype) { return line_table().find_streaming(op, dtype); }

FixedLine fixed_line(OpId op, DType dtype, std::size_t operand) {
    return line_table().find_fixed(op, dtype, operand);
}

LineFunction conversion_line(DType from, DType to) {
    static constinit Immortal<ConversionTable> table;
    const auto make = [] { return std::make_unique<ConversionTable>(make_conversion_table()); };
    return table.get(make)[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
}

LineTest definition_test(OpId op, DType dtype) {
    if (dtype != DType::I32 && dtype != DType::I64) return nullptr;
    LineTest test = nullptr;
    elementwise::visit_binary(op, dtype, [&]<class T>(auto f) {
        if constexpr (elementwise::Partial<decltype(f), T>) test = all_defined<T, decltype(f)>;
    });
    return test;
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
