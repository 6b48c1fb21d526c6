// The lifecycle and query functions of tensor handles, DLPack included. The work is written once over the
// element type; the macro below it gives each dtype its C functions.
#include <algorithm>
#include <cstring>

#include "capi/handle_table.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/capi/arguments.hpp"
#include "tenferro/capi/guard.hpp"
#include "tenferro/tensor/dlpack.hpp"
#include "tenferro/tensor_core/row_major.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi { namespace {

template <class T>
Dims checked_layout(const char* function, const CScalar<T>* data, std::size_t len, const std::size_t* shape,
                    std::size_t ndim) {
    if (len != 0) check_pointer(function, data, "data");
    Dims dims = to_dims(function, shape, ndim);
    const Index count = element_count(dims, function);
    if (len != static_cast<std::size_t>(count))
        throw Error(ErrorKind::ShapeMismatch, function,
                    text("len is ", len, " but shape ", list_text(dims), " has ", count, " elements"));
    return dims;
}

template <class T>
Handle<T>* from_data(const char* function, const CScalar<T>* data, std::size_t len, const std::size_t* shape,
                     std::size_t ndim) {
    const Dims dims = checked_layout<T>(function, data, len, shape, ndim);
    Tensor tensor = default_engine().backend().empty(storage_dtype<T>, dims);
    if (len != 0) std::memcpy(tensor.write().data(), data, len * sizeof(T));
    return publish<T>(std::move(tensor));
}

/// Row-major data is the column-major data of the transposed tensor.
template <class T>
Handle<T>* from_row_major_data(const char* function, const CScalar<T>* data, std::size_t len,
                               const std::size_t* shape, std::size_t ndim) {
    const Dims dims = checked_layout<T>(function, data, len, shape, ndim);
    Dims reversed(dims), axes;
    std::reverse(reversed.begin(), reversed.end());
    for (auto axis = static_cast<Index>(ndim); axis-- > 0;) axes.push_back(axis);
    Tensor values(Buffer(), storage_dtype<T>, const_cast<CScalar<T>*>(data), reversed,
                  column_major_strides(reversed));
    return publish<T>(default_engine().backend().transpose_read(values, axes));
}

template <class T>
Handle<T>* zeros(const char* function, const std::size_t* shape, std::size_t ndim) {
    return publish<T>(default_engine().backend().zeros(storage_dtype<T>, to_dims(function, shape, ndim)));
}

template <class T>
Handle<T>* clone(const char* function, const Handle<T>* tensor) {
    return publish<T>(
        default_engine().backend().to_contiguous_read(*borrow<T>(function, tensor, {"tensor"})));
}

template <class T>
Handle<T>* conj(const char* function, const Handle<T>* tensor) {
    return publish<T>(default_engine().backend().conj_read(*borrow<T>(function, tensor, {"tensor"})));
}

template <class T>
void copy_row_major(const char* function, const Handle<T>* tensor, CScalar<T>* buffer, std::size_t length,
                    std::size_t* out_len) {
    const Borrowed pin = borrow<T>(function, tensor, {"tensor"});
    if (!wants_elements(function, buffer, length, out_len, static_cast<std::size_t>(pin->size()))) return;
    if (pin->size() == 0) return;
    default_engine().backend().to_contiguous_into(
        *pin, TensorWrite(storage_dtype<T>, buffer, pin->shape(), row_major_strides(pin->shape())));
}

/// Ends the handle's life; of several threads that try, one succeeds and the others throw.
void end_life(const char* function, const void* handle, Borrowed tensor) {
    if (!std::move(tensor).end_life()) throw dead_handle(function, handle, "tensor", "tensor");
}

template <class T>
void release(const char* function, const Handle<T>* tensor) {
    if (tensor != nullptr) end_life(function, tensor, borrow<T>(function, tensor, {"tensor"}));
}

template <class T>
bool is_assigned(const Handle<T>* tensor) noexcept {
    const HandleTable::Pin pin = handles().pin(reinterpret_cast<Token>(tensor));
    return pin && pin->dtype() == storage_dtype<T>;
}

template <class T>
void shape(const char* function, const Handle<T>* tensor, std::size_t* out_shape) {
    const Borrowed pin = borrow<T>(function, tensor, {"tensor"});
    check_array(function, out_shape, "out_shape", pin->rank(), "ndim");
    std::copy(pin->shape().begin(), pin->shape().end(), out_shape);
}

template <class T>
void strides(const char* function, const Handle<T>* tensor, std::int64_t* out_strides) {
    const Borrowed pin = borrow<T>(function, tensor, {"tensor"});
    check_array(function, out_strides, "out_strides", pin->rank(), "ndim");
    std::copy(pin->strides().begin(), pin->strides().end(), out_strides);
}

/// What the table keeps of every tensor.
const HeldTensor& held(const Borrowed& tensor) noexcept { return static_cast<const HeldTensor&>(*tensor); }

template <class T>
const CScalar<T>* data(const char* function, const Handle<T>* tensor) {
    const Borrowed pin = borrow<T>(function, tensor, {"tensor"});
    return pin->size() == 0 ? nullptr : static_cast<const CScalar<T>*>(held(pin).compact().data());
}

/// The struct is complete before the handle dies. It is writable if by then no call of another thread uses
/// the memory.
template <class T>
DLManagedTensorVersioned* to_dlpack(const char* function, Handle<T>* tensor) {
    Borrowed pin = borrow<T>(function, tensor, {"tensor"});
    OwnedDlpack shared = share_dlpack(*pin);
    end_life(function, tensor, std::move(pin));
    return claim_dlpack(std::move(shared));
}

