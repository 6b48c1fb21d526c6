// A view of a temporary tensor would dangle; passing the temporary as an argument is fine.
#include "tenferro/tensor/tensor.hpp"

tenferro::Index size_of(const tenferro::TensorRead& view) { return view.size(); }
tenferro::Tensor make() { return tenferro::Tensor(); }

tenferro::Index use() {
#if defined(FORBIDDEN)
    const tenferro::TensorRead& view = make().read();
    return view.size();
#endif
    return size_of(make());
}
