// The backend around the sessions: it has nothing to own.
#include "tenferro/reference/reference_backend.hpp"

#include "reference/reference_session.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

ReferenceBackend::ReferenceBackend() : TensorBackend(reference::kReferenceInfo) {}
ReferenceBackend::~ReferenceBackend() = default;

void ReferenceBackend::open_session(FunctionRef<void(BackendSession&)> body) {
    reference::ReferenceSession session;
    body(session);
}

}}  // namespace tenferro::TENFERRO_ABI
