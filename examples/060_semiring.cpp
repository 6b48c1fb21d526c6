// An algebra of one's own: min-plus, in which powers of a matrix of distances are shortest paths, and the
// winner of an element is the stop in between. Expected: distance 5 by way of 1
#include <cstdio>
#include <tenferro/tensor/tensor.hpp>

#include "min_plus.hpp"

int main() {
    const double far = std::numeric_limits<double>::infinity();
    const double roads[] = {0, 2, far, 2, 0, 3, far, 3, 0};  // 0 - 1: 2, 1 - 2: 3
    const tenferro::Tensor step = tenferro::Tensor::from_data<double>(roads, tenferro::Dims{3, 3});
    tenferro::Tensor two = tenferro::Tensor::zeros(tenferro::DType::F64, tenferro::Dims{3, 3});
    tenferro::Tensor stop = tenferro::Tensor::zeros(tenferro::DType::I64, tenferro::Dims{3, 3});
    tenferro::CpuContext context(1);
    const tenferro::DotGeneralConfig matrix_product{{1}, {0}, {}, {}};
    tenferro::cpu::contract(min_plus::kernels(), step, step, matrix_product, two.write(), context);
    tenferro::cpu::contract_winners(min_plus::kernels(), step, step, matrix_product, two, stop.write(),
                                    context);
    std::printf("distance %g by way of %ld\n", two.data_as<double>()[6],
                static_cast<long>(stop.data_as<std::int64_t>()[6]));
}
