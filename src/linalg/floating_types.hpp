// The element types of linear algebra as a list for explicit instances.
#pragma once

#include <complex>

/// `macro(T)` for every element type.
#define TENFERRO_FLOATING_TYPES(macro) \
    macro(float) macro(double) macro(std::complex<float>) macro(std::complex<double>)
