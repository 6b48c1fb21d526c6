// The compact copy is published with one compare-exchange: threads that ask at once may each make one, but all get the same.
#include "capi/held_tensor.hpp"

#include <memory>

#include "tenferro/base/fault.hpp"

namespace tenferro::inline TENFERRO_ABI::capi {

HeldTensor& HeldTensor::operator=(Tensor&& tensor) noexcept {
    delete copy_.exchange(nullptr, std::memory_order_relaxed);
    Tensor::operator=(std::move(tensor));
    return *this;
}

HeldTensor& HeldTensor::operator=(HeldTensor&& other) noexcept {
    const Tensor* copy = other.copy_.exchange(nullptr, std::memory_order_relaxed);
    *this = static_cast<Tensor&&>(other);
    copy_.store(copy, std::memory_order_relaxed);
    return *this;
}

HeldTensor::~HeldTensor() { delete copy_.load(std::memory_order_relaxed); }

const Tensor& HeldTensor::compact() const {
    if (is_compact()) return *this;
    if (const Tensor* made = copy_.load(std::memory_order_acquire)) return *made;
    fault::point();
    auto fresh = std::make_unique<const Tensor>(duplicate());
    const Tensor* first = nullptr;
    if (copy_.compare_exchange_strong(first, fresh.get(), std::memory_order_acq_rel, std::memory_order_acquire))
        return *fresh.release();
    return *first;
}

}  // namespace tenferro::inline TENFERRO_ABI::capi
