// A list of views cannot be made from temporaries; a list of operands can, and keeps them.
#include <vector>

#include "tenferro/tensor/creation.hpp"
#include "tenferro/tensor/operand.hpp"

std::size_t use(const tenferro::Tensor& x) {
#if defined(FORBIDDEN)
    const std::vector<tenferro::TensorRead> in{tenferro::scalar(1.5), x};
#else
    const std::vector<tenferro::Operand> in{tenferro::scalar(1.5), x};
#endif
    return in.size();
}
