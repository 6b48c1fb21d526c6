// ProgramBuilder: appends steps, numbers slots, derives axes from labels and, at the end, drops steps that no
// output needs and marks the last use of every slot.
#pragma once

#include "tenferro/einsum/program.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// A value in a program and the labels of its axes.
struct LabelledSlot {
    int slot = -1;
    LabelIds labels;
};

class ProgramBuilder {
public:
    ProgramBuilder(int inputs, std::vector<Index> extents);

    LabelledSlot rearrange(const LabelledSlot& in, const LabelIds& out_labels);
    LabelledSlot contract(const LabelledSlot& lhs, const LabelledSlot& rhs, const LabelIds& out_labels);
    LabelledSlot add(const LabelledSlot& lhs, const LabelledSlot& rhs);
    /// Repeats a step of another program on the same slot numbers.
    void replay(const Step& step);

    [[nodiscard]] Program finish(const std::vector<LabelledSlot>& outputs) &&;

private:
    Program program_;
};

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
