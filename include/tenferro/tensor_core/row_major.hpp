// Row-major strides, for tensors whose elements lie in C order.
#pragma once

#include <algorithm>

#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

[[nodiscard]] inline Dims row_major_strides(const Dims& shape) {
    Dims reversed(shape);
    std::reverse(reversed.begin(), reversed.end());
    Dims strides = column_major_strides(reversed);
    std::reverse(strides.begin(), strides.end());
    return strides;
}

}}  // namespace tenferro::TENFERRO_ABI
