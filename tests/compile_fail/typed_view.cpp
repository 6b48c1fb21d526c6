// A tensor of static type is an owner like any other.
#include "tenferro/tensor/typed_tensor.hpp"

double use() {
#if defined(FORBIDDEN)
    const tenferro::TensorRead view = tenferro::TypedTensor<double, 1>::zeros({1});
#else
    const tenferro::TypedTensor<double, 1> owner = tenferro::TypedTensor<double, 1>::zeros({1});
    const tenferro::TensorRead view = owner;
#endif
    return view.item();
}
