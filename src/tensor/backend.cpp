// The stack of open sessions and scopes of each thread: makes sessions re-entrant and answers "which backend
// am I on".
#include "tenferro/tensor/backend.hpp"

#include "base/thread_value.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

using Scope = BackendScope::Scope;

struct Innermost {
    const Scope* scope = nullptr;
};

/// Not inlined: compilers ask for the address of a thread's variable again wherever it is used, and that is a
/// call, too.
[[gnu::noinline]] const Scope*& innermost() noexcept { return thread_value<Innermost>().scope; }

/// Makes a scope the innermost one of its thread.
class Entered {
public:
    Entered(const Scope*& innermost, const Scope& scope) noexcept
        : innermost_(innermost), outer_(scope.outer) {
        innermost = &scope;
    }
    ~Entered() { innermost_ = outer_; }
    Entered(const Entered&) = delete;
    Entered& operator=(const Entered&) = delete;

private:
    const Scope*& innermost_;
    const Scope* outer_;
};

}  // namespace

BackendScope::BackendScope(TensorBackend& backend) noexcept : scope_{&backend, nullptr, innermost()} {
    innermost() = &scope_;
}
BackendScope::~BackendScope() { innermost() = scope_.outer; }

BackendSession::~BackendSession() = default;
TensorBackend::~TensorBackend() = default;

Dims BackendSession::do_index_values(const TensorRead& indices) {
    Dims values;
    for (Index i = 0; i < indices.size(); ++i) {
        const Index at = i * indices.strides()[0];
        values.push_back(indices.dtype() == DType::I32 ? indices.data_as<std::int32_t>()[at]
                                                       : indices.data_as<std::int64_t>()[at]);
    }
    return values;
}

Index BackendSession::concurrency() const noexcept { return 1; }
void BackendSession::run_concurrently(Index count, FunctionRef<void(Index, BackendSession&)> task) {
    for (Index i = 0; i < count; ++i) task(i, *this);
}

bool BackendSession::do_elementwise_fusion(const ElementwiseFusionPlan&, std::span<const TensorRead>,
                                           std::span<const TensorWrite>) {
    return false;
}
bool BackendSession::do_matrix_plan(const MatrixPlan&, std::span<const TensorRead>,
                                    std::span<const TensorWrite>) {
    return false;
}

void BackendSession::do_upload(const TensorRead& host, const TensorWrite& out) { do_copy(host, out); }
void BackendSession::do_download(const TensorRead& a, const TensorWrite& host) { do_copy(a, host); }

void TensorBackend::run_in_session(FunctionRef<void(BackendSession&)> body) {
    const Scope*& top = innermost();
    for (const Scope* open = top; open != nullptr; open = open->outer) {
        if (open->backend != this || open->session == nullptr) continue;
        const Scope again{this, open->session, top};
        const Entered entered(top, again);
        body(*again.session);
        return;
    }
    open_session([&](BackendSession& session) {
        const Scope opened{this, &session, top};
        const Entered entered(top, opened);
        body(session);
    });
}

TensorBackend* current_backend() noexcept { return innermost() != nullptr ? innermost()->backend : nullptr; }

}}  // namespace tenferro::TENFERRO_ABI
