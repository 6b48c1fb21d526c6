// When two results count as the same.
#pragma once

#include "tenferro/tensor/tensor.hpp"

namespace tenferro::conformance {

/// Fails the test unless both are compact, of one shape and dtype, and their elements within `ulps` of each
/// other, see Sample::ulps.
void expect_same(const Tensor& actual, const Tensor& expected, double ulps);

}  // namespace tenferro::conformance
