// Slicing for reverse mode: the memory limit of the contraction is lowered until what its gradients take is
// low enough. What a slice makes forward is computed again in each, instead of being kept for all.
#include <algorithm>
#include <limits>

#include "einsum/program_cost.hpp"
#include "einsum/slicing/slicing.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

double vjp_peak(const Network& network, const SlicedTree& chosen, DType dtype) {
    return chosen.labels.empty() ? program_cost(vjp_program(lower(network, chosen.tree)), dtype).peak_bytes
                                 : SlicedPrograms(network, chosen).vjp_cost(dtype).peak_bytes;
}

}  // namespace

SlicedTree find_tree_within_limits(const Network& network, const PathOptions& options) {
    Report report(options.progress, options.deadline);
    const Clock clock(options.deadline, options.cancellation, &report);
    SlicedTree chosen = find_sliced_tree(network, options, clock);
    if (options.vjp_memory_limit_bytes == 0) return chosen;
    const auto limit = static_cast<double>(options.vjp_memory_limit_bytes);
    double least = std::numeric_limits<double>::infinity();
    PathOptions tighter = options;
    for (;;) {
        chosen.concurrent = 1;
        const double peak = vjp_peak(network, chosen, options.dtype);
        if (peak <= limit) return chosen;
        least = std::min(least, peak);
        tighter.memory_limit_bytes = static_cast<std::int64_t>(std::min(chosen.cost.peak_bytes / 2, 9e18));
        try {
            if (tighter.memory_limit_bytes > 0) {
                chosen = find_sliced_tree(network, tighter, clock);
                continue;
            }
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::Unsupported) throw;
        }
        throw Error(ErrorKind::Unsupported, "einsum",
                    text("the memory limit of reverse mode is ", options.vjp_memory_limit_bytes,
                         " bytes but the lowest peak found is ",
                         static_cast<std::int64_t>(std::min(least, 9e18)), " bytes"));
    }
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
