// The state behind the copies of a token: a flag, and a question for one thread.
#include "tenferro/base/cancellation.hpp"

#include <atomic>
#include <thread>
#include <utility>

#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

struct CancellationToken::State {
    std::atomic<bool> cancelled{false};
    std::function<bool()> question;
    std::thread::id asked = std::this_thread::get_id();
};

CancellationToken CancellationToken::cancellable() { return CancellationToken(std::make_shared<State>()); }

CancellationToken CancellationToken::asking(std::function<bool()> question) {
    CancellationToken token = cancellable();
    token.state_->question = std::move(question);
    return token;
}

void CancellationToken::cancel() const noexcept {
    if (state_ != nullptr) state_->cancelled.store(true, std::memory_order_relaxed);
}

bool CancellationToken::look() const {
    if (state_->cancelled.load(std::memory_order_relaxed)) return true;
    if (!state_->question || std::this_thread::get_id() != state_->asked || !state_->question()) return false;
    cancel();
    return true;
}

void CancellationToken::stop(std::string_view op) {
    throw Error(ErrorKind::Cancelled, op, "cancelled by the caller");
}

}}  // namespace tenferro::TENFERRO_ABI
