// What C arguments become before the C++ surface sees them: handles are pinned, arrays checked, shapes
// converted. Errors are InvalidArgument in the name of the C function.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "capi/handle_table.hpp"
#include "tenferro.h"
#include "tenferro/base/error.hpp"
#include "tenferro/tensor_core/layout.hpp"

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
class ArgumentError : public Error {
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
[[nodiscard]] ArgumentError dead_handle(const char* function, const void* handle, std::string_view name,
                                        std::string_view noun);

/// An argument as messages call it: "cotangent", or "operand 1" when it is an element of an array.
struct Argument {
    static constexpr std::size_t kNoIndex = SIZE_MAX;
    std::string_view name;
    std::size_t index = kNoIndex;
};

/// Pins the tensor of a handle, which must be live and of `dtype`.
[[nodiscard]] HandleTable::Pin borrow(const char* function, const void* handle, DType dtype,
                                      Argument argument);

template <class T>
[[nodiscard]] HandleTable::Pin borrow(const char* function, const Handle<T>* handle, Argument argument) {
    return borrow(function, handle, storage_dtype<T>, argument);
}

/// Makes the tensor a handle that the C caller owns.
template <class T>
[[nodiscard]] Handle<T>* publish(Tensor&& tensor) {
    return reinterpret_cast<Handle<T>*>(handles().publish(std::move(tensor)));
}

/// Checks the dtype of an argument.
void check_dtype(const char* function, DType given, DType needed, Argument argument);

/// Checks that a required pointer is not null.
void check_pointer(const char* function, const void* pointer, std::string_view name);

/// No array of pointers, extents or numbers has more elements than this; a length beyond it is a mistake, not
/// an array.
inline constexpr std::size_t kLongestArray = PTRDIFF_MAX / sizeof(void*);

/// Checks an array of `length` elements: null only when empty, and not longer than any can be.
void check_array(const char* function, const void* array, std::string_view name, std::size_t length,
                 std::string_view length_name);

/// Query, then fill: writes to *out_len how many elements `needed` are, and says whether `buffer` is to be
/// filled. Throws a BUFFER_TOO_SMALL for a buffer of fewer.
[[nodiscard]] bool wants_elements(const char* function, const void* buffer, std::size_t length,
                                  std::size_t* out_len, std::size_t needed);

/// A C shape as Dims; extents must not exceed INT64_MAX, nor their product.
[[nodiscard]] Dims to_dims(const char* function, const std::size_t* shape, std::size_t ndim);

}}}  // namespace tenferro::TENFERRO_ABI::capi
