// The stack of open sessions of each thread: makes sessions re-entrant and answers "which backend am I on".
#include "tenferro/tensor/backend.hpp"

namespace tenferro::inline TENFERRO_ABI {

namespace {

struct OpenSession {
    TensorBackend* backend;
    BackendSession* session;
    const OpenSession* outer;
};

const OpenSession*& innermost() noexcept {
    thread_local const OpenSession* session = nullptr;
    return session;
}

/// Makes a session the innermost one of this thread for a scope.
class SessionScope {
public:
    explicit SessionScope(OpenSession& session) noexcept : outer_(session.outer) { innermost() = &session; }
    ~SessionScope() { innermost() = outer_; }
    SessionScope(const SessionScope&) = delete;
    SessionScope& operator=(const SessionScope&) = delete;

private:
    const OpenSession* outer_;
};

}  // namespace

BackendSession::~BackendSession() = default;
TensorBackend::~TensorBackend() = default;

Dims BackendSession::index_values(const TensorRead& indices) {
    Dims values;
    for (Index i = 0; i < indices.size(); ++i) {
        const Index at = i * indices.strides()[0];
        values.push_back(indices.dtype() == DType::I32 ? indices.data_as<std::int32_t>()[at]
                                                       : indices.data_as<std::int64_t>()[at]);
    }
    return values;
}

bool BackendSession::fuse(const ElementwiseFusionPlan&, std::span<const TensorRead>, std::span<const TensorWrite>) {
    return false;
}

void BackendSession::upload(const TensorRead& host, const TensorWrite& out) { copy(host, out); }
void BackendSession::download(const TensorRead& a, const TensorWrite& host) { copy(a, host); }

void TensorBackend::run_in_session(FunctionRef<void(BackendSession&)> body) {
    for (const OpenSession* open = innermost(); open != nullptr; open = open->outer) {
        if (open->backend != this) continue;
        OpenSession again{this, open->session, innermost()};
        const SessionScope scope(again);
        body(*again.session);
        return;
    }
    open_session([&](BackendSession& session) {
        OpenSession opened{this, &session, innermost()};
        const SessionScope scope(opened);
        body(session);
    });
}

TensorBackend* current_backend() noexcept { return innermost() != nullptr ? innermost()->backend : nullptr; }

}  // namespace tenferro::inline TENFERRO_ABI
