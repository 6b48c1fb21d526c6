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

struct Detail {
    ErrorKind kind;
    std::int32_t detail;
};
/// The TFE_DETAIL_ value of each ErrorKind, in its order.
constexpr std::array<Detail, kErrorKinds.size()> kDetails{{
    {ErrorKind::InvalidConfig, TFE_DETAIL_INVALID_VALUE},
    {ErrorKind::ShapeMismatch, TFE_DETAIL_SHAPE},
    {ErrorKind::RankMismatch, TFE_DETAIL_SHAPE},
    {ErrorKind::DTypeMismatch, TFE_DETAIL_DTYPE},
    {ErrorKind::AxisOutOfBounds, TFE_DETAIL_AXIS},
    {ErrorKind::DuplicateAxis, TFE_DETAIL_AXIS},
    {ErrorKind::AxisRoleConflict, TFE_DETAIL_AXIS},
    {ErrorKind::MissingValue, TFE_DETAIL_INTERNAL},
    {ErrorKind::BackendFailure, TFE_DETAIL_INTERNAL},
    {ErrorKind::Unsupported, TFE_DETAIL_UNSUPPORTED},
    {ErrorKind::InvalidArgument, TFE_DETAIL_INVALID_VALUE},
    {ErrorKind::ModeNotSupported, TFE_DETAIL_UNSUPPORTED},
    {ErrorKind::TangentShapeMismatch, TFE_DETAIL_SHAPE},
    {ErrorKind::NonScalarLoss, TFE_DETAIL_SHAPE},
    {ErrorKind::HvpNotSupported, TFE_DETAIL_UNSUPPORTED},
    {ErrorKind::MissingNode, TFE_DETAIL_INTERNAL},
    {ErrorKind::AdRuleUnsupported, TFE_DETAIL_UNSUPPORTED},
    {ErrorKind::DuplicateFamily, TFE_DETAIL_INVALID_VALUE},
    {ErrorKind::MalformedFamilyId, TFE_DETAIL_INVALID_VALUE},
    {ErrorKind::NonFinite, TFE_DETAIL_NUMERICAL},
    {ErrorKind::Singular, TFE_DETAIL_NUMERICAL},
    {ErrorKind::NotPositiveDefinite, TFE_DETAIL_NUMERICAL},
    {ErrorKind::NoConvergence, TFE_DETAIL_NUMERICAL},
    {ErrorKind::UnsupportedDevice, TFE_DETAIL_DEVICE},
    {ErrorKind::OutOfMemory, TFE_DETAIL_OUT_OF_MEMORY},
    {ErrorKind::Cancelled, TFE_DETAIL_CANCELLED},
}};
static_assert([] {
    for (std::size_t i = 0; i < kDetails.size(); ++i)
        if (kDetails[i].kind != static_cast<ErrorKind>(i)) return false;
    return true;
}());

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
                       kDetails[static_cast<std::size_t>(error.root_kind())].detail);
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
