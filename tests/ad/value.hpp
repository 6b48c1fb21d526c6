// Value: a tensor of any dtype as numbers that tests compute with, and where drawn elements lie.
#pragma once

#include <complex>
#include <span>
#include <vector>

#include "support/random_layout.hpp"
#include "tenferro/tensor/tensor.hpp"

namespace tenferro::ad {

/// Magnitudes of real elements, or of both parts of complex ones, and whether they have signs. Elements are
/// exact in F32.
struct Domain {
    double low = 0, high = 0;
    bool signs = false;
    /// Elements differ by a tenth of the range over their number at least.
    bool distinct = false;
};
inline constexpr Domain kAnywhere{0.3, 1.5, true}, kPositive{0.5, 2, false}, kUnit{0.2, 0.7, true},
    kAboveOne{1.4, 2.5, false}, kDirection{0, 1, true}, kDistinct{-2, 2, false, true};

/// Elements in column-major order.
struct Value {
    DType dtype = DType::F64;
    Dims shape;
    std::vector<std::complex<double>> elements;
};

[[nodiscard]] Value drawn(test::Draw& draw, DType dtype, const Dims& shape, const Domain& domain);
[[nodiscard]] Tensor to_tensor(const Value& value);
[[nodiscard]] Value to_value(const Tensor& tensor);
/// a + factor * b.
[[nodiscard]] Value moved(const Value& a, double factor, const Value& b);
/// Re(sum of conj(a) b).
[[nodiscard]] double inner(const Value& a, const Value& b);
/// The 2-norm.
[[nodiscard]] double norm(const Value& a);
[[nodiscard]] double largest(std::span<const Value> values);

/// The shapes are equal and elements differ by at most `tolerance`.
void expect_close(const Value& actual, const Value& expected, double tolerance, const char* what);

}  // namespace tenferro::ad
