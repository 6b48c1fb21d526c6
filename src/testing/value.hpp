// Value: a tensor of any dtype as numbers that checks compute with.
#pragma once

#include <complex>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "tenferro/tensor/tensor.hpp"
#include "tenferro/testing/gradcheck.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace gradcheck {

/// Elements in column-major order.
struct Value {
    DType dtype = DType::F64;
    Dims shape;
    std::vector<std::complex<double>> elements;
};

[[nodiscard]] Value drawn(std::mt19937_64& random, DType dtype, const Dims& shape, const Domain& domain);
[[nodiscard]] Tensor to_tensor(const Value& value);
[[nodiscard]] Value to_value(const Tensor& tensor);
/// a + factor * b.
[[nodiscard]] Value moved(const Value& a, double factor, const Value& b);
/// Re(sum of conj(a) b).
[[nodiscard]] double inner(const Value& a, const Value& b);
/// The 2-norm.
[[nodiscard]] double norm(const Value& a);
[[nodiscard]] double largest(std::span<const Value> values);

/// Empty where the shapes are equal and elements differ by at most `tolerance`, else what differs.
[[nodiscard]] std::string difference_text(const Value& actual, const Value& expected, double tolerance);

}}}  // namespace tenferro::TENFERRO_ABI::gradcheck
