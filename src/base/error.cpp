// Error: text shared between copies (exceptions are copied by the runtime, and a copy must not throw).
#include "tenferro/base/error.hpp"

#include <execinfo.h>

#include <cstdlib>
#include <cstring>
#include <optional>

#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

struct Error::Text {
    std::string op;
    std::string what;
    std::string trace;
    std::optional<Error> cause;
};

std::string call_stack() {
    const char* wanted = std::getenv("TENFERRO_BACKTRACE");
    if (wanted == nullptr || std::strcmp(wanted, "1") != 0) return {};
    std::array<void*, 64> frames{};
    const int count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
    const std::unique_ptr<char*, decltype(&std::free)> names(::backtrace_symbols(frames.data(), count),
                                                             &std::free);
    std::string out;
    for (int i = 0; names && i < count; ++i) out += text(names.get()[i], "\n");
    return out;
}

Error::Error(ErrorKind kind, std::string_view op, std::string_view message)
    : kind_(kind),
      text_(std::make_shared<const Text>(
          Text{std::string(op), text(op, ": ", message), call_stack(), std::nullopt})) {}
Error::Error(ErrorKind kind, std::string_view op, std::string_view message, const Error& cause)
    : kind_(kind),
      text_(std::make_shared<const Text>(
          Text{std::string(op), text(op, ": ", message), std::string(cause.backtrace()), cause})) {}
Error::Error(const Error&) noexcept = default;
Error& Error::operator=(const Error&) noexcept = default;
Error::~Error() = default;

const char* Error::what() const noexcept { return text_->what.c_str(); }
ErrorKind Error::kind() const noexcept { return kind_; }
const Error* Error::cause() const noexcept { return text_->cause ? &*text_->cause : nullptr; }
ErrorKind Error::root_kind() const noexcept {
    const Error* root = this;
    while (root->cause() != nullptr) root = root->cause();
    return root->kind();
}
std::string_view Error::op() const noexcept { return text_->op; }
std::string_view Error::message() const noexcept {
    return std::string_view(text_->what).substr(text_->op.size() + 2);
}
std::string_view Error::backtrace() const noexcept { return text_->trace; }

void throw_out_of_memory(std::string_view op, std::size_t bytes) {
    throw Error(ErrorKind::OutOfMemory, op, text(bytes, " bytes cannot be allocated"));
}

}}  // namespace tenferro::TENFERRO_ABI
