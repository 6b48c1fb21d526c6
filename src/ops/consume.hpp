// Owned operands for the forms of a session that consume them, where only some operands may be taken.
#pragma once

#include "tenferro/ops/std_tensor_op.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

/// An operand as a Tensor: the dying one, or a stand-in that lends its memory and that no operation may reuse
/// or keep. Must outlive what it gives.
class Consumable {
public:
    Consumable(const TensorRead& view, Tensor* dying) : dying_(dying) {
        if (dying == nullptr) lend(view);
    }
    Consumable(const Consumable&) = delete;
    Consumable& operator=(const Consumable&) = delete;

    [[nodiscard]] Tensor&& tensor() noexcept { return std::move(dying_ != nullptr ? *dying_ : lent_); }

private:
    void lend(const TensorRead& view) {
        block_.data = static_cast<std::byte*>(const_cast<void*>(view.data()));
        block_.placement = view.placement();
        block_.writable = false;
        block_.release = [](BufferBlock*) noexcept {};
        lent_ = Tensor(Buffer(&block_), view.dtype(), block_.data, view.shape(), view.strides());
    }

    Tensor* dying_;
    BufferBlock block_;
    Tensor lent_;
};

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
