// What C arguments become before the C++ surface sees them: handles are pinned, arrays checked, shapes
// converted. Errors are InvalidArgument in the name of the C function.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "tenferro.h"
#include "tenferro/base/error.hpp"
#include "tenferro/tensor/tensor.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi {

/// The element types of the C API: X(suffix, element type, C scalar). Complex elements are two C scalars.
#define TFE_FOR_EACH_ELEMENT(X)        \
    X(f32, float, float)               \
    X(f64, double, double)             \
    X(c32, std::complex<float>, float) \
    X(c64, std::complex<double>, double)

/// The C handle type of element type T, and the scalar that its data pointer points to.
template <class T>
struct HandleOf;
#define TFE_HANDLE_OF(suffix, element, c_scalar) \
    template <>                                  \
    struct HandleOf<element> {                   \
        using type = tfe_tensor_##suffix;        \
        using scalar = c_scalar;                 \
    };
TFE_FOR_EACH_ELEMENT(TFE_HANDLE_OF)
#undef TFE_HANDLE_OF
template <class T>
using Handle = typename HandleOf<T>::type;
template <class T>
using CScalar = typename HandleOf<T>::scalar;

/// A mistake that only C callers can make, with its own status or detail: a pointer or handle that is null, a
/// handle that is not live, too small a buffer.
class TENFERRO_API ArgumentError : public Error {
public:
    ArgumentError(std::int32_t detail, std::string_view function, std::string_view message,
                  tfe_status_t status = TFE_INVALID_ARGUMENT)
        : Error(ErrorKind::InvalidArgument, function, message), detail_(detail), status_(status) {}
    [[nodiscard]] std::int32_t detail() const noexcept { return detail_; }
    [[nodiscard]] tfe_status_t status() const noexcept { return status_; }

private:
    std::int32_t detail_;
    tfe_status_t status_;
};

/// For a handle that no table knows: what is wrong with it, "operand 1 is not a live tensor handle".
[[nodiscard]] TENFERRO_API ArgumentError dead_handle(const char* function, const void* handle,
                                                     std::string_view name, std::string_view noun);

/// An argument as messages call it: "cotangent", or "operand 1" when it is an element of an array.
struct Argument {
    static constexpr std::size_t kNoIndex = SIZE_MAX;
    std::string_view name;
    std::size_t index = kNoIndex;
};

/// The tensor of a handle, which lives as long as this even when another thread releases the handle.
class Borrowed {
public:
    Borrowed(Borrowed&& other) noexcept
        : tensor_(other.tensor_), pinned_(std::exchange(other.pinned_, nullptr)) {}
    Borrowed& operator=(Borrowed&&) = delete;
    ~Borrowed() {
        if (pinned_ != nullptr) give_back(pinned_);
    }
    [[nodiscard]] const Tensor& operator*() const noexcept { return *tensor_; }
    [[nodiscard]] const Tensor* operator->() const noexcept { return tensor_; }

    /// Ends the life of the handle, and this; false where another thread was first. The tensor ends with the
    /// last who borrows it.
    [[nodiscard]] bool end_life() && noexcept { return end_life(std::exchange(pinned_, nullptr)); }

private:
    friend Borrowed borrow(const char*, const void*, DType, Argument);
    Borrowed(const Tensor& tensor, void* pinned) noexcept : tensor_(&tensor), pinned_(pinned) {}
    TENFERRO_API static void give_back(void* pinned) noexcept;
    TENFERRO_API static bool end_life(void* pinned) noexcept;

    const Tensor* tensor_;
    void* pinned_;
};

/// Borrows the tensor of a handle, which must be live and of `dtype`. Throws InvalidArgument, DTypeMismatch.
[[nodiscard]] TENFERRO_API Borrowed borrow(const char* function, const void* handle, DType dtype,
                                           Argument argument);

template <class T>
[[nodiscard]] Borrowed borrow(const char* function, const Handle<T>* handle, Argument argument) {
    return borrow(function, handle, storage_dtype<T>, argument);
}

/// A new handle of a tensor of `dtype`, or a BackendFailure for one of another. On failure the tensor is
/// kept.
[[nodiscard]] TENFERRO_API void* publish(Tensor&& tensor, DType dtype);
/// Takes back a handle that no caller has seen.
TENFERRO_API void discard(void* handle) noexcept;

/// Throws BackendFailure where what a computation made is not as many tensors as there are outputs.
TENFERRO_API void check_count(std::size_t made, std::size_t outputs);

/// Makes the tensor a handle that the C caller owns.
template <class T>
[[nodiscard]] Handle<T>* publish(Tensor&& tensor) {
    return static_cast<Handle<T>*>(publish(std::move(tensor), storage_dtype<T>));
}

/// Checks the dtype of an argument.
TENFERRO_API void check_dtype(const char* function, DType given, DType needed, Argument argument);

/// Checks that a required pointer is not null.
TENFERRO_API void check_pointer(const char* function, const void* pointer, std::string_view name);

/// No array of pointers, extents or numbers has more elements than this; a length beyond it is a mistake, not
/// an array.
inline constexpr std::size_t kLongestArray = PTRDIFF_MAX / sizeof(void*);

/// Checks an array of `length` elements: null only when empty, and not longer than any can be.
TENFERRO_API void check_array(const char* function, const void* array, std::string_view name,
                              std::size_t length, std::string_view length_name);

/// Query, then fill: writes to *out_len how many elements `needed` are, and says whether `buffer` is to be
/// filled. Throws a BUFFER_TOO_SMALL for a buffer of fewer.
[[nodiscard]] TENFERRO_API bool wants_elements(const char* function, const void* buffer, std::size_t length,
                                               std::size_t* out_len, std::size_t needed);

/// A C shape as Dims; extents must not exceed INT64_MAX, nor their product.
[[nodiscard]] TENFERRO_API Dims to_dims(const char* function, const std::size_t* shape, std::size_t ndim);

}}}  // namespace tenferro::TENFERRO_ABI::capi
