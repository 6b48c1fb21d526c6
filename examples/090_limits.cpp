// A network that must not take more memory than it is given, with progress: the plan is sliced to meet the
// limit and tells after every step how far it is. Expected: the same value; 100 % done
#include <cstdio>
#include <vector>

#include "tenferro/api/engine.hpp"
#include "tenferro/einsum/plan.hpp"

using namespace tenferro;

int main() {
    const auto subscripts = tensor_network::Subscripts::parse("ab,bc,cd,da->");
    const std::vector<Dims> shapes(4, Dims{64, 64});
    std::vector<Tensor> tensors;
    for (const Dims& shape : shapes) {
        const std::vector<double> ones(static_cast<std::size_t>(element_count(shape, "example")), 1);
        tensors.push_back(Tensor::from_data<double>(ones, shape));
    }
    const std::vector<TensorRead> operands(tensors.begin(), tensors.end());

    std::size_t percent = 0;
    auto report = [&](std::size_t done, std::size_t total) { percent = 100 * done / total; };
    const tensor_network::Progress progress(report);
    const auto run = [&](const tensor_network::EinsumPlan& plan) {
        return default_engine().backend().with_backend_session([&](BackendSession& session) {
            return *plan.run(session, operands, {.progress = &progress}).data_as<double>();
        });
    };

    const tensor_network::EinsumPlan plan(subscripts, shapes);
    tensor_network::PathOptions options;
    options.memory_limit_bytes = 10000;
    const tensor_network::EinsumPlan limited(subscripts, shapes, options);
    std::printf("%g slice: %g bytes; %g slices: at most %g bytes; ", plan.cost().slices,
                plan.cost().peak_bytes, limited.cost().slices, limited.cost().peak_bytes);
    const bool same = run(plan) == run(limited);
    std::printf("%s value; %zu %% done\n", same ? "the same" : "another", percent);
}
