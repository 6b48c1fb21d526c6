// Report: what a whole planning has found so far, told to whoever watches it.
#pragma once

#include <chrono>
#include <thread>

#include "tenferro/einsum/search_progress.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

class Report {
public:
    /// Begins now. Nothing is told where `watcher` is null; `deadline` is 0 where there is none.
    Report(const SearchWatcher* watcher, double deadline)
        : watcher_(watcher), deadline_(deadline), start_(Steady::now()), told_(start_) {}

    /// On the thread that plans.
    void found(double seconds, double flops, double peak_bytes, double slices = 1) {
        if (watcher_ == nullptr) return;
        if (now_.best_seconds == seconds && now_.best_flops == flops && now_.best_peak_bytes == peak_bytes &&
            now_.best_slices == slices)
            return;
        now_.best_seconds = seconds;
        now_.best_flops = flops;
        now_.best_peak_bytes = peak_bytes;
        now_.best_slices = slices;
        tell(Steady::now());
    }
    /// On any thread; it is told on the first only.
    void pass_time() {
        if (watcher_ == nullptr || std::this_thread::get_id() != thread_) return;
        if (const auto now = Steady::now(); now - told_ >= kInterval) tell(now);
    }

private:
    using Steady = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds kInterval{100};

    void tell(Steady::time_point now) {
        told_ = now;
        now_.elapsed = std::chrono::duration<double>(now - start_).count();
        now_.left = deadline_ > now_.elapsed ? deadline_ - now_.elapsed : 0;
        (*watcher_)(now_);
    }

    const SearchWatcher* watcher_;
    double deadline_;
    Steady::time_point start_, told_;
    std::thread::id thread_ = std::this_thread::get_id();
    SearchProgress now_;
};

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
