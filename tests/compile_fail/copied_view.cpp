// A view of a temporary cannot be copied from it either; one of a tensor with a name can.
#include "tenferro/tensor/creation.hpp"
#include "tenferro/tensor/typed_tensor.hpp"

double use() {
#if defined(FORBIDDEN)
    const tenferro::TensorRead view = tenferro::scalar(1.5);
#else
    const tenferro::Tensor number = tenferro::scalar(1.5);
    const tenferro::TensorRead view = number;
#endif
    return view.item();
}
