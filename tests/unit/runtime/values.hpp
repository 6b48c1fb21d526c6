// Small tensors and their values in tests of traced and eager tensors.
#pragma once

#include <random>
#include <vector>

#include "tenferro/tensor/tensor.hpp"

namespace tenferro::test {

inline Tensor tensor_of(std::vector<double> values, std::vector<Index> shape) {
    return Tensor::from_data<double>(values, shape);
}
inline Tensor scalar_of(double value) { return tensor_of({value}, {}); }

inline std::vector<double> values_of(const Tensor& a) {
    const double* data = a.data_as<double>();
    return {data, data + a.size()};
}

/// Values in (low, high) from a fixed seed.
inline Tensor random_tensor(const std::vector<Index>& shape, unsigned seed, double low = -1,
                            double high = 1) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> draw(low, high);
    std::vector<double> values(
        static_cast<std::size_t>(element_count(std::span<const Index>(shape), "test")));
    for (double& value : values) value = draw(random);
    return tensor_of(values, shape);
}

}  // namespace tenferro::test
