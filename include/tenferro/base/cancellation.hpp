// CancellationToken: how a long call learns that its result is no longer wanted. Whoever starts the work
// keeps a copy; the work looks at its own between two steps and ends with ErrorKind::Cancelled, leaving
// nothing behind.
#pragma once

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
    /// between two steps of the work done there; what it throws ends the work.
    [[nodiscard]] static CancellationToken asking(std::function<bool()> question);

    /// From any thread; without effect on a token that nothing cancels.
    void cancel() const noexcept;
    [[nodiscard]] bool cancelled() const { return state_ != nullptr && look(); }
    /// Throws Cancelled in the name of `op`.
    void check(std::string_view op) const {
        if (cancelled()) stop(op);
    }

private:
    struct State;
    explicit CancellationToken(std::shared_ptr<State> state) noexcept : state_(std::move(state)) {}
    [[nodiscard]] bool look() const;
    [[noreturn]] static void stop(std::string_view op);

    std::shared_ptr<State> state_;
};

}}  // namespace tenferro::TENFERRO_ABI
