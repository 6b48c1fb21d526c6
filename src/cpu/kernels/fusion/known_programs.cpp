// A program names lines, not addresses: it depends on the plan, on how tensors are lines and on which input
// an output overwrites.
#include "cpu/kernels/fusion/known_programs.hpp"

#include <array>
#include <cstdint>

#include "base/thread_value.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

/// What a program depends on of one tensor.
struct Role {
    LineSource source;
    bool streams;
    std::uint16_t output;  // of an input: 1 + the number of the output in its memory, or 0

    friend bool operator==(const Role&, const Role&) = default;
};
using Roles = SmallVector<Role, 32>;

Roles roles_of(const FusedTensors& tensors, std::size_t outputs) {
    Roles roles;
    roles.reserve(tensors.size());
    for (std::size_t k = 0; k < tensors.size(); ++k) {
        Role role{tensors[k].source, tensors[k].streams, 0};
        for (std::size_t out = 0; k >= outputs && out < outputs; ++out)
            if (tensors[out].data == tensors[k].data) role.output = static_cast<std::uint16_t>(out + 1);
        roles.push_back(role);
    }
    return roles;
}

struct Known {
    std::uint64_t plan;
    Roles roles;
    FusedProgram program;
};

/// Of a thread, by the numbers of plans.
struct KnownPrograms {
    std::array<std::shared_ptr<const Known>, 16> at;
};

}  // namespace

std::shared_ptr<const FusedProgram> program_of(const ElementwiseFusionPlan& plan,
                                               const FusedTensors& tensors) {
    const Roles roles = roles_of(tensors, plan.outputs().size());
    auto& at = thread_value<KnownPrograms>().at;
    std::shared_ptr<const Known>& known = at[plan.number() % at.size()];
    if (!known || known->plan != plan.number() || !(known->roles == roles))
        known = std::make_shared<const Known>(Known{plan.number(), roles, FusedProgram(plan, tensors)});
    // Shared, since who is asked in the middle of a run whether to go on may run other plans here.
    return {known, &known->program};
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
