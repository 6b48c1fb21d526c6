// The compact copy is published with one compare-exchange: threads that ask at once may each make one, but
// all get the same.
#include "capi/held_tensor.hpp"

#include <memory>

#include "tenferro/base/fault.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi {

const Tensor& HeldTensor::compact() const {
    if (is_compact()) return *this;
    if (const Tensor* made = copy_.load(std::memory_order_acquire)) return *made;
    fault::point();
    auto fresh = std::make_unique<const Tensor>(duplicate());
    const Tensor* first = nullptr;
    if (copy_.compare_exchange_strong(first, fresh.get(), std::memory_order_acq_rel,
                                      std::memory_order_acquire))
        return *fresh.release();
    return *first;
}

}}}  // namespace tenferro::TENFERRO_ABI::capi
