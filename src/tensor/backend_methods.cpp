// The operations of TensorBackend: each row of the lists calls the method of the same name and form of a
// session.
#include "tenferro/tensor/backend.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

// clang-format off
#define TENFERRO_IN_SESSION(method, arguments) \
    return with_backend_session([&](BackendSession& session) { return session.method arguments; });
#define TENFERRO_MOVED(a) std::move(a)

#define TENFERRO_ROW(Name, method, dtypes, meaning, operands, parameters, ...) \
    Tensor TensorBackend::method(TENFERRO_EACH(TENFERRO_OWNED, operands) TENFERRO_PARAMETERS(parameters)) { \
        TENFERRO_IN_SESSION(method, (TENFERRO_EACH(TENFERRO_MOVED, operands) TENFERRO_ARGUMENTS(parameters))) \
    } \
    Tensor TensorBackend::method##_read(TENFERRO_EACH(TENFERRO_READ, operands) \
                                        TENFERRO_PARAMETERS(parameters)) { \
        TENFERRO_IN_SESSION(method##_read, \
                            (TENFERRO_EACH(TENFERRO_SAME, operands) TENFERRO_ARGUMENTS(parameters))) \
    } \
    void TensorBackend::method##_into(TENFERRO_EACH(TENFERRO_READ, operands) \
                                      TENFERRO_PARAMETERS(parameters), const TensorWrite& out) { \
        TENFERRO_IN_SESSION(method##_into, \
                            (TENFERRO_EACH(TENFERRO_SAME, operands) TENFERRO_ARGUMENTS(parameters), out)) \
    }
TENFERRO_STRUCTURED_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW

#define TENFERRO_ROW(result, method, parameters, arguments) \
    result TensorBackend::method parameters { TENFERRO_IN_SESSION(method, arguments) }
TENFERRO_FURTHER_METHODS(TENFERRO_ROW)
#undef TENFERRO_ROW
// clang-format on

}}  // namespace tenferro::TENFERRO_ABI
