// The one exception type of the library and the one table that says what each kind of error means at the C
// boundary and in Python. Messages have the form "op: what is wrong, with both values".
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

enum class ErrorKind : std::uint8_t {
    InvalidConfig,
    ShapeMismatch,
    RankMismatch,
    DTypeMismatch,
    AxisOutOfBounds,
    DuplicateAxis,
    AxisRoleConflict,
    MissingValue,
    BackendFailure,
    Unsupported,
    InvalidArgument,
    ModeNotSupported,
    TangentShapeMismatch,
    NonScalarLoss,
    HvpNotSupported,
    MissingNode,
    AdRuleUnsupported,
    DuplicateFamily,
    MalformedFamilyId,
    NonFinite,
    Singular,
    NotPositiveDefinite,
    NoConvergence,
    UnsupportedDevice,
    OutOfMemory,
    Cancelled,
};

/// Status values of the C ABI; the numbers are frozen.
enum class Status : std::int32_t {
    Success = 0,
    InvalidArgument = -1,
    ShapeMismatch = -2,
    InternalError = -3,
    BufferTooSmall = -4,
};

/// One row of the error table: the kind, its name, the C status it becomes and the Python exception it
/// becomes.
struct ErrorKindInfo {
    ErrorKind kind;
    std::string_view name;
    Status status;
    std::string_view python;
};

inline constexpr std::array<ErrorKindInfo, 26> kErrorKinds{{
    {ErrorKind::InvalidConfig, "InvalidConfig", Status::InvalidArgument, "ValueError"},
    {ErrorKind::ShapeMismatch, "ShapeMismatch", Status::ShapeMismatch, "ValueError"},
    {ErrorKind::RankMismatch, "RankMismatch", Status::ShapeMismatch, "ValueError"},
    {ErrorKind::DTypeMismatch, "DTypeMismatch", Status::InvalidArgument, "TypeError"},
    {ErrorKind::AxisOutOfBounds, "AxisOutOfBounds", Status::InvalidArgument, "IndexError"},
    {ErrorKind::DuplicateAxis, "DuplicateAxis", Status::InvalidArgument, "ValueError"},
    {ErrorKind::AxisRoleConflict, "AxisRoleConflict", Status::InvalidArgument, "ValueError"},
    {ErrorKind::MissingValue, "MissingValue", Status::InternalError, "RuntimeError"},
    {ErrorKind::BackendFailure, "BackendFailure", Status::InternalError, "RuntimeError"},
    {ErrorKind::Unsupported, "Unsupported", Status::InvalidArgument, "NotImplementedError"},
    {ErrorKind::InvalidArgument, "InvalidArgument", Status::InvalidArgument, "ValueError"},
    {ErrorKind::ModeNotSupported, "ModeNotSupported", Status::InvalidArgument, "NotImplementedError"},
    {ErrorKind::TangentShapeMismatch, "TangentShapeMismatch", Status::ShapeMismatch, "ValueError"},
    {ErrorKind::NonScalarLoss, "NonScalarLoss", Status::InvalidArgument, "ValueError"},
    {ErrorKind::HvpNotSupported, "HvpNotSupported", Status::InvalidArgument, "NotImplementedError"},
    {ErrorKind::MissingNode, "MissingNode", Status::InternalError, "RuntimeError"},
    {ErrorKind::AdRuleUnsupported, "AdRuleUnsupported", Status::InvalidArgument, "NotImplementedError"},
    {ErrorKind::DuplicateFamily, "DuplicateFamily", Status::InvalidArgument, "ValueError"},
    {ErrorKind::MalformedFamilyId, "MalformedFamilyId", Status::InvalidArgument, "ValueError"},
    {ErrorKind::NonFinite, "NonFinite", Status::InvalidArgument, "ValueError"},
    {ErrorKind::Singular, "Singular", Status::InvalidArgument, "ArithmeticError"},
    {ErrorKind::NotPositiveDefinite, "NotPositiveDefinite", Status::InvalidArgument, "ArithmeticError"},
    {ErrorKind::NoConvergence, "NoConvergence", Status::InternalError, "ArithmeticError"},
    {ErrorKind::UnsupportedDevice, "UnsupportedDevice", Status::InvalidArgument, "BufferError"},
    {ErrorKind::OutOfMemory, "OutOfMemory", Status::InternalError, "MemoryError"},
    {ErrorKind::Cancelled, "Cancelled", Status::InternalError, "InterruptedError"},
}};

namespace tfe_detail {
consteval bool error_table_is_total() {
    for (std::size_t i = 0; i < kErrorKinds.size(); ++i)
        if (static_cast<std::size_t>(kErrorKinds[i].kind) != i) return false;
    return static_cast<std::size_t>(ErrorKind::Cancelled) + 1 == kErrorKinds.size();
}
static_assert(error_table_is_total(), "kErrorKinds must have one row per ErrorKind, in order");
}  // namespace tfe_detail

/// The row of the error table for `kind`.
[[nodiscard]] constexpr const ErrorKindInfo& info(ErrorKind kind) noexcept {
    return kErrorKinds[static_cast<std::size_t>(kind)];
}

/// Thrown by every failing operation. The operation's inputs are unchanged and nothing leaks when it is
/// thrown.
class TENFERRO_API Error : public std::exception {
public:
    /// `op` names the operation, `message` says what is wrong in one line without the prefix. `what()` is
    /// "op: message", cut and ended by "..." where no memory is left for more.
    Error(ErrorKind kind, std::string_view op, std::string_view message) noexcept;
    /// The same, because of another error.
    Error(ErrorKind kind, std::string_view op, std::string_view message, const Error& cause) noexcept;
    Error(const Error&) noexcept;
    Error& operator=(const Error&) noexcept;
    ~Error() override;

    [[nodiscard]] const char* what() const noexcept override;
    [[nodiscard]] ErrorKind kind() const noexcept;
    /// The error that this one reports in its own words, or null. Lives as long as this one.
    [[nodiscard]] const Error* cause() const noexcept;
    /// The kind at the end of the chain of causes: what a host's status or exception type follows.
    [[nodiscard]] ErrorKind root_kind() const noexcept;
    [[nodiscard]] std::string_view op() const noexcept;
    [[nodiscard]] std::string_view message() const noexcept;
    /// Call stack at the throw, one frame a line; empty unless the environment has TENFERRO_BACKTRACE=1.
    [[nodiscard]] std::string_view backtrace() const noexcept;

private:
    struct Text;
    static std::shared_ptr<const Text> make_text(std::string_view op, std::string_view message,
                                                 const Error* cause) noexcept;

    ErrorKind kind_;
    std::shared_ptr<const Text> text_;
};

/// Throws OutOfMemory: `op` needs `bytes` more.
[[noreturn]] TENFERRO_API void throw_out_of_memory(std::string_view op, std::size_t bytes);
/// Throws OutOfMemory: what `op` allocates beside tensors does not fit. Every public function whose lists
/// and texts are of the standard library ends with `catch (const std::bad_alloc&)` and this.
[[noreturn]] TENFERRO_API void throw_out_of_memory(std::string_view op);

/// The call stack, one frame a line; empty unless the environment has TENFERRO_BACKTRACE=1.
[[nodiscard]] TENFERRO_API std::string call_stack();

}}  // namespace tenferro::TENFERRO_ABI
