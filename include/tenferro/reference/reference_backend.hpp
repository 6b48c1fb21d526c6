// ReferenceBackend: every operation as one plain loop nest over indices. Slow and obviously right: the oracle
// of the conformance suite, shipped so that users can check a result with it.
#pragma once

#include "tenferro/tensor/backend.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

class TENFERRO_API ReferenceBackend final : public TensorBackend {
public:
    ReferenceBackend();
    ~ReferenceBackend() override;

private:
    void open_session(FunctionRef<void(BackendSession&)> body) override;
};

}}  // namespace tenferro::TENFERRO_ABI
