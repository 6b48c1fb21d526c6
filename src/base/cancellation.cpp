// The state behind the copies of a token: a flag, and a question for one thread.
#include "tenferro/base/cancellation.hpp"

#include <atomic>
#include <new>
#include <thread>
#include <utility>

#include "base/thread_value.hpp"
#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

struct Innermost {
    const CancellationScope* scope = nullptr;
};

/// What a question makes the library do is not watched: it would ask again.
class Unwatched {
public:
    Unwatched() noexcept : before_(std::exchange(thread_value<Innermost>().scope, nullptr)) {}
    ~Unwatched() { thread_value<Innermost>().scope = before_; }
    Unwatched(const Unwatched&) = delete;
    Unwatched& operator=(const Unwatched&) = delete;

private:
    const CancellationScope* before_;
};

}  // namespace

struct CancellationToken::State {
    std::atomic<bool> cancelled{false};
    std::function<bool()> question;
    std::thread::id asked = std::this_thread::get_id();
};

CancellationToken CancellationToken::cancellable() try {
    return CancellationToken(std::make_shared<State>());
} catch (const std::bad_alloc&) {
    throw_out_of_memory("CancellationToken");
}

CancellationToken CancellationToken::asking(std::function<bool()> question) try {
    CancellationToken token = cancellable();
    token.state_->question = std::move(question);
    return token;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("CancellationToken");
}

void CancellationToken::cancel() const noexcept {
    if (state_ != nullptr) state_->cancelled.store(true, std::memory_order_relaxed);
}

bool CancellationToken::look() const {
    if (state_->cancelled.load(std::memory_order_relaxed)) return true;
    if (!state_->question || std::this_thread::get_id() != state_->asked) return false;
    const Unwatched unwatched;
    if (!state_->question()) return false;
    cancel();
    return true;
}

void CancellationToken::stop(std::string_view op) {
    throw Error(ErrorKind::Cancelled, op, "cancelled by the caller");
}

const CancellationScope* CancellationScope::current() noexcept { return thread_value<Innermost>().scope; }

void CancellationScope::enter(const CancellationToken* token, std::string_view op,
                              const CancellationScope* others) noexcept {
    token_ = token;
    op_ = op;
    others_ = others;
    outer_ = std::exchange(thread_value<Innermost>().scope, this);
    entered_ = true;
}

void CancellationScope::leave() noexcept { thread_value<Innermost>().scope = outer_; }

void CancellationScope::check() const {
    if (token_ != nullptr) token_->check(op_);
    if (others_ != nullptr) others_->check();
    if (outer_ != nullptr) outer_->check();
}

}}  // namespace tenferro::TENFERRO_ABI
