// The state behind the copies of a token: a flag, and a question for one thread.
#include "tenferro/base/cancellation.hpp"

#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
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

/// Of the clock that advances by ticks: kernels look every few hundred nanoseconds, and the exact one takes a
/// tenth of that.
std::int64_t milliseconds() noexcept {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1000000;
}

}  // namespace

struct CancellationToken::State {
    std::atomic<bool> cancelled{false};
    std::function<bool()> question;
    std::thread::id asked = std::this_thread::get_id();
    std::int64_t patience = 0;
    std::int64_t next = 0;  ///< when to ask; of the thread `asked` alone
};

CancellationToken CancellationToken::cancellable() try {
    return CancellationToken(std::make_shared<State>());
} catch (const std::bad_alloc&) {
    throw_out_of_memory("CancellationToken");
}

CancellationToken CancellationToken::asking(std::function<bool()> question,
                                            std::chrono::milliseconds patience) try {
    CancellationToken token = cancellable();
    State& state = *token.state_;
    state.question = std::move(question);
    constexpr std::int64_t kLongest = std::int64_t{1} << 52;  // the clock's count plus it is no overflow
    state.patience = std::min<std::int64_t>(patience.count(), kLongest);
    if (state.patience > 0) state.next = milliseconds() + state.patience;
    return token;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("CancellationToken");
}

void CancellationToken::cancel() const noexcept {
    if (state_ != nullptr) state_->cancelled.store(true, std::memory_order_relaxed);
}

bool CancellationToken::glance() const noexcept {
    const State& state = *state_;
    if (state.cancelled.load(std::memory_order_relaxed)) return true;
    if (!state.question || std::this_thread::get_id() != state.asked) return false;
    return state.patience <= 0 || milliseconds() >= state.next;
}

bool CancellationToken::look() const {
    State& state = *state_;
    if (state.cancelled.load(std::memory_order_relaxed)) return true;
    const Unwatched unwatched;
    if (state.patience > 0) state.next = milliseconds() + state.patience;
    if (!state.question()) return false;
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

bool CancellationScope::is_due() const noexcept {
    return (token_ != nullptr && token_->is_due()) || (others_ != nullptr && others_->is_due()) ||
           (outer_ != nullptr && outer_->is_due());
}

}}  // namespace tenferro::TENFERRO_ABI
