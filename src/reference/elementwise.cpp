// Memory, copies and elementwise operations.
#include "tenferro/tensor/elementwise.hpp"

#include "reference/index_loop.hpp"
#include "reference/reference_session.hpp"
#include "tenferro/tensor/elementwise/conversion.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace reference {

Buffer ReferenceSession::do_allocate(std::size_t bytes) { return allocate_buffer(bytes); }

void ReferenceSession::do_fill_zero(const TensorWrite& out) {
    visit_dtype(out.dtype(),
                [&]<class T> { for_each_index(out.shape(), [&](const Dims& i) { at<T>(out, i) = T{}; }); });
}

void ReferenceSession::do_copy(const TensorRead& a, const TensorWrite& out) {
    visit_dtype(out.dtype(), [&]<class T> {
        for_each_index(out.shape(), [&](const Dims& i) { at<T>(out, i) = at<T>(a, i); });
    });
}

void ReferenceSession::do_unary(OpId op, const TensorRead& a, const TensorWrite& out) {
    elementwise::visit_unary(op, a.dtype(), [&]<class T>(auto f) {
        using R = decltype(f(T{}));
        for_each_index(out.shape(), [&](const Dims& i) { at<R>(out, i) = f(at<T>(a, i)); });
    });
}

void ReferenceSession::do_binary(OpId op, const TensorRead& a, const TensorRead& b, const TensorWrite& out) {
    elementwise::visit_binary(op, a.dtype(), [&]<class T>(auto f) {
        using R = decltype(f(T{}, T{}));
        if constexpr (elementwise::Partial<decltype(f), T>)
            for_each_index(out.shape(), [&](const Dims& i) {
                if (!f.defined(at<T>(a, i), at<T>(b, i)))
                    elementwise::throw_undefined(op, at<T>(a, i), at<T>(b, i), i);
            });
        for_each_index(out.shape(), [&](const Dims& i) { at<R>(out, i) = f(at<T>(a, i), at<T>(b, i)); });
    });
}

void ReferenceSession::do_select(const TensorRead& predicate, const TensorRead& on_true,
                                 const TensorRead& on_false, const TensorWrite& out) {
    visit_dtype(out.dtype(), [&]<class T> {
        for_each_index(out.shape(), [&](const Dims& i) {
            at<T>(out, i) =
                elementwise::Select{}(at<bool>(predicate, i), at<T>(on_true, i), at<T>(on_false, i));
        });
    });
}

void ReferenceSession::do_clamp(const TensorRead& low, const TensorRead& x, const TensorRead& high,
                                const TensorWrite& out) {
    visit_dtype(out.dtype(), [&]<class T> {
        if constexpr (info(OpId::Clamp).dtypes.contains(storage_dtype<T>))
            for_each_index(out.shape(), [&](const Dims& i) {
                at<T>(out, i) = elementwise::Clamp{}(at<T>(low, i), at<T>(x, i), at<T>(high, i));
            });
    });
}

void ReferenceSession::do_convert(const TensorRead& a, const TensorWrite& out) {
    elementwise::visit_conversion(a.dtype(), out.dtype(), [&]<class From>(auto f) {
        using To = decltype(f(From{}));
        for_each_index(out.shape(), [&](const Dims& i) { at<To>(out, i) = f(at<From>(a, i)); });
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::reference
