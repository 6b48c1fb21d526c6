// Clock: the one deadline of a whole planning, shared by all searches that it takes; its cancellation, and
// whom it tells what was found.
#pragma once

#include <algorithm>
#include <chrono>
#include <utility>

#include "einsum/path_search/report.hpp"
#include "tenferro/base/cancellation.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

class Clock {
public:
    /// Begins now; `seconds` 0 or less: there is no deadline.
    explicit Clock(double seconds, CancellationToken cancellation = {}, Report* report = nullptr)
        : seconds_(seconds),
          cancellation_(std::move(cancellation)),
          report_(report),
          finds_(report),
          start_(Steady::now()) {}

    [[nodiscard]] bool has_deadline() const noexcept { return seconds_ > 0; }
    [[nodiscard]] double elapsed() const {
        return std::chrono::duration<double>(Steady::now() - start_).count();
    }
    [[nodiscard]] double left() const { return seconds_ - elapsed(); }
    /// Throws Cancelled where the result is no longer wanted.
    [[nodiscard]] bool expired() const {
        cancellation_.check("einsum");
        CancellationScope::check_current();
        if (report_ != nullptr) report_->pass_time();
        return has_deadline() && left() <= 0;
    }

    /// A clock that ends when `share` of what is left has passed; one without a deadline if this has none.
    [[nodiscard]] Clock part(double share) const {
        Clock part(has_deadline() ? std::max(share * left(), kInstant) : 0, cancellation_, report_);
        part.finds_ = finds_;
        return part;
    }
    /// The same for the search of a part of the network, whose orders are not what the planning has found.
    [[nodiscard]] Clock of_part() const {
        Clock part = *this;
        part.finds_ = nullptr;
        return part;
    }
    /// Takes notice of the best order so far; on the thread that plans.
    void found(double seconds, double flops, double peak_bytes, double slices = 1) const {
        if (finds_ != nullptr) finds_->found(seconds, flops, peak_bytes, slices);
    }

private:
    using Steady = std::chrono::steady_clock;
    /// An expired clock's parts are expired too, not without a deadline.
    static constexpr double kInstant = 1e-9;

    double seconds_;
    CancellationToken cancellation_;
    Report* report_;
    Report* finds_;  ///< null where orders found are not those of the planning
    Steady::time_point start_;
};

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
