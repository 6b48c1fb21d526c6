// A tensor of static rank takes as many indices as it has axes.
#include "tenferro/tensor/typed_tensor.hpp"

double use(const tenferro::TypedTensor<double, 2>& matrix) {
#if defined(FORBIDDEN)
    return matrix(1);
#endif
    return matrix(1, 0);
}
