// Elements seen through a TensorRead cannot be changed; those of a TensorWrite can.
#include "tenferro/tensor/tensor_read.hpp"

void use(const tenferro::TensorRead& source, const tenferro::TensorWrite& target) {
#if defined(FORBIDDEN)
    source.data_as<double>()[0] = 1;
#endif
    target.data_as<double>()[0] = source.data_as<double>()[0];
}
