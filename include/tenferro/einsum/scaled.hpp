// Values out of range: a tensor with a common power of two, for contractions whose numbers no floating point
// type holds, such as partition functions of large lattices.
#pragma once

#include <cstdint>

#include "tenferro/tensor/tensor.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// mantissa · 2^exponent. The largest modulus of a result's mantissa is in [1/2, 1); of complex numbers that
/// of a real or imaginary part. A tensor of zeros has exponent 0; where one is not finite, its mantissa may
/// have any size.
struct ScaledTensor {
    Tensor mantissa;
    std::int64_t exponent = 0;
};

/// The same, borrowed.
struct ScaledRead {
    TensorRead mantissa;
    std::int64_t exponent = 0;
};

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
