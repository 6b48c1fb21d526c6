// Clock: the one deadline of a whole planning, shared by all searches that it takes; and its cancellation.
#pragma once

#include <algorithm>
#include <chrono>
#include <utility>

#include "tenferro/base/cancellation.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

class Clock {
public:
    /// Begins now; `seconds` 0 or less: there is no deadline.
    explicit Clock(double seconds, CancellationToken cancellation = {})
        : seconds_(seconds), cancellation_(std::move(cancellation)), start_(Steady::now()) {}

    [[nodiscard]] bool has_deadline() const noexcept { return seconds_ > 0; }
    [[nodiscard]] double elapsed() const {
        return std::chrono::duration<double>(Steady::now() - start_).count();
    }
    [[nodiscard]] double left() const { return seconds_ - elapsed(); }
    /// Throws Cancelled where the result is no longer wanted.
    [[nodiscard]] bool expired() const {
        cancellation_.check("einsum");
        return has_deadline() && left() <= 0;
    }

    /// A clock that ends when `share` of what is left has passed; one without a deadline if this has none.
    [[nodiscard]] Clock part(double share) const {
        return Clock(has_deadline() ? std::max(share * left(), kInstant) : 0, cancellation_);
    }

private:
    using Steady = std::chrono::steady_clock;
    /// An expired clock's parts are expired too, not without a deadline.
    static constexpr double kInstant = 1e-9;

    double seconds_;
    CancellationToken cancellation_;
    Steady::time_point start_;
};

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
