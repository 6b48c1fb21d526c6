// The catch ladder: which exception becomes which status and message.
#include "capi/guard.hpp"

#include <new>

#include "capi/last_error.hpp"
#include "tenferro/base/error.hpp"

namespace tenferro::inline TENFERRO_ABI::capi {

static_assert(static_cast<int>(Status::Success) == TFE_SUCCESS &&
              static_cast<int>(Status::InvalidArgument) == TFE_INVALID_ARGUMENT &&
              static_cast<int>(Status::ShapeMismatch) == TFE_SHAPE_MISMATCH &&
              static_cast<int>(Status::InternalError) == TFE_INTERNAL_ERROR &&
              static_cast<int>(Status::BufferTooSmall) == TFE_BUFFER_TOO_SMALL);

tfe_status_t report_current_exception(const char* function) noexcept {
    try {
        throw;
    } catch (const Error& error) {
        set_last_error({error.what()}, error.backtrace());
        return static_cast<tfe_status_t>(info(error.kind()).status);
    } catch (const std::bad_alloc&) {
        set_last_error({function, ": out of memory"});
    } catch (const std::exception& error) {
        set_last_error({function, ": internal error: ", error.what()});
    } catch (...) {
        set_last_error({function, ": internal error: unknown exception"});
    }
    return TFE_INTERNAL_ERROR;
}

}  // namespace tenferro::inline TENFERRO_ABI::capi
