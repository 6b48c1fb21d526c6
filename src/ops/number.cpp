// Numbers beside tensors: which dtype they meet in, and their exact conversion to a constant.
#include "tenferro/ops/number.hpp"

#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <new>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/ops/operations.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

[[noreturn]] void refuse(const std::string& number, DType dtype) {
    throw Error(ErrorKind::InvalidArgument, "constant",
                text(number, " is no ", info(dtype).name, "; convert or cast the tensor first"));
}

/// The integer that `value` is, if it is one within T.
template <std::integral T>
std::optional<T> as_integer(double value) {
    // One more than the largest, which itself may not be a double.
    constexpr double kLowest = static_cast<double>(std::numeric_limits<T>::min()),
                     kEnd = 2.0 * static_cast<double>(std::numeric_limits<T>::max() / 2 + 1);
    if (!(value >= kLowest && value < kEnd) || value != std::trunc(value)) return std::nullopt;
    return static_cast<T>(value);
}

template <std::integral T>
std::optional<T> as_integer(std::int64_t value) {
    if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max()) return std::nullopt;
    return static_cast<T>(value);
}

template <class T>
std::array<std::uint64_t, 2> bits_of(T value) {
    std::array<std::uint64_t, 2> bits{};
    std::memcpy(bits.data(), &value, sizeof value);
    return bits;
}

}  // namespace

std::int64_t Number::from_unsigned(std::uint64_t value) {
    const auto signed_value = static_cast<std::int64_t>(value);
    if (signed_value < 0) refuse(std::to_string(value), DType::I64);
    return signed_value;
}

DType Number::beside(DType tensor) const noexcept {
    const DTypeInfo& row = info(tensor);
    if (row.is_complex) return tensor;
    if (dtype_ == DType::C64) return tensor == DType::F32 ? DType::C32 : DType::C64;
    if (row.is_float) return tensor;
    if (dtype_ == DType::F64) return DType::F64;
    return row.is_integer ? tensor : DType::I64;
}

StdTensorOp Number::constant(DType dtype) const try {
    const auto shown = [&] {
        if (dtype_ == DType::I64) return std::to_string(integer_);
        const auto digits = [](double value) {  // in no locale
            char text[32];
            return std::string(text, std::to_chars(text, std::end(text), value).ptr);
        };
        if (dtype_ != DType::C64) return digits(real_);
        return digits(real_) + (std::signbit(imaginary_) ? "" : "+") + digits(imaginary_) + "i";
    };
    return visit_dtype(dtype, [&]<class T>() -> StdTensorOp {
        if constexpr (std::is_integral_v<T>) {
            using Whole = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;
            const bool is_whole = dtype_ == DType::I64;
            const auto value = is_whole ? as_integer<Whole>(integer_) : as_integer<Whole>(real_);
            if (!value || imaginary_ != 0 || (dtype == DType::Bool && *value > 1)) refuse(shown(), dtype);
            return tensor_ops::Constant(dtype, bits_of(static_cast<T>(*value)));
        } else if constexpr (std::is_floating_point_v<T>) {
            if (imaginary_ != 0) refuse(shown(), dtype);
            const bool is_whole = dtype_ == DType::I64;
            return tensor_ops::Constant(dtype,
                                        bits_of(is_whole ? static_cast<T>(integer_) : static_cast<T>(real_)));
        } else {
            using Real = typename T::value_type;
            const bool is_whole = dtype_ == DType::I64;
            return tensor_ops::Constant(
                dtype, bits_of(T(is_whole ? static_cast<Real>(integer_) : static_cast<Real>(real_),
                                 static_cast<Real>(imaginary_))));
        }
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("constant");
}

}}  // namespace tenferro::TENFERRO_ABI
