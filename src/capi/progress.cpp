// The thread's callback.
#include "tenferro/capi/progress.hpp"

#include "base/thread_value.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi {

namespace {

struct Watcher {
    tfe_progress_fn callback = nullptr;
    void* user = nullptr;
    bool asking = false;
};
Watcher& watcher() noexcept { return thread_value<Watcher>(); }

}  // namespace

Watch::Watch(std::int32_t phase) {
    if (watcher().callback == nullptr || watcher().asking) return;
    told_.emplace(*this, phase);
    options_.cancellation = CancellationToken::asking([this] { return ask(); });
    options_.progress = &told_->progress;
    options_.search = &told_->search;
}

void Watch::Tell::operator()(std::size_t done, std::size_t total) const noexcept {
    watch.told_->now = {sizeof(tfe_progress), TFE_PHASE_RUN, 0, done, total, 0, 0, 0, 0, 0};
}

void Watch::TellSearch::operator()(const tensor_network::SearchProgress& found) const noexcept {
    tfe_progress& now = watch.told_->now;
    now.seconds_elapsed = found.elapsed;
    now.seconds_left = found.left;
    now.best_seconds = found.best_seconds;
    now.best_flops = found.best_flops;
    now.best_peak_bytes = found.best_peak_bytes;
}

bool Watch::ask() const {
    if (watcher().callback == nullptr) return false;  // it took itself away
    struct Asking {
        Asking() noexcept { watcher().asking = true; }
        ~Asking() { watcher().asking = false; }
    };
    const Asking asking;
    return watcher().callback(&told_->now, watcher().user) != 0;
}

}}}  // namespace tenferro::TENFERRO_ABI::capi

void tfe_set_progress(tfe_progress_fn callback, void* user) {
    tenferro::capi::Watcher& watcher = tenferro::capi::watcher();
    watcher.callback = callback;
    watcher.user = user;
}
