// Argument checks of the C API and their messages.
#include "capi/arguments.hpp"

#include <limits>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::inline TENFERRO_ABI::capi {

namespace {

std::string describe(Argument argument) {
    return argument.index == Argument::kNoIndex ? std::string(argument.name) : text(argument.name, " ", argument.index);
}

}  // namespace

HandleTable::Pin borrow(const char* function, const void* handle, DType dtype, Argument argument) {
    HandleTable::Pin pin = handles().pin(reinterpret_cast<Token>(handle));
    if (!pin)
        throw Error(ErrorKind::InvalidArgument, function,
                    text(describe(argument), handle == nullptr ? " is NULL" : " is not a live tensor handle"));
    if (pin->dtype() != dtype)
        throw Error(
            ErrorKind::DTypeMismatch, function,
            text(describe(argument), " has dtype ", info(pin->dtype()).name, " but dtype ", info(dtype).name, " is needed"));
    return pin;
}

void check_pointer(const char* function, const void* pointer, std::string_view name) {
    if (pointer == nullptr) throw Error(ErrorKind::InvalidArgument, function, text(name, " is NULL"));
}

void check_array(const char* function, const void* array, std::string_view name, std::size_t length,
                 std::string_view length_name) {
    if (array == nullptr && length != 0)
        throw Error(ErrorKind::InvalidArgument, function, text(name, " is NULL but ", length_name, " is ", length));
    if (length > kLongestArray)
        throw Error(ErrorKind::InvalidArgument, function, text(length_name, " is ", length, ", more than any array can hold"));
}

Dims to_dims(const char* function, const std::size_t* shape, std::size_t ndim) {
    check_array(function, shape, "shape", ndim, "ndim");
    constexpr auto kLargest = static_cast<std::size_t>(std::numeric_limits<Index>::max());
    Dims dims;
    dims.reserve(ndim);
    for (std::size_t axis = 0; axis < ndim; ++axis) {
        if (shape[axis] > kLargest)
            throw Error(ErrorKind::InvalidArgument, function,
                        text("axis ", axis, " has extent ", shape[axis], " but extents are at most ", kLargest));
        dims.push_back(static_cast<Index>(shape[axis]));
    }
    static_cast<void>(element_count(dims, function));  // rejects an overflowing product in the C function's name
    return dims;
}

}  // namespace tenferro::inline TENFERRO_ABI::capi
