// map: a StridedLoop with one functor of one, two or three operands; the innermost run has special forms for unit and zero
// strides, which the compiler vectorises.
#pragma once

#include <type_traits>

#include "cpu/kernels/strided_loop.hpp"
#include "tenferro/tensor/tensor_read.hpp"

namespace tenferro::inline TENFERRO_ABI::cpu {

template <class R, class T, class F>
void map_run(R* out, Index out_stride, const T* a, Index a_stride, Index count, F f) {
    if (out_stride == 1 && a_stride == 1)
        for (Index i = 0; i < count; ++i) out[i] = f(a[i]);
    else
        for (Index i = 0; i < count; ++i) out[i * out_stride] = f(a[i * a_stride]);
}

template <class R, class T, class F>
void map_run(R* out, Index out_stride, const T* a, Index a_stride, const T* b, Index b_stride, Index count, F f) {
    if (out_stride == 1 && a_stride == 1 && b_stride == 1) {
        for (Index i = 0; i < count; ++i) out[i] = f(a[i], b[i]);
    } else if (out_stride == 1 && a_stride == 1 && b_stride == 0) {
        const T scalar = *b;
        for (Index i = 0; i < count; ++i) out[i] = f(a[i], scalar);
    } else if (out_stride == 1 && a_stride == 0 && b_stride == 1) {
        const T scalar = *a;
        for (Index i = 0; i < count; ++i) out[i] = f(scalar, b[i]);
    } else {
        for (Index i = 0; i < count; ++i) out[i * out_stride] = f(a[i * a_stride], b[i * b_stride]);
    }
}

template <class T, class F>
void map(const TensorRead& a, const TensorWrite& out, CpuContext& context, F f) {
    const StridedLoop<2> loop(out.shape(), {&out.strides(), &a.strides()});
    auto* to = static_cast<std::invoke_result_t<F, T>*>(out.data());
    const auto* from = static_cast<const T*>(a.data());
    const Offsets<2> stride = loop.run_stride();
    loop.run(context, [&](const Offsets<2>& origin, std::span<const Offsets<2>> rows, Index count) {
        if (count == 1) {
            for (const auto& row : rows) to[origin[0] + row[0]] = f(from[origin[1] + row[1]]);
            return;
        }
        for (const auto& row : rows) map_run(to + origin[0] + row[0], stride[0], from + origin[1] + row[1], stride[1], count, f);
    });
}

template <class T, class F>
void map(const TensorRead& a, const TensorRead& b, const TensorWrite& out, CpuContext& context, F f) {
    const StridedLoop<3> loop(out.shape(), {&out.strides(), &a.strides(), &b.strides()});
    auto* to = static_cast<std::invoke_result_t<F, T, T>*>(out.data());
    const T *x = a.data_as<T>(), *y = b.data_as<T>();
    const Offsets<3> stride = loop.run_stride();
    loop.run(context, [&](const Offsets<3>& origin, std::span<const Offsets<3>> rows, Index count) {
        if (count == 1) {
            for (const auto& row : rows) to[origin[0] + row[0]] = f(x[origin[1] + row[1]], y[origin[2] + row[2]]);
            return;
        }
        for (const auto& row : rows)
            map_run(to + origin[0] + row[0], stride[0], x + origin[1] + row[1], stride[1], y + origin[2] + row[2], stride[2],
                    count, f);
    });
}

template <class A, class T, class F>
void map(const TensorRead& a, const TensorRead& b, const TensorRead& c, const TensorWrite& out, CpuContext& context, F f) {
    const StridedLoop<4> loop(out.shape(), {&out.strides(), &a.strides(), &b.strides(), &c.strides()});
    auto* to = out.data_as<T>();
    const A* x = a.data_as<A>();
    const T *y = b.data_as<T>(), *z = c.data_as<T>();
    const Offsets<4> stride = loop.run_stride();
    const bool unit = stride == Offsets<4>{1, 1, 1, 1};
    loop.run(context, [&](const Offsets<4>& origin, std::span<const Offsets<4>> rows, Index count) {
        for (const auto& row : rows) {
            T* const result = to + origin[0] + row[0];
            const A* const p = x + origin[1] + row[1];
            const T *const q = y + origin[2] + row[2], *const r = z + origin[3] + row[3];
            if (unit)
                for (Index i = 0; i < count; ++i) result[i] = f(p[i], q[i], r[i]);
            else
                for (Index i = 0; i < count; ++i) result[i * stride[0]] = f(p[i * stride[1]], q[i * stride[2]], r[i * stride[3]]);
        }
    });
}

}  // namespace tenferro::inline TENFERRO_ABI::cpu
