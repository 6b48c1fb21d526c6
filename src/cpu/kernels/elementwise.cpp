// Each kernel is a StridedLoop with one functor; the innermost run has special forms for unit and zero strides, which the
// compiler vectorises.
#include "cpu/kernels/elementwise.hpp"

#include <cstring>

#include "cpu/kernels/strided_loop.hpp"
#include "tenferro/tensor/elementwise.hpp"

namespace tenferro::inline TENFERRO_ABI::cpu {

namespace {

/// A plain word of each element width: copies need no arithmetic type.
template <std::size_t Bytes>
struct Word {
    alignas(Bytes > 8 ? 8 : Bytes) unsigned char bytes[Bytes];
};

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

template <std::size_t Bytes>
void copy_words(const TensorRead& a, const TensorWrite& out, CpuContext& context) {
    map<Word<Bytes>>(a, out, context, [](Word<Bytes> w) { return w; });
}

}  // namespace

void copy(const TensorRead& a, const TensorWrite& out, CpuContext& context) {
    if (out.size() == 0) return;
    switch (info(out.dtype()).bytes) {
        case 1: return copy_words<1>(a, out, context);
        case 4: return copy_words<4>(a, out, context);
        case 8: return copy_words<8>(a, out, context);
        default: return copy_words<16>(a, out, context);
    }
}

void fill_zero(const TensorWrite& out, CpuContext& context) {
    const Index size = out.size();
    if (size == 0) return;
    if (out.is_compact()) {
        std::memset(out.data(), 0, static_cast<std::size_t>(size) * info(out.dtype()).bytes);
        return;
    }
    constexpr unsigned char zero[16] = {};
    copy(TensorRead(out.dtype(), zero, out.shape(), Dims(out.rank(), 0)), out, context);
}

void unary(OpId op, const TensorRead& a, const TensorWrite& out, CpuContext& context) {
    if (out.size() == 0) return;
    elementwise::visit_unary(op, a.dtype(), [&]<class T>(auto f) { map<T>(a, out, context, f); });
}

void binary(OpId op, const TensorRead& a, const TensorRead& b, const TensorWrite& out, CpuContext& context) {
    if (out.size() == 0) return;
    elementwise::visit_binary(op, a.dtype(), [&]<class T>(auto f) { map<T>(a, b, out, context, f); });
}

}  // namespace tenferro::inline TENFERRO_ABI::cpu
