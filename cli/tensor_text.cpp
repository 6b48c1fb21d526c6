// One walk over the elements for each of the two forms.
#include "cli/tensor_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <type_traits>
#include <utility>

#include "tenferro/base/error.hpp"

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
Json number_json(T value) {
    if constexpr (std::is_floating_point_v<T>)
        if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    return value;
}
template <class T>
Json number_json(std::complex<T> value) {
    Json parts = Json::list();
    parts.add(number_json(value.real()));
    parts.add(number_json(value.imag()));
    return parts;
}

/// Element after element, without recursion: a tensor may have any number of axes.
template <class T>
std::string nested_text(const TensorRead& tensor) {
    if (tensor.size() == 0) return "[]";
    const T* element = tensor.data_as<T>();
    const std::size_t rank = tensor.rank();
    Dims at(rank, 0);
    std::string out(rank, '[');
    for (Index left = tensor.size(); left > 0;) {
        out += number_text(*element);
        if (--left == 0) break;
        std::size_t axis = rank - 1;
        for (; at[axis] + 1 == tensor.shape()[axis]; --axis)
            element -= std::exchange(at[axis], 0) * tensor.strides()[axis];
        ++at[axis];
        element += tensor.strides()[axis];
        const std::size_t closed = rank - 1 - axis;
        out.append(closed, ']').append(closed == 0 ? ", " : ",\n");
        if (closed > 0) out.append(axis + 1, ' ').append(closed, '[');
    }
    return out.append(rank, ']');
}

/// What writes and destroys JSON recurses.
constexpr std::size_t kMostJsonAxes = 64;

template <class T>
Json nested_json(const TensorRead& tensor, std::size_t axis, const T* data, Index offset = 0) {
    if (axis == tensor.rank()) return number_json(data[offset]);
    Json out = Json::list();
    for (Index i = 0; i < tensor.shape()[axis]; ++i)
        out.add(nested_json(tensor, axis + 1, data, offset + i * tensor.strides()[axis]));
    return out;
}

}  // namespace

std::string shape_text(std::span<const Index> shape) {
    std::string out;
    for (const Index extent : shape) out += fmt::format("{}{}", out.empty() ? "" : " x ", extent);
    return out.empty() ? "scalar" : out;
}

std::string values_text(const TensorRead& tensor) {
    return visit_dtype(tensor.dtype(), [&]<class T>() { return nested_text<T>(tensor); });
}

Json values_json(const TensorRead& tensor) {
    if (tensor.size() == 0) return Json::list();
    if (tensor.rank() > kMostJsonAxes)
        throw Error(ErrorKind::Unsupported, "JSON",
                    fmt::format("the tensor has rank {} but arrays are nested {} deep at most", tensor.rank(),
                                kMostJsonAxes));
    return visit_dtype(tensor.dtype(),
                       [&]<class T>() { return nested_json(tensor, 0, tensor.data_as<T>()); });
}

}  // namespace tenferro::cli
