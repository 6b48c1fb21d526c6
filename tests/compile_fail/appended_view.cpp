// Nor can it be put into a container.
#include <vector>

#include "tenferro/tensor/creation.hpp"

void use(std::vector<tenferro::TensorRead>& views, const tenferro::Tensor& x) {
#if defined(FORBIDDEN)
    views.push_back(tenferro::scalar(1.5));
#endif
    views.push_back(x);
}
