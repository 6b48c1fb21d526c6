// The methods of an operation whose result is a view of the operand.
#pragma once

#include "tenferro/tensor/backend_session.hpp"

// Those of row `Name`: copies of what TensorRead's function `view` makes of the parameters.
// clang-format off
#define TENFERRO_COPIED_VIEW(Name, method, view, parameters) \
    Tensor BackendSession::method(Tensor&& a TENFERRO_PARAMETERS(parameters)) { \
        return method##_read(a TENFERRO_ARGUMENTS(parameters)); \
    } \
    Tensor BackendSession::method##_read(const TensorRead& a TENFERRO_PARAMETERS(parameters)) { \
        return copy_read(OpId::Name, a.view(TENFERRO_EACH(TENFERRO_NAME, parameters))); \
    } \
    void BackendSession::method##_into(const TensorRead& a TENFERRO_PARAMETERS(parameters), \
                                       const TensorWrite& out) { \
        copy_into(OpId::Name, a.view(TENFERRO_EACH(TENFERRO_NAME, parameters)), out); \
    }
// clang-format on
