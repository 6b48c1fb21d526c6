// Which operands are moved, and where to.
#include "cpu/kernels/movement/ordered_operands.hpp"

#include "cpu/kernels/loops/scratch.hpp"
#include "cpu/kernels/movement/ordered_copy.hpp"
#include "cpu/kernels/movement/streaming.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

OrderedOperands::OrderedOperands(const TensorRead& out, OperandPointers operands, CpuContext& context)
    : out_(out), operands_(std::move(operands)) {
    const auto lines_of = [this](std::size_t k) -> Index {
        if (operands_[k]->strides() == out_.strides()) return 0;
        return (bytes_to_order(*operands_[k], out_.strides()) + kCacheLine - 1) / kCacheLine * kCacheLine;
    };
    Index bytes = 0;
    for (std::size_t k = 0; k < operands_.size(); ++k) bytes += lines_of(k);
    if (bytes == 0) return;
    std::byte* to = scratch(ScratchUse::Tables, static_cast<std::size_t>(bytes));
    for (std::size_t k = 0; k < operands_.size(); ++k) {
        const Index own = lines_of(k);
        if (own != 0)
            operands_[k] = &moved_[k].emplace(copy_in_order(*operands_[k], out_.strides(), to, context));
        to += own;
    }
}

void OrderedOperands::use_output(CpuContext& context) {
    constexpr Index kLeastBytes = 1 << 18;
    if (bytes_of(out_) < kLeastBytes) return;
    std::size_t across = operands_.size();
    for (std::size_t k = 0; k < operands_.size(); ++k) {
        const TensorRead& operand = *operands_[k];
        if (operand.data() == out_.data()) return;
        const bool fits = info(operand.dtype()).bytes == info(out_.dtype()).bytes;
        if (across == operands_.size() && fits && lies_across(operand, out_.strides())) across = k;
    }
    if (across == operands_.size()) return;
    const TensorRead& operand = *operands_[across];
    const TensorWrite to(operand.dtype(), const_cast<void*>(out_.data()), out_.shape(), out_.strides());
    copy(operand, to, context);
    operands_[across] = &moved_[across].emplace(to);
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
