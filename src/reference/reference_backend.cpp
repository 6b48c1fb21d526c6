// The backend around the sessions: it has nothing to own.
#include "tenferro/reference/reference_backend.hpp"

#include "reference/reference_session.hpp"

namespace tenferro::inline TENFERRO_ABI {

ReferenceBackend::ReferenceBackend() = default;
ReferenceBackend::~ReferenceBackend() = default;

std::string_view ReferenceBackend::name() const noexcept { return "reference"; }

void ReferenceBackend::open_session(FunctionRef<void(BackendSession&)> body) {
    reference::ReferenceSession session;
    body(session);
}

}  // namespace tenferro::inline TENFERRO_ABI
