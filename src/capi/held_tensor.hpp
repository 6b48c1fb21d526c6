// HeldTensor: a tensor as a handle keeps it, together with the compact copy that C callers see of a strided import.
#pragma once

#include <atomic>

#include "tenferro/tensor/tensor.hpp"

namespace tenferro::inline TENFERRO_ABI::capi {

class HeldTensor : public Tensor {
public:
    HeldTensor() noexcept = default;
    HeldTensor& operator=(Tensor&& tensor) noexcept;
    HeldTensor& operator=(HeldTensor&&) noexcept;
    ~HeldTensor();

    /// The elements as a compact tensor: this one, or a copy made at the first call, which lives as long as this tensor.
    [[nodiscard]] const Tensor& compact() const;

private:
    mutable std::atomic<const Tensor*> copy_{nullptr};
};

}  // namespace tenferro::inline TENFERRO_ABI::capi
