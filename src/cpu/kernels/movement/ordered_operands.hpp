// The operands of operations element by element, of which some lie otherwise than the output.
#pragma once

#include <array>
#include <optional>

#include "tenferro/cpu/cpu_context.hpp"
#include "tenferro/tensor/tensor_read.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

using OperandPointers = SmallVector<const TensorRead*, 8>;

/// Up to kMost operands of the output's shape; those that repeat elements in another order than the output's
/// are copies in its order, in scratch memory of the thread that makes them.
class OrderedOperands {
public:
    static constexpr std::size_t kMost = 8;

    OrderedOperands(const TensorRead& out, OperandPointers operands, CpuContext& context);

    /// Puts one of those whose lines lie across the output's where the result goes, which then is that
    /// operand: what copies do in registers, walks would do element by element.
    void use_output(CpuContext& context);

    [[nodiscard]] const TensorRead& operator[](std::size_t k) const noexcept { return *operands_[k]; }

private:
    const TensorRead& out_;
    OperandPointers operands_;
    std::array<std::optional<TensorRead>, kMost> moved_;
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
