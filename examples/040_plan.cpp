// Planning once and running many times: the cost of a chain of matrices, then its value and gradient in one
// session. Expected: 3 operands, 64 flops, value 64
#include <cstdio>
#include <vector>

#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/einsum/plan.hpp"

using namespace tenferro;

int main() {
    const std::vector<Dims> shapes{{4, 4}, {4, 4}, {4}};
    const tensor_network::EinsumPlan plan(tensor_network::Subscripts::parse("ij,jk,k->i"),
                                          shapes);  // contracts the vector first

    const auto backend = CpuBackend::with_threads(2);
    std::vector<Tensor> tensors;
    std::vector<TensorRead> operands;
    for (const Dims& shape : shapes)
        tensors.push_back(Tensor::from_data<double>(
            std::vector<double>(static_cast<std::size_t>(element_count(shape, "example")), 1.0), shape));
    for (const Tensor& tensor : tensors) operands.push_back(tensor.read());

    backend->with_backend_session([&](BackendSession& session) {
        const Tensor value = plan.run(session, operands);
        const std::vector<Tensor> gradients = plan.vjp(session, operands, value);
        double sum = 0;
        for (int i = 0; i < 4; ++i) sum += value.data_as<double>()[i];
        std::printf("%zu operands, %.0f flops, value %g, gradient of the first matrix is %zu-dimensional\n",
                    shapes.size(), plan.cost().flops, sum, gradients[0].rank());
    });
    return 0;
}
