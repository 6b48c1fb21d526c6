// What C arguments become before the C++ surface sees them: handles are pinned, arrays checked, shapes converted. Errors are
// InvalidArgument in the name of the C function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "capi/handle_table.hpp"
#include "tenferro.h"
#include "tenferro/tensor_core/layout.hpp"

namespace tenferro::inline TENFERRO_ABI::capi {

/// The C handle type of element type T.
template <class T>
struct HandleOf;
template <>
struct HandleOf<double> {
    using type = tfe_tensor_f64;
};
template <class T>
using Handle = typename HandleOf<T>::type;

/// An argument as messages call it: "cotangent", or "operand 1" when it is an element of an array.
struct Argument {
    static constexpr std::size_t kNoIndex = SIZE_MAX;
    std::string_view name;
    std::size_t index = kNoIndex;
};

/// Pins the tensor of a handle, which must be live and of `dtype`.
[[nodiscard]] HandleTable::Pin borrow(const char* function, const void* handle, DType dtype, Argument argument);

template <class T>
[[nodiscard]] HandleTable::Pin borrow(const char* function, const Handle<T>* handle, Argument argument) {
    return borrow(function, handle, storage_dtype<T>, argument);
}

/// Makes the tensor a handle that the C caller owns.
template <class T>
[[nodiscard]] Handle<T>* publish(Tensor&& tensor) {
    return reinterpret_cast<Handle<T>*>(handles().publish(std::move(tensor)));
}

/// Checks that a required pointer is not null.
void check_pointer(const char* function, const void* pointer, std::string_view name);

/// No array of pointers, extents or numbers has more elements than this; a length beyond it is a mistake, not an array.
inline constexpr std::size_t kLongestArray = PTRDIFF_MAX / sizeof(void*);

/// Checks an array of `length` elements: null only when empty, and not longer than any can be.
void check_array(const char* function, const void* array, std::string_view name, std::size_t length,
                 std::string_view length_name);

/// A C shape as Dims; extents must not exceed INT64_MAX, nor their product.
[[nodiscard]] Dims to_dims(const char* function, const std::size_t* shape, std::size_t ndim);

}  // namespace tenferro::inline TENFERRO_ABI::capi
