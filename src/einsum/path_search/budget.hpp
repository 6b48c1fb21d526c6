// Budget: how long a search goes on, counted in estimated work so that it does not depend on the machine, or
// by the clock.
#pragma once

#include <algorithm>
#include <chrono>

#include "tenferro/einsum/path_search.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace einsum {

class Budget {
public:
    explicit Budget(const PathOptions& options) : deadline_(options.deadline), start_(Clock::now()) {}

    /// Takes notice of work done that costs about this many seconds.
    void charge(double seconds) noexcept { work_ += seconds; }
    /// Seconds left by the clock; or of work, of which there is a twentieth of the predicted time of the
    /// contraction, but at least `least` and at most kMostWork.
    [[nodiscard]] double left(double predicted_seconds, double least) const {
        if (by_clock()) return deadline_ - elapsed();
        return std::clamp(kShareOfContraction * predicted_seconds, std::min(least, kMostWork), kMostWork) -
               work_;
    }
    [[nodiscard]] bool by_clock() const noexcept { return deadline_ > 0; }
    [[nodiscard]] bool expired() const { return by_clock() && elapsed() >= deadline_; }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr double kShareOfContraction = 0.05;
    static constexpr double kMostWork = 1;

    [[nodiscard]] double elapsed() const {
        return std::chrono::duration<double>(Clock::now() - start_).count();
    }

    double deadline_;
    Clock::time_point start_;
    double work_ = 0;
};

}}}  // namespace tenferro::TENFERRO_ABI::einsum
