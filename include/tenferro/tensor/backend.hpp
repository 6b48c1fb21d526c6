// TensorBackend, the long-lived and thread-safe half of the backend protocol: the owner of memory
// and threads. Its operations are those of BackendSession, each in a session of its own.
#pragma once

#include <string_view>
#include <type_traits>

#include "tenferro/tensor/backend_session.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

class TENFERRO_API TensorBackend {
public:
    TensorBackend(const TensorBackend&) = delete;
    TensorBackend& operator=(const TensorBackend&) = delete;
    virtual ~TensorBackend();

    // Each is a session of one operation, or belongs to the session that this thread is in.
    using Extents = DimsView;
    TENFERRO_OPERATION_METHODS

    /// "cpu", …
    [[nodiscard]] std::string_view name() const noexcept { return info_.name; }
    /// Where it computes: its operations take tensors there, and no others, and their results are there.
    [[nodiscard]] Placement placement() const noexcept { return info_.placement; }
    /// Unsupported is the typed error of the same name when the operation is called.
    [[nodiscard]] Capability capability(OpId op, DType dtype) const noexcept {
        return info_.capabilities.of(op, dtype);
    }

    /// Calls body(session) in a session of this backend and returns its result. On a thread that already is
    /// in a session of this backend, body gets that session.
    template <class F>
    std::invoke_result_t<F&, BackendSession&> with_backend_session(F&& body) {
        using R = std::invoke_result_t<F&, BackendSession&>;
        if constexpr (std::is_void_v<R>) {
            run_in_session(body);
        } else {
            Result<R> result;
            run_in_session([&](BackendSession& session) {
                result.value.emplace(ResultOf<F>{body, session});
            });
            return std::move(*result.value);
        }
    }

protected:
    /// `info` must outlive the backend.
    explicit TensorBackend(const BackendInfo& info) noexcept : info_(info) {}

private:
    /// Where a result is made. The constructor is none of a constant, which would clear all of the room.
    template <class R>
    struct Result {
        std::optional<R> value;
        Result() noexcept {}
    };
    /// Becomes body(session) where it is converted, so that a result is made where it stays.
    template <class F>
    struct ResultOf {
        F& body;
        BackendSession& session;
        operator std::invoke_result_t<F&, BackendSession&>() const {
            return body(session);
        }  // NOLINT(google-explicit-constructor)
    };
    void run_in_session(FunctionRef<void(BackendSession&)> body);
    /// Calls body with a new session.
    virtual void open_session(FunctionRef<void(BackendSession&)> body) = 0;

    const BackendInfo& info_;
};

/// The backend whose session or scope is the innermost on this thread, or null.
[[nodiscard]] TENFERRO_API TensorBackend* current_backend() noexcept;

/// Makes a backend the current one of this thread without opening a session: how an executor tells operations
/// that run themselves (extensions, linear algebra) where to compute.
class TENFERRO_API BackendScope {
public:
    explicit BackendScope(TensorBackend& backend) noexcept;
    ~BackendScope();
    BackendScope(const BackendScope&) = delete;
    BackendScope& operator=(const BackendScope&) = delete;

    /// An entry of the thread's stack; `session` is null for a mere scope.
    struct Scope {
        TensorBackend* backend;
        BackendSession* session;
        const Scope* outer;
    };

private:
    const Scope scope_;
};

}}  // namespace tenferro::TENFERRO_ABI
