// Memory, copies and elementwise operations.
#include "tenferro/tensor/elementwise.hpp"

#include "reference/index_loop.hpp"
#include "reference/reference_session.hpp"

namespace tenferro::inline TENFERRO_ABI::reference {

Tensor ReferenceSession::allocate(DType dtype, std::span<const Index> shape) { return Tensor::zeros(dtype, shape); }

void ReferenceSession::fill_zero(const TensorWrite& out) {
    visit_dtype(out.dtype(), [&]<class T> { for_each_index(out.shape(), [&](const Dims& i) { at<T>(out, i) = T{}; }); });
}

void ReferenceSession::copy(const TensorRead& a, const TensorWrite& out) {
    visit_dtype(out.dtype(), [&]<class T> { for_each_index(out.shape(), [&](const Dims& i) { at<T>(out, i) = at<T>(a, i); }); });
}

void ReferenceSession::unary(OpId op, const TensorRead& a, const TensorWrite& out) {
    elementwise::visit_unary(op, a.dtype(), [&]<class T>(auto f) {
        using R = decltype(f(T{}));
        for_each_index(out.shape(), [&](const Dims& i) { at<R>(out, i) = f(at<T>(a, i)); });
    });
}

void ReferenceSession::binary(OpId op, const TensorRead& a, const TensorRead& b, const TensorWrite& out) {
    elementwise::visit_binary(op, a.dtype(), [&]<class T>(auto f) {
        using R = decltype(f(T{}, T{}));
        for_each_index(out.shape(), [&](const Dims& i) { at<R>(out, i) = f(at<T>(a, i), at<T>(b, i)); });
    });
}

}  // namespace tenferro::inline TENFERRO_ABI::reference
