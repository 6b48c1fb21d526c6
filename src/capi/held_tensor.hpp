// HeldTensor: a tensor as a handle keeps it, together with the compact copy that C callers see of a strided
// import.
#pragma once

#include <atomic>
#include <utility>

#include "tenferro/tensor/tensor.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi {

class HeldTensor : public Tensor {
public:
    explicit HeldTensor(Tensor&& tensor) noexcept : Tensor(std::move(tensor)) {}
    HeldTensor(const HeldTensor&) = delete;
    HeldTensor& operator=(const HeldTensor&) = delete;
    ~HeldTensor() { delete copy_.load(std::memory_order_relaxed); }

    /// The elements as a compact tensor: this one, or a copy made at the first call, which lives as long as
    /// this tensor.
    [[nodiscard]] const Tensor& compact() const;

private:
    mutable std::atomic<const Tensor*> copy_{nullptr};
};

}}}  // namespace tenferro::TENFERRO_ABI::capi
