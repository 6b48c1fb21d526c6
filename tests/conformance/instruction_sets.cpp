// The dispatch of Highway, restricted by what Highway offers for tests.
#include "tenferro/cpu/contraction/highway_targets.hpp"
// The list of targets comes before anything of Highway.
#include <hwy/highway.h>

#include <stdexcept>
#include <vector>

#include "conformance/instruction_sets.hpp"

namespace tenferro::conformance {

namespace {

/// A mask of 0 stands for all that the processor has.
void dispatch_to(std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

struct AllTargets {
    ~AllTargets() { dispatch_to(0); }
};

}  // namespace

void for_each_instruction_set(FunctionRef<void(const char* name)> f) {
    const AllTargets restored;
    const std::vector<std::int64_t> targets = hwy::SupportedAndGeneratedTargets();
    if (targets.empty())
        throw std::logic_error("the kernels are compiled for no instruction set of this processor");
    for (const std::int64_t target : targets) {
        dispatch_to(target);
        f(hwy::TargetName(target));
    }
}

}  // namespace tenferro::conformance
