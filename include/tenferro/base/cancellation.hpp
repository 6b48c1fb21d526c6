// CancellationToken: how a long call learns that its result is no longer wanted. Whoever starts the work
// keeps a copy; the work looks at its own between two steps, and several times within a long one, and ends
// with ErrorKind::Cancelled, leaving nothing behind.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string_view>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// Copies are one token, on any thread.
class TENFERRO_API CancellationToken {
public:
    /// One that nothing cancels.
    CancellationToken() noexcept = default;
    [[nodiscard]] static CancellationToken cancellable();
    /// Cancelled also once `question` answers true. It is asked on the calling thread of this function alone,
    /// between two pieces of the work done there, and may use the library; what it throws ends the work.
    /// `patience` passes before it is asked first and again, by a clock that advances by a few milliseconds.
    [[nodiscard]] static CancellationToken asking(std::function<bool()> question,
                                                  std::chrono::milliseconds patience = {});

    /// From any thread; without effect on a token that nothing cancels.
    void cancel() const noexcept;
    [[nodiscard]] bool cancelled() const { return is_due() && look(); }
    /// Whether cancelled() has more to do than to say no: it is cancelled, or has a question to ask now.
    [[nodiscard]] bool is_due() const noexcept { return state_ != nullptr && glance(); }
    /// Whether anything can cancel it.
    [[nodiscard]] bool cancellable_at_all() const noexcept { return state_ != nullptr; }
    /// Throws Cancelled in the name of `op`.
    void check(std::string_view op) const {
        if (cancelled()) stop(op);
    }

private:
    struct State;
    explicit CancellationToken(std::shared_ptr<State> state) noexcept : state_(std::move(state)) {}
    [[nodiscard]] bool glance() const noexcept;
    [[nodiscard]] bool look() const;
    [[noreturn]] static void stop(std::string_view op);

    std::shared_ptr<State> state_;
};

/// While it lives, all that its thread computes can be cancelled: operations on tensors, eager ones among
/// them, runs of programs and of plans, searches. They look at the token before they begin, where they are
/// long also while they go on, and end with Cancelled in the name of `op`. One is inside the other: any of
/// them cancels. To be destroyed where it was made.
class TENFERRO_API CancellationScope {
public:
    /// `op` must outlive it.
    CancellationScope(const CancellationToken& token, std::string_view op) noexcept {
        if (token.cancellable_at_all()) enter(&token, op, nullptr);
    }
    /// What another thread's scope says holds on this one too; null: nothing.
    explicit CancellationScope(const CancellationScope* others) noexcept {
        if (others != nullptr) enter(nullptr, {}, others);
    }
    ~CancellationScope() {
        if (entered_) leave();
    }
    CancellationScope(const CancellationScope&) = delete;
    CancellationScope& operator=(const CancellationScope&) = delete;

    /// The innermost of this thread, or null.
    [[nodiscard]] static const CancellationScope* current() noexcept;
    void check() const;
    /// Whether check() may throw, or ask.
    [[nodiscard]] bool is_due() const noexcept;
    /// As check of the innermost one, if there is one.
    static void check_current() {
        if (const CancellationScope* const scope = current()) scope->check();
    }

private:
    friend class CancellationToken;
    void enter(const CancellationToken* token, std::string_view op, const CancellationScope* others) noexcept;
    void leave() noexcept;

    const CancellationToken* token_ = nullptr;
    std::string_view op_ = {};
    const CancellationScope* others_ = nullptr;
    const CancellationScope* outer_ = nullptr;
    bool entered_ = false;
};

}}  // namespace tenferro::TENFERRO_ABI
