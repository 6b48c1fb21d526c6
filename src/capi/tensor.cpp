// The lifecycle and query functions of tensor handles. The work is written once over the element type; the C functions below
// it give each dtype its names.
#include <algorithm>

#include "capi/arguments.hpp"
#include "capi/guard.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::inline TENFERRO_ABI::capi {

namespace {

template <class T>
Handle<T>* from_data(const char* function, const T* data, std::size_t len, const std::size_t* shape, std::size_t ndim) {
    if (len != 0) check_pointer(function, data, "data");
    const Dims dims = to_dims(function, shape, ndim);
    const Index count = element_count(dims, function);
    if (len != static_cast<std::size_t>(count))
        throw Error(ErrorKind::ShapeMismatch, function,
                    text("len is ", len, " but shape ", list_text(dims), " has ", count, " elements"));
    return publish<T>(Tensor::from_bytes(storage_dtype<T>, data, len, dims));
}

template <class T>
Handle<T>* zeros(const char* function, const std::size_t* shape, std::size_t ndim) {
    return publish<T>(Tensor::zeros(storage_dtype<T>, to_dims(function, shape, ndim)));
}

template <class T>
Handle<T>* clone(const char* function, const Handle<T>* tensor) {
    return publish<T>(borrow<T>(function, tensor, {"tensor"})->duplicate());
}

void release(const char* function, const void* tensor) {
    if (tensor != nullptr && !handles().release(reinterpret_cast<Token>(tensor)))
        throw Error(ErrorKind::InvalidArgument, function, "tensor is not a live tensor handle");
}

template <class T>
bool is_assigned(const Handle<T>* tensor) noexcept {
    const HandleTable::Pin pin = handles().pin(reinterpret_cast<Token>(tensor));
    return pin && pin->dtype() == storage_dtype<T>;
}

template <class T>
void shape(const char* function, const Handle<T>* tensor, std::size_t* out_shape) {
    const HandleTable::Pin pin = borrow<T>(function, tensor, {"tensor"});
    check_array(function, out_shape, "out_shape", pin->rank(), "ndim");
    std::copy(pin->shape().begin(), pin->shape().end(), out_shape);
}

}  // namespace

}  // namespace tenferro::inline TENFERRO_ABI::capi

namespace capi = tenferro::capi;

tfe_tensor_f64* tfe_tensor_f64_from_data(const double* data, size_t len, const size_t* shape, size_t ndim, tfe_status_t* status) {
    return capi::guard(__func__, status,
                       [&](const char* function) { return capi::from_data<double>(function, data, len, shape, ndim); });
}

tfe_tensor_f64* tfe_tensor_f64_zeros(const size_t* shape, size_t ndim, tfe_status_t* status) {
    return capi::guard(__func__, status, [&](const char* function) { return capi::zeros<double>(function, shape, ndim); });
}

tfe_tensor_f64* tfe_tensor_f64_clone(const tfe_tensor_f64* tensor, tfe_status_t* status) {
    return capi::guard(__func__, status, [&](const char* function) { return capi::clone<double>(function, tensor); });
}

void tfe_tensor_f64_release(tfe_tensor_f64* tensor) {
    capi::guard(__func__, nullptr, [&](const char* function) { capi::release(function, tensor); });
}

int32_t tfe_tensor_f64_is_assigned(const tfe_tensor_f64* tensor) { return capi::is_assigned<double>(tensor) ? 1 : 0; }

size_t tfe_tensor_f64_ndim(const tfe_tensor_f64* tensor) {
    return capi::guard(__func__, nullptr,
                       [&](const char* function) { return capi::borrow<double>(function, tensor, {"tensor"})->rank(); });
}

void tfe_tensor_f64_shape(const tfe_tensor_f64* tensor, size_t* out_shape) {
    capi::guard(__func__, nullptr, [&](const char* function) { capi::shape<double>(function, tensor, out_shape); });
}

size_t tfe_tensor_f64_len(const tfe_tensor_f64* tensor) {
    return capi::guard(__func__, nullptr, [&](const char* function) {
        return static_cast<size_t>(capi::borrow<double>(function, tensor, {"tensor"})->size());
    });
}

const double* tfe_tensor_f64_data(const tfe_tensor_f64* tensor) {
    return capi::guard(__func__, nullptr, [&](const char* function) {
        return capi::borrow<double>(function, tensor, {"tensor"})->data_as<double>();
    });
}
