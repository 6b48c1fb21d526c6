// The binary operations of the table. Where integers may have no result, a first pass that writes nothing
// looks for them.
#include "cpu/kernels/elementwise/elementwise.hpp"
#include "cpu/kernels/elementwise/line_walk.hpp"
#include "cpu/kernels/loops/odometer.hpp"
#include "tenferro/tensor/elementwise.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

/// Throws for the first pair in column-major order that has no result; there is one.
template <class T, class F>
[[noreturn]] void throw_first_undefined(OpId op, const TensorRead& a, const TensorRead& b, F f) {
    Axes<2> axes;
    for (std::size_t axis = 0; axis < a.rank(); ++axis)
        axes.push_back({a.shape()[axis], {a.strides()[axis], b.strides()[axis]}});
    for (Odometer<2> at(axes);; at.advance()) {
        const T lhs = a.data_as<T>()[at.in(0)], rhs = b.data_as<T>()[at.in(1)];
        if (f.defined(lhs, rhs)) continue;
        Dims position;
        for (std::size_t axis = 0; axis < a.rank(); ++axis) position.push_back(at[axis]);
        elementwise::throw_undefined(op, lhs, rhs, position);
    }
}

/// Throws for the first pair that has no result, if there is one.
[[gnu::noinline]] void check_defined(LineTest test, OpId op, const TensorRead& a, const TensorRead& b,
                                     CpuContext& context) {
    if (test_lines(test, a, b, context)) return;
    elementwise::visit_binary(op, a.dtype(), [&]<class T>(auto f) {
        if constexpr (elementwise::Partial<decltype(f), T>) throw_first_undefined<T>(op, a, b, f);
    });
}

}  // namespace

void binary(OpId op, const TensorRead& a, const TensorRead& b, const TensorWrite& out, CpuContext& context) {
    if (out.size() == 0) return;
    if (const LineTest test = definition_test(op, a.dtype()); test != nullptr)
        check_defined(test, op, a, b, context);
    map_lines(line_function(op, a.dtype()), a, b, out, context, op);
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
