// Budget: how long a search goes on, counted in estimated work so that it does not depend on the machine, or
// by the clock.
#pragma once

#include <algorithm>
#include <cstddef>

#include "einsum/path_search/clock.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

class Budget {
public:
    /// For so many tensors; `effort` is the share of an ordinary search's work.
    Budget(const Clock& clock, std::size_t tensors, double effort = 1)
        : clock_(clock),
          least_(std::min(kLeastWorkPerTensor * static_cast<double>(tensors), kMostWork)),
          effort_(effort),
          begin_(clock.elapsed()) {}

    /// Takes notice of work done that costs about this many seconds.
    void charge(double seconds) noexcept { work_ += seconds; }
    /// Seconds left by the clock; or of work, see total().
    [[nodiscard]] double left(double predicted_seconds) const {
        return by_clock() ? clock_.left() : total(predicted_seconds) - work_;
    }
    /// Share of the budget that is used up; at least 1 when it is spent.
    [[nodiscard]] double used(double predicted_seconds) const {
        if (!by_clock()) return work_ / total(predicted_seconds);
        const double passed = clock_.elapsed() - begin_, left = clock_.left();
        return left <= 0 ? 1 : passed / (passed + left);
    }
    [[nodiscard]] bool by_clock() const noexcept { return clock_.has_deadline(); }
    /// Throws Cancelled as the clock does.
    [[nodiscard]] bool expired() const { return clock_.expired(); }

private:
    static constexpr double kShareOfContraction = 0.05;
    static constexpr double kMostWork = 1;
    /// Work that a search may do however cheap the contraction is, in estimated seconds.
    static constexpr double kLeastWorkPerTensor = 250e-6;

    /// A twentieth of the predicted time of the contraction, within bounds.
    double total(double predicted_seconds) const {
        return effort_ * std::clamp(kShareOfContraction * predicted_seconds, least_, kMostWork);
    }

    const Clock& clock_;
    double least_, effort_, begin_;
    double work_ = 0;
};

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
