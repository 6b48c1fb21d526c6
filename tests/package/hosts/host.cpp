// The RAII layer, in the standard of the project that uses it.
#include <tenferro_raii.hpp>

static_assert(__cplusplus < 202002L, "the target must not raise the standard of C++");

int main() {
    const tfe::Tensor<double> a({1, 2}, {2});
    return tfe::einsum("i,i->", a, a).item() == 5 ? 0 : 1;
}
