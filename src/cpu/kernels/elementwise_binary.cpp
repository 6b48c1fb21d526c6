// The binary operations of the table. Where integers may have no result, a first pass that writes nothing looks for them.
#include <atomic>

#include "cpu/kernels/elementwise.hpp"
#include "cpu/kernels/strided_map.hpp"
#include "tenferro/tensor/elementwise.hpp"

namespace tenferro::inline TENFERRO_ABI::cpu {

namespace {

template <class T, class F>
bool all_defined(const TensorRead& a, const TensorRead& b, CpuContext& context, F f) {
    const StridedLoop<2> loop(a.shape(), {&a.strides(), &b.strides()});
    const T *x = a.data_as<T>(), *y = b.data_as<T>();
    const Offsets<2> stride = loop.run_stride();
    std::atomic<bool> all = true;
    loop.run(context, [&](const Offsets<2>& origin, std::span<const Offsets<2>> rows, Index count) {
        bool tile = true;
        for (const auto& row : rows)
            for (Index i = 0; i < count; ++i)
                tile &= f.defined(x[origin[0] + row[0] + i * stride[0]], y[origin[1] + row[1] + i * stride[1]]);
        if (!tile) all.store(false, std::memory_order_relaxed);
    });
    return all;
}

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

}  // namespace

void binary(OpId op, const TensorRead& a, const TensorRead& b, const TensorWrite& out, CpuContext& context) {
    if (out.size() == 0) return;
    elementwise::visit_binary(op, a.dtype(), [&]<class T>(auto f) {
        if constexpr (elementwise::Partial<decltype(f), T>)
            if (!all_defined<T>(a, b, context, f)) throw_first_undefined<T>(op, a, b, f);
        map<T>(a, b, out, context, f);
    });
}

}  // namespace tenferro::inline TENFERRO_ABI::cpu
