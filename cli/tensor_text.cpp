// One recursive walk over the axes for each of the two forms.
#include "cli/tensor_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <type_traits>

namespace tenferro::cli {
namespace {

template <class T>
std::string number_text(T value) {
    return fmt::format("{}", value);  // the shortest text that reads back as the same number
}
template <class T>
std::string number_text(std::complex<T> value) {
    return fmt::format("{}{:+}j", value.real(), value.imag());
}

template <class T>
nlohmann::json number_json(T value) {
    if constexpr (std::is_floating_point_v<T>)
        if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    return value;
}
template <class T>
nlohmann::json number_json(std::complex<T> value) {
    return nlohmann::json::array({number_json(value.real()), number_json(value.imag())});
}

template <class T>
std::string nested_text(const TensorRead& tensor, std::size_t axis, const T* data, Index offset = 0) {
    if (axis == tensor.rank()) return number_text(data[offset]);
    const bool innermost = axis + 1 == tensor.rank();
    std::string out = "[";
    for (Index i = 0; i < tensor.shape()[axis]; ++i) {
        if (i > 0) out += innermost ? std::string(", ") : ",\n" + std::string(axis + 1, ' ');
        out += nested_text(tensor, axis + 1, data, offset + i * tensor.strides()[axis]);
    }
    return out + "]";
}

template <class T>
nlohmann::json nested_json(const TensorRead& tensor, std::size_t axis, const T* data, Index offset = 0) {
    if (axis == tensor.rank()) return number_json(data[offset]);
    nlohmann::json out = nlohmann::json::array();
    for (Index i = 0; i < tensor.shape()[axis]; ++i)
        out.push_back(nested_json(tensor, axis + 1, data, offset + i * tensor.strides()[axis]));
    return out;
}

}  // namespace

std::string shape_text(std::span<const Index> shape) {
    std::string out;
    for (const Index extent : shape) out += fmt::format("{}{}", out.empty() ? "" : " x ", extent);
    return out.empty() ? "scalar" : out;
}

std::string values_text(const TensorRead& tensor) {
    return visit_dtype(tensor.dtype(),
                       [&]<class T>() { return nested_text(tensor, 0, tensor.data_as<T>()); });
}

nlohmann::json values_json(const TensorRead& tensor) {
    return visit_dtype(tensor.dtype(),
                       [&]<class T>() { return nested_json(tensor, 0, tensor.data_as<T>()); });
}

}  // namespace tenferro::cli
