// A ring of matrices as a network with integers for labels: planned under a memory limit, watched, cancelled.
// Expected: trace 2, within the limit: yes, steps 11, cancelled
#include <cstdio>
#include <tenferro_raii.hpp>

int main() {
    constexpr int sites = 12;
    std::vector<std::vector<std::int32_t>> labels;
    std::vector<tfe::Tensor<double>> tensors;
    for (int i = 0; i < sites; ++i) {
        labels.push_back({i, (i + 1) % sites});
        tensors.emplace_back(std::vector<double>{0, 1, 1, 0}, tfe::Shape{2, 2});
    }

    tfe::PlanOptions options;
    options.memory_limit = 4096;
    options.objective = TFE_EINSUM_OBJECTIVE_FLOPS;
    const auto plan = tfe::Plan::from_labels(labels, std::vector<tfe::Shape>(sites, {2, 2}), {}, options);

    std::uint64_t steps = 0;
    double trace = 0;
    {
        const tfe::Watch watch([&](const tfe_progress& progress) {
            steps = progress.total;
            return true;  // go on
        });
        trace = plan.run(tensors).item();
    }
    const bool fits = plan.cost().peak_bytes <= 4096;
    std::printf("trace %g, within the limit: %s, steps %d", trace, fits ? "yes" : "no",
                static_cast<int>(steps));

    const tfe::Watch watch([](const tfe_progress& progress) { return progress.done < 3; });
    try {
        plan.run(tensors);
    } catch (const tfe::Error& error) {
        if (error.detail() == TFE_DETAIL_CANCELLED) std::printf(", cancelled\n");
    }
}
