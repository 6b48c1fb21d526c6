// Argument checks of the C API and their messages.
#include "tenferro/capi/arguments.hpp"

#include <limits>

#include "capi/handle_table.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi {

namespace {

std::string describe(Argument argument) {
    return argument.index == Argument::kNoIndex ? std::string(argument.name)
                                                : text(argument.name, " ", argument.index);
}

// The refusals of borrow, out of the way of the calls that they do not concern.
[[noreturn, gnu::noinline]] void refuse_dead(const char* function, const void* handle, Argument argument) {
    throw dead_handle(function, handle, describe(argument), "tensor");
}
[[noreturn, gnu::noinline]] void refuse_dtype(const char* function, DType given, DType needed,
                                              Argument argument) {
    throw Error(ErrorKind::DTypeMismatch, function,
                text(describe(argument), " has dtype ", info(given).name, " but dtype ", info(needed).name,
                     " is needed"));
}

}  // namespace

ArgumentError dead_handle(const char* function, const void* handle, std::string_view name,
                          std::string_view noun) {
    if (handle == nullptr) return {TFE_DETAIL_NULL_POINTER, function, text(name, " is NULL")};
    return {TFE_DETAIL_DEAD_HANDLE, function, text(name, " is not a live ", noun, " handle")};
}

Borrowed borrow(const char* function, const void* handle, DType dtype, Argument argument) {
    HandleTable::Pin pin = handles().pin(reinterpret_cast<Token>(handle));
    if (!pin) [[unlikely]]
        refuse_dead(function, handle, argument);
    if (pin->dtype() != dtype) [[unlikely]]
        refuse_dtype(function, pin->dtype(), dtype, argument);
    const Tensor& tensor = *pin;
    return {tensor, std::move(pin).detach()};
}

void Borrowed::give_back(void* pinned) noexcept { handles().unpin(pinned); }
bool Borrowed::end_life(void* pinned) noexcept { return handles().end_life(pinned); }

void* publish(Tensor&& tensor, DType dtype) {
    if (tensor.dtype() != dtype)
        throw Error(ErrorKind::BackendFailure, "publish",
                    text("the result has dtype ", info(tensor.dtype()).name, " but its handle is of ",
                         info(dtype).name));
    return reinterpret_cast<void*>(handles().publish(std::move(tensor)));
}

void check_count(std::size_t made, std::size_t outputs) {
    if (made != outputs)
        throw Error(ErrorKind::BackendFailure, "publish",
                    text("there are ", made, " results but ", outputs, " outputs"));
}

void discard(void* handle) noexcept { handles().release(reinterpret_cast<Token>(handle)); }

void check_dtype(const char* function, DType given, DType needed, Argument argument) {
    if (given != needed) refuse_dtype(function, given, needed, argument);
}

void check_pointer(const char* function, const void* pointer, std::string_view name) {
    if (pointer == nullptr) throw ArgumentError(TFE_DETAIL_NULL_POINTER, function, text(name, " is NULL"));
}

void check_array(const char* function, const void* array, std::string_view name, std::size_t length,
                 std::string_view length_name) {
    if (array == nullptr && length != 0)
        throw ArgumentError(TFE_DETAIL_NULL_POINTER, function,
                            text(name, " is NULL but ", length_name, " is ", length));
    if (length > kLongestArray)
        throw Error(ErrorKind::InvalidArgument, function,
                    text(length_name, " is ", length, ", more than any array can hold"));
}

bool wants_elements(const char* function, const void* buffer, std::size_t length, std::size_t* out_len,
                    std::size_t needed) {
    check_pointer(function, out_len, "out_len");
    *out_len = needed;
    if (buffer == nullptr) return false;
    if (length < needed)
        throw ArgumentError(TFE_DETAIL_SHAPE, function,
                            text("buf_len is ", length, " but ", needed, " elements are needed"),
                            TFE_BUFFER_TOO_SMALL);
    return true;
}

Dims to_dims(const char* function, const std::size_t* shape, std::size_t ndim) {
    check_array(function, shape, "shape", ndim, "ndim");
    constexpr auto kLargest = static_cast<std::size_t>(std::numeric_limits<Index>::max());
    Dims dims;
    dims.reserve(ndim);
    for (std::size_t axis = 0; axis < ndim; ++axis) {
        if (shape[axis] > kLargest)
            throw Error(
                ErrorKind::InvalidArgument, function,
                text("axis ", axis, " has extent ", shape[axis], " but extents are at most ", kLargest));
        dims.push_back(static_cast<Index>(shape[axis]));
    }
    static_cast<void>(
        element_count(dims, function));  // rejects an overflowing product in the C function's name
    return dims;
}

}}}  // namespace tenferro::TENFERRO_ABI::capi