template <class T>
Handle<T>* from_dlpack(const char* function, OwnedDlpack managed) {
    check_pointer(function, managed.get(), "managed");
    Tensor tensor = tenferro::from_dlpack(managed.release());
    check_dtype(function, tensor.dtype(), storage_dtype<T>, {"managed"});
    return publish<T>(std::move(tensor));
}

}}}}  // namespace tenferro::TENFERRO_ABI::capi

namespace capi = tenferro::capi;

#define TFE_DEFINE_TENSOR(suffix, element, c_scalar)                                                       \
    tfe_tensor_##suffix* tfe_tensor_##suffix##_from_data(                                                  \
        const c_scalar* data, size_t len, const size_t* shape, size_t ndim, tfe_status_t* status) {        \
        return capi::guard(__func__, status, [&](const char* function) {                                   \
            return capi::from_data<element>(function, data, len, shape, ndim);                             \
        });                                                                                                \
    }                                                                                                      \
    tfe_tensor_##suffix* tfe_tensor_##suffix##_from_row_major_data(                                        \
        const c_scalar* data, size_t len, const size_t* shape, size_t ndim, tfe_status_t* status) {        \
        return capi::guard(__func__, status, [&](const char* function) {                                   \
            return capi::from_row_major_data<element>(function, data, len, shape, ndim);                   \
        });                                                                                                \
    }                                                                                                      \
    tfe_tensor_##suffix* tfe_tensor_##suffix##_zeros(const size_t* shape, size_t ndim,                     \
                                                     tfe_status_t* status) {                               \
        return capi::guard(__func__, status, [&](const char* function) {                                   \
            return capi::zeros<element>(function, shape, ndim);                                            \
        });                                                                                                \
    }                                                                                                      \
    tfe_tensor_##suffix* tfe_tensor_##suffix##_clone(const tfe_tensor_##suffix* tensor,                    \
                                                     tfe_status_t* status) {                               \
        return capi::guard(__func__, status,                                                               \
                           [&](const char* function) { return capi::clone<element>(function, tensor); });  \
    }                                                                                                      \
    tfe_tensor_##suffix* tfe_tensor_##suffix##_conj(const tfe_tensor_##suffix* tensor,                     \
                                                    tfe_status_t* status) {                                \
        return capi::guard(__func__, status,                                                               \
                           [&](const char* function) { return capi::conj<element>(function, tensor); });   \
    }                                                                                                      \
    void tfe_tensor_##suffix##_copy_row_major(const tfe_tensor_##suffix* tensor, c_scalar* buf,            \
                                              size_t buf_len, size_t* out_len, tfe_status_t* status) {     \
        capi::guard(__func__, status, [&](const char* function) {                                          \
            capi::copy_row_major<element>(function, tensor, buf, buf_len, out_len);                        \
        });                                                                                                \
    }                                                                                                      \
    void tfe_tensor_##suffix##_release(tfe_tensor_##suffix* tensor) {                                      \
        capi::guard(__func__, nullptr,                                                                     \
                    [&](const char* function) { capi::release<element>(function, tensor); });              \
    }                                                                                                      \
    int32_t tfe_tensor_##suffix##_is_assigned(const tfe_tensor_##suffix* tensor) {                         \
        return capi::is_assigned<element>(tensor) ? 1 : 0;                                                 \
    }                                                                                                      \
    size_t tfe_tensor_##suffix##_ndim(const tfe_tensor_##suffix* tensor) {                                 \
        return capi::guard(__func__, nullptr, [&](const char* function) {                                  \
            return capi::borrow<element>(function, tensor, {"tensor"})->rank();                            \
        });                                                                                                \
    }                                                                                                      \
    void tfe_tensor_##suffix##_shape(const tfe_tensor_##suffix* tensor, size_t* out_shape) {               \
        capi::guard(__func__, nullptr,                                                                     \
                    [&](const char* function) { capi::shape<element>(function, tensor, out_shape); });     \
    }                                                                                                      \
    void tfe_tensor_##suffix##_strides(const tfe_tensor_##suffix* tensor, int64_t* out_strides) {          \
        capi::guard(__func__, nullptr,                                                                     \
                    [&](const char* function) { capi::strides<element>(function, tensor, out_strides); }); \
    }                                                                                                      \
    size_t tfe_tensor_##suffix##_len(const tfe_tensor_##suffix* tensor) {                                  \
        return capi::guard(__func__, nullptr, [&](const char* function) {                                  \
            return static_cast<size_t>(capi::borrow<element>(function, tensor, {"tensor"})->size());       \
        });                                                                                                \
    }                                                                                                      \
    const c_scalar* tfe_tensor_##suffix##_data(const tfe_tensor_##suffix* tensor) {                        \
        return capi::guard(__func__, nullptr,                                                              \
                           [&](const char* function) { return capi::data<element>(function, tensor); });   \
    }                                                                                                      \
    DLManagedTensorVersioned* tfe_tensor_##suffix##_to_dlpack(tfe_tensor_##suffix* tensor,                 \
                                                              tfe_status_t* status) {                      \
        return capi::guard(__func__, status, [&](const char* function) {                                   \
            return capi::to_dlpack<element>(function, tensor);                                             \
        });                                                                                                \
    }                                                                                                      \
    tfe_tensor_##suffix* tfe_tensor_##suffix##_from_dlpack(DLManagedTensorVersioned* managed,              \
                                                           tfe_status_t* status) {                         \
        tenferro::OwnedDlpack owned(managed); /* consumed whatever happens */                              \
        return capi::guard(__func__, status, [&](const char* function) {                                   \
            return capi::from_dlpack<element>(function, std::move(owned));                                 \
        });                                                                                                \
    }

TFE_FOR_EACH_ELEMENT(TFE_DEFINE_TENSOR)
