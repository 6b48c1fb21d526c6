// ReferenceSession: the backend's virtual functions as loop nests, one file per family.
#pragma once

#include "tenferro/tensor/backend.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace reference {

inline constexpr BackendInfo kReferenceInfo{"reference", kMainMemory, {}};

class ReferenceSession : public BackendSession {
public:
    /// Tests give another `info`, to be a backend elsewhere.
    explicit ReferenceSession(const BackendInfo& info = kReferenceInfo) noexcept : BackendSession(info) {}

protected:
    TENFERRO_KERNEL_OVERRIDES
};

}}}  // namespace tenferro::TENFERRO_ABI::reference
