// The binary operations of the table. Where integers may have no result, a first pass that writes nothing
// looks for them.
#include "cpu/kernels/elementwise/elementwise.hpp"
#include "cpu/kernels/elementwise/line_walk.hpp"
#include "tenferro/tensor/elementwise.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

/// Throws for the first pair in column-major order that has no result; there is one.
template <class T, class F>
[[noreturn]] void throw_first_undefined(OpId op, const TensorRead& a, const TensorRead& b, F f) {
    for (Index linear = 0;; ++linear) {
        Dims position;
        Index rest = linear, x = 0, y = 0;
        for (std::size_t axis = 0; axis < a.rank(); ++axis) {
            position.push_back(rest % a.shape()[axis]);
            rest /= a.shape()[axis];
            x += position[axis] * a.strides()[axis];
            y += position[axis] * b.strides()[axis];
        }
        const T lhs = a.data_as<T>()[x], rhs = b.data_as<T>()[y];
        if (!f.defined(lhs, rhs)) elementwise::throw_undefined(op, lhs, rhs, position);
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
