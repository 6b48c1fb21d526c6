// The catch ladder: which exception becomes which status and message.
#include "tenferro/capi/guard.hpp"

#include <array>
#include <new>

#include "capi/last_error.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/capi/arguments.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi {

static_assert(static_cast<int>(Status::Success) == TFE_SUCCESS &&
              static_cast<int>(Status::InvalidArgument) == TFE_INVALID_ARGUMENT &&
              static_cast<int>(Status::ShapeMismatch) == TFE_SHAPE_MISMATCH &&
              static_cast<int>(Status::InternalError) == TFE_INTERNAL_ERROR &&
              static_cast<int>(Status::BufferTooSmall) == TFE_BUFFER_TOO_SMALL);

namespace {

/// The TFE_DETAIL_ value of each ErrorKind, in its order.
constexpr std::array<std::int32_t, kErrorKinds.size()> kDetails{
    TFE_DETAIL_INVALID_VALUE,  // InvalidConfig
    TFE_DETAIL_SHAPE,          // ShapeMismatch
    TFE_DETAIL_SHAPE,          // RankMismatch
    TFE_DETAIL_DTYPE,          // DTypeMismatch
    TFE_DETAIL_AXIS,           // AxisOutOfBounds
    TFE_DETAIL_AXIS,           // DuplicateAxis
    TFE_DETAIL_AXIS,           // AxisRoleConflict
    TFE_DETAIL_INTERNAL,       // MissingValue
    TFE_DETAIL_INTERNAL,       // BackendFailure
    TFE_DETAIL_UNSUPPORTED,    // Unsupported
    TFE_DETAIL_INVALID_VALUE,  // InvalidArgument
    TFE_DETAIL_UNSUPPORTED,    // ModeNotSupported
    TFE_DETAIL_SHAPE,          // TangentShapeMismatch
    TFE_DETAIL_SHAPE,          // NonScalarLoss
    TFE_DETAIL_UNSUPPORTED,    // HvpNotSupported
    TFE_DETAIL_INTERNAL,       // MissingNode
    TFE_DETAIL_UNSUPPORTED,    // AdRuleUnsupported
    TFE_DETAIL_INVALID_VALUE,  // DuplicateFamily
    TFE_DETAIL_INVALID_VALUE,  // MalformedFamilyId
    TFE_DETAIL_NUMERICAL,      // NonFinite
    TFE_DETAIL_NUMERICAL,      // Singular
    TFE_DETAIL_NUMERICAL,      // NotPositiveDefinite
    TFE_DETAIL_NUMERICAL,      // NoConvergence
    TFE_DETAIL_DEVICE,         // UnsupportedDevice
    TFE_DETAIL_OUT_OF_MEMORY,  // OutOfMemory
    TFE_DETAIL_CANCELLED,      // Cancelled
};
static_assert(kDetails.back() == TFE_DETAIL_CANCELLED, "one row per ErrorKind");

/// For exceptions that do not bring the stack of their throw: that of the call, if there is memory for it.
std::string stack_of_the_call() noexcept {
    try {
        return call_stack();
    } catch (...) {
        return {};
    }
}

}  // namespace

tfe_status_t report_current_exception(const char* function) noexcept {
    try {
        throw;
    } catch (const ArgumentError& error) {
        set_last_error({error.what()}, error.backtrace(), error.detail());
        return error.status();
    } catch (const Error& error) {
        set_last_error({error.what()}, error.backtrace(),
                       kDetails[static_cast<std::size_t>(error.root_kind())]);
        return static_cast<tfe_status_t>(info(error.root_kind()).status);
    } catch (const std::bad_alloc&) {
        set_last_error({function, ": out of memory"}, stack_of_the_call(), TFE_DETAIL_OUT_OF_MEMORY);
    } catch (const std::exception& error) {
        set_last_error({function, ": internal error: ", error.what()}, stack_of_the_call(),
                       TFE_DETAIL_INTERNAL);
    } catch (...) {
        set_last_error({function, ": internal error: unknown exception"}, stack_of_the_call(),
                       TFE_DETAIL_INTERNAL);
    }
    return TFE_INTERNAL_ERROR;
}

}}}  // namespace tenferro::TENFERRO_ABI::capi
