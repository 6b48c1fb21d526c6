// The boundary of the C API: every C function that can fail runs its body in `guard`, and nothing but a
// status and the last error message gets out.
#pragma once

#include <type_traits>

#include "tenferro.h"
#include "tenferro/base/fault.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi {

/// Turns the exception being handled into a status and the thread's last error. The only catch ladder of the
/// C API.
[[nodiscard]] TENFERRO_API tfe_status_t report_current_exception(const char* function) noexcept;

inline void write_status(tfe_status_t* status, tfe_status_t value) noexcept {
    if (status != nullptr) *status = value;
}

/// Returns body(function), where `function` is the C function's name for messages; on an exception the zero
/// of its type. `status` may be null.
template <class Body>
std::invoke_result_t<Body&, const char*> guard(const char* function, tfe_status_t* status,
                                               Body&& body) noexcept {
    using Result = std::invoke_result_t<Body&, const char*>;
    try {
        fault::point();
        if constexpr (std::is_void_v<Result>) {
            body(function);
            write_status(status, TFE_SUCCESS);
            return;
        } else {
            const Result result = body(function);
            write_status(status, TFE_SUCCESS);
            return result;
        }
    } catch (...) {
        write_status(status, report_current_exception(function));
    }
    return Result();
}

}}}  // namespace tenferro::TENFERRO_ABI::capi
