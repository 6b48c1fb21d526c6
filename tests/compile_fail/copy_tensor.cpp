// Copies of tensors are explicit.
#include "tenferro/tensor/tensor.hpp"

tenferro::Tensor use(const tenferro::Tensor& a) {
#if defined(FORBIDDEN)
    return a;
#endif
    return a.duplicate();
}
