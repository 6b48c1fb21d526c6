// The public einsum cases: how their operands are made (an integer rule by operand number and row-major
// position) and how tensors are compared with the recorded results. All numbers are small integers, so
// comparison is exact.
#pragma once

#include <complex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tenferro/einsum/subscripts.hpp"
#include "tenferro/tensor/tensor.hpp"

namespace tenferro::test {

/// The value at row-major position n of data set `set`, an integer in -3 … 3.
inline double rule(std::uint64_t set, std::uint64_t n) {
    const std::uint64_t h = (n * 2654435761u + (set + 1) * 40503u * 977u + 12345u) & 0xFFFFFFFFu;
    return static_cast<double>((h >> 13) % 7) - 3;
}

/// Row-major storage of one data set, seen as a strided tensor: the library never gets a column-major copy.
template <class T>
class RowMajor {
public:
    RowMajor(const Dims& shape, std::uint64_t real_set, std::uint64_t imaginary_set)
        : shape_(shape), strides_(shape.size(), 1) {
        Index count = 1;
        for (std::size_t axis = shape.size(); axis-- > 0; count *= shape[axis]) strides_[axis] = count;
        values_.resize(static_cast<std::size_t>(count));
        for (std::size_t n = 0; n < values_.size(); ++n)
            values_[n] = make(rule(real_set, n), rule(imaginary_set, n));
    }
    [[nodiscard]] TensorRead view() const { return {storage_dtype<T>, values_.data(), shape_, strides_}; }

private:
    static T make(double re, [[maybe_unused]] double im) {
        if constexpr (std::is_same_v<T, double>)
            return re;
        else
            return {re, im};
    }
    Dims shape_, strides_;
    std::vector<T> values_;
};

/// Elements of a compact tensor in row-major order.
template <class T>
std::vector<T> row_major_elements(const Tensor& tensor) {
    std::vector<T> out(static_cast<std::size_t>(tensor.size()));
    Dims index(tensor.rank(), 0);
    for (T& value : out) {
        Index offset = 0;
        for (std::size_t axis = 0; axis < index.size(); ++axis)
            offset += index[axis] * tensor.strides()[axis];
        value = tensor.data_as<T>()[offset];
        for (std::size_t axis = index.size(); axis-- > 0;) {
            if (++index[axis] < tensor.shape()[axis]) break;
            index[axis] = 0;
        }
    }
    return out;
}

inline Dims dims_of(const nlohmann::json& shape) {
    Dims dims;
    for (const auto& extent : shape) dims.push_back(extent.get<Index>());
    return dims;
}

/// Whether a tensor has the recorded shape, sums and, where recorded, elements. Returns what differs, or "".
template <class T>
std::string difference(const Tensor& tensor, const nlohmann::json& expected) {
    if (!(tensor.shape() == dims_of(expected["shape"]))) return "shape";
    const std::vector<T> values = row_major_elements<T>(tensor);
    std::complex<double> sum = 0, weighted = 0;
    double absolute = 0;
    for (std::size_t n = 0; n < values.size(); ++n) {
        sum += values[n];
        weighted += values[n] * rule(400, n);
        absolute += std::abs(values[n]);
    }
    const auto recorded = [&](const char* field) -> std::complex<double> {
        const auto& v = expected[field];
        return v.is_array() ? std::complex<double>(v[0], v[1]) : std::complex<double>(v.get<double>());
    };
    if (sum != recorded("sum")) return "sum";
    if (weighted != recorded("wsum")) return "wsum";
    if constexpr (std::is_same_v<T, double>) {
        if (expected.contains("abssum") && absolute != expected["abssum"].get<double>()) return "abssum";
        if (expected.contains("data"))
            for (std::size_t n = 0; n < values.size(); ++n)
                if (values[n] != expected["data"][n].get<double>()) return "data";
    }
    return "";
}

/// The subscripts of a case in a dialect: the equation, or the interleaved lists (as lists in the NumPy
/// dialect, as the equivalent equation in the strict one).
inline tensor_network::Subscripts case_subscripts(const nlohmann::json& c, tensor_network::Dialect dialect) {
    if (!c["equation"].is_null())
        return tensor_network::Subscripts::parse(c["equation"].get<std::string>(), dialect);
    if (dialect == tensor_network::Dialect::Strict)
        return tensor_network::Subscripts::parse(c["equation_equiv"].get<std::string>(), dialect);
    const auto list = [](const nlohmann::json& items) {
        std::vector<int> labels;
        for (const auto& item : items)
            labels.push_back(item.is_string() ? tensor_network::kInterleavedEllipsis : item.get<int>());
        return labels;
    };
    std::vector<std::vector<int>> inputs;
    for (const auto& items : c["interleaved"]["inputs"]) inputs.push_back(list(items));
    std::optional<std::vector<int>> output;
    if (!c["interleaved"]["output"].is_null()) output = list(c["interleaved"]["output"]);
    return tensor_network::Subscripts::interleaved(inputs, output);
}

}  // namespace tenferro::test
