// Values and programs on them, for tests that know the derivatives.
#pragma once

#include "ad/samples.hpp"
#include "testing/derivatives.hpp"

namespace tenferro::ad {

using gradcheck::run;
using gradcheck::Value;

/// The shapes are equal and elements differ by at most `tolerance`.
void expect_close(const Value& actual, const Value& expected, double tolerance, const char* what);
/// The backend of all checks that name no other.
[[nodiscard]] TensorBackend& cpu();

}  // namespace tenferro::ad
