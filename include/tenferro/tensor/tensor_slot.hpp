// TensorSlot: a value of a running program: a tensor that a step made, a view into one, or an input that
// belongs to the caller.
#pragma once

#include <optional>

#include "tenferro/tensor/tensor.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

class TensorSlot {
public:
    /// Nothing. Not defaulted: value-initialisation would clear the room of both optionals first.
    TensorSlot() noexcept {}  // NOLINT(modernize-use-equals-default)
    /// The caller's, which must outlive the slot.
    static TensorSlot borrowing(const TensorRead& input) noexcept {
        TensorSlot slot;
        slot.input_ = &input;
        return slot;
    }
    static TensorSlot owning(Tensor&& tensor) {
        TensorSlot slot;
        slot.owner_.emplace(std::move(tensor));
        return slot;
    }
    /// A view into the memory of `source`, which stays alive as long as this slot.
    static TensorSlot seeing(const TensorSlot& source, TensorRead view) {
        TensorSlot slot;
        slot.see(source, std::move(view));
        return slot;
    }

    // These fill an empty slot where it is.
    Tensor& own(Tensor&& tensor) { return owner_.emplace(std::move(tensor)); }
    /// Owns an empty tensor, which the caller replaces.
    [[nodiscard]] Tensor& own_result() { return owner_.emplace(); }
    /// As seeing().
    void see(const TensorSlot& source, TensorRead view) {
        if (source.owner_) owner_.emplace(source.owner_->share());
        seen_.emplace(std::move(view));
    }
    void clear() noexcept {
        owner_.reset();
        seen_.reset();
        input_ = nullptr;
    }

    /// Null when there is nothing.
    [[nodiscard]] const TensorRead* view() const noexcept {
        return seen_ ? &*seen_ : owner_ ? &owner_->read() : input_;
    }
    /// The tensor when the slot holds one and all of it as it is, else null.
    [[nodiscard]] Tensor* whole() noexcept {
        const bool all =
            owner_ && (!seen_ || (owner_->data() == seen_->data() && owner_->shape() == seen_->shape() &&
                                  owner_->strides() == seen_->strides()));
        return all ? &*owner_ : nullptr;
    }

private:
    std::optional<Tensor> owner_;     // of the memory, when a step made it
    std::optional<TensorRead> seen_;  // how that memory, or an input's, is seen, where not as a whole
    const TensorRead* input_ = nullptr;
};

}}  // namespace tenferro::TENFERRO_ABI
