// Einsum and its derivatives on tensor handles, on the default engine. Operands stay pinned for the whole call, so another
// thread may release them meanwhile.
#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "capi/arguments.hpp"
#include "capi/guard.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/base/error.hpp"

namespace tenferro::inline TENFERRO_ABI::capi {

namespace {

/// The operands of a call: views for the engine and the pins that keep them valid.
struct Operands {
    std::vector<HandleTable::Pin> pins;
    std::vector<TensorRead> views;
};

template <class T>
Operands borrow_operands(const char* function, Handle<T>* const* array, std::size_t n, std::string_view name,
                         std::string_view element) {
    if (n == 0) throw Error(ErrorKind::InvalidArgument, function, "n is 0 but an einsum has at least one operand");
    check_array(function, array, name, n, "n");
    Operands operands;
    operands.pins.reserve(n);
    operands.views.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
        operands.pins.push_back(borrow<T>(function, array[i], {element, i}));
        operands.views.push_back(operands.pins.back()->read());
    }
    return operands;
}

template <class T>
Handle<T>* einsum(const char* function, const char* subscripts, Handle<T>* const* array, std::size_t n) {
    check_pointer(function, subscripts, "subscripts");
    const Operands operands = borrow_operands<T>(function, array, n, "operands", "operand");
    return publish<T>(default_engine().einsum(subscripts, operands.views));
}

/// Handles that are released again unless the caller gets them all.
template <class T>
class PendingHandles {
public:
    explicit PendingHandles(std::size_t count) { handles_.reserve(count); }
    PendingHandles(const PendingHandles&) = delete;
    PendingHandles& operator=(const PendingHandles&) = delete;
    ~PendingHandles() {
        for (Handle<T>* handle : handles_) handles().release(reinterpret_cast<Token>(handle));
    }
    void publish(Tensor&& tensor) { handles_.push_back(capi::publish<T>(std::move(tensor))); }
    void hand_over(Handle<T>** out) noexcept {
        std::copy(handles_.begin(), handles_.end(), out);
        handles_.clear();
    }

private:
    std::vector<Handle<T>*> handles_;
};

template <class T>
void einsum_vjp(const char* function, const char* subscripts, Handle<T>* const* array, std::size_t n, const Handle<T>* cotangent,
                Handle<T>** grads_out) {
    check_pointer(function, subscripts, "subscripts");
    check_array(function, grads_out, "grads_out", n, "n");
    const Operands operands = borrow_operands<T>(function, array, n, "operands", "operand");
    const HandleTable::Pin pulled = borrow<T>(function, cotangent, {"cotangent"});
    std::vector<Tensor> gradients = default_engine().einsum_vjp(subscripts, operands.views, *pulled);
    PendingHandles<T> pending(n);
    for (Tensor& gradient : gradients) pending.publish(std::move(gradient));
    pending.hand_over(grads_out);
}

template <class T>
Handle<T>* einsum_jvp(const char* function, const char* subscripts, Handle<T>* const* primals, std::size_t n,
                      Handle<T>* const* tangents) {
    check_pointer(function, subscripts, "subscripts");
    const Operands operands = borrow_operands<T>(function, primals, n, "primals", "primal");
    check_array(function, tangents, "tangents", n, "n");
    std::vector<HandleTable::Pin> pins;
    pins.reserve(n);
    std::vector<std::optional<TensorRead>> views(n);
    for (std::size_t i = 0; i < n; ++i) {
        if (tangents[i] == nullptr) continue;
        pins.push_back(borrow<T>(function, tangents[i], {"tangent", i}));
        views[i] = pins.back()->read();
    }
    return publish<T>(default_engine().einsum_jvp(subscripts, operands.views, views));
}

/// A C entry of the reverse mode: outputs are NULL from the first moment on, whatever fails later.
template <class T>
void einsum_vjp_entry(const char* name, const char* subscripts, Handle<T>* const* array, std::size_t n,
                      const Handle<T>* cotangent, Handle<T>** grads_out, tfe_status_t* status) noexcept {
    if (grads_out != nullptr && n <= kLongestArray) std::fill_n(grads_out, n, nullptr);
    guard(name, status, [&](const char* function) { einsum_vjp<T>(function, subscripts, array, n, cotangent, grads_out); });
}

}  // namespace

}  // namespace tenferro::inline TENFERRO_ABI::capi

namespace capi = tenferro::capi;

tfe_tensor_f64* tfe_einsum_f64(const char* subscripts, tfe_tensor_f64* const* operands, size_t n, tfe_status_t* status) {
    return capi::guard(__func__, status,
                       [&](const char* function) { return capi::einsum<double>(function, subscripts, operands, n); });
}

void tfe_einsum_vjp_f64(const char* subscripts, tfe_tensor_f64* const* operands, size_t n, const tfe_tensor_f64* cotangent,
                        tfe_tensor_f64** grads_out, tfe_status_t* status) {
    capi::einsum_vjp_entry<double>(__func__, subscripts, operands, n, cotangent, grads_out, status);
}

void tfe_einsum_rrule_f64(const char* subscripts, tfe_tensor_f64* const* operands, size_t n, const tfe_tensor_f64* cotangent,
                          tfe_tensor_f64** grads_out, tfe_status_t* status) {
    capi::einsum_vjp_entry<double>(__func__, subscripts, operands, n, cotangent, grads_out, status);
}

tfe_tensor_f64* tfe_einsum_jvp_f64(const char* subscripts, tfe_tensor_f64* const* primals, size_t n,
                                   tfe_tensor_f64* const* tangents, tfe_status_t* status) {
    return capi::guard(__func__, status, [&](const char* function) {
        return capi::einsum_jvp<double>(function, subscripts, primals, n, tangents);
    });
}

tfe_tensor_f64* tfe_einsum_frule_f64(const char* subscripts, tfe_tensor_f64* const* primals, size_t n,
                                     tfe_tensor_f64* const* tangents, tfe_status_t* status) {
    return capi::guard(__func__, status, [&](const char* function) {
        return capi::einsum_jvp<double>(function, subscripts, primals, n, tangents);
    });
}
