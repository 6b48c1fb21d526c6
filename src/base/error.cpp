// Error: text shared between copies (exceptions are copied by the runtime, and a copy must not throw). Where
// the heap has nothing left, the text goes to a reserve, cut to what fits: an Error can always be made.
#include "tenferro/base/error.hpp"

#include <execinfo.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>

namespace tenferro { inline namespace TENFERRO_ABI {

/// Views of memory that a derived struct owns.
struct Error::Text {
    std::size_t op_length = 0;
    const char* what = "";  ///< "op: message"
    std::string_view trace;
    std::optional<Error> cause;
};

namespace {

/// The call stack if it is wanted.
std::string frames() {
    const char* wanted = std::getenv("TENFERRO_BACKTRACE");
    if (wanted == nullptr || std::strcmp(wanted, "1") != 0) return {};
    std::array<void*, 64> addresses{};
    const int count = ::backtrace(addresses.data(), static_cast<int>(addresses.size()));
    const std::unique_ptr<char*, decltype(&std::free)> names(::backtrace_symbols(addresses.data(), count),
                                                             &std::free);
    std::string out;
    for (int i = 0; names && i < count; ++i) out.append(names.get()[i]).append("\n");
    return out;
}

/// What an error says for which even the reserve was too small.
constexpr std::string_view kNobody = "tenferro";
constexpr const char* kNothingLeft = "tenferro: out of memory";

/// Memory for the texts of errors when there is no other: as many at once as threads may fail together.
struct Place {
    alignas(std::max_align_t) std::byte bytes[512];
    std::atomic<bool> taken;
};
constinit std::array<Place, 64> reserve{};

template <class T>
struct ReserveAllocator {
    using value_type = T;
    ReserveAllocator() noexcept = default;
    template <class U>
    explicit(false) ReserveAllocator(const ReserveAllocator<U>&) noexcept {}

    T* allocate(std::size_t count) {
        static_assert(sizeof(T) <= sizeof(Place::bytes));
        for (Place& place : reserve)
            if (count == 1 && !place.taken.exchange(true)) return reinterpret_cast<T*>(place.bytes);
        throw std::bad_alloc();
    }
    void deallocate(T* memory, std::size_t) noexcept {
        reinterpret_cast<Place*>(memory)->taken = false;  // it begins with its bytes
    }
    template <class U>
    friend bool operator==(const ReserveAllocator&, const ReserveAllocator<U>&) noexcept {
        return true;
    }
};

}  // namespace

std::shared_ptr<const Error::Text> Error::make_text(std::string_view op, std::string_view message,
                                                    const Error* cause) noexcept {
    struct Whole : Text {
        std::string words, stack;
    };
    struct Cut : Text {
        char words[384];
    };
    static constexpr char kMark[] = "...";
    const auto fill = [&](Text& text) {
        text.op_length = op.size();
        if (cause != nullptr) text.cause = *cause;
    };
    try {
        const auto whole = std::make_shared<Whole>();
        fill(*whole);
        whole->words.append(op).append(": ").append(message);  // not text(), which throws Errors
        whole->stack = cause != nullptr ? std::string(cause->backtrace()) : frames();
        whole->what = whole->words.c_str();
        whole->trace = whole->stack;
        return whole;
    } catch (const std::bad_alloc&) {  // a shorter one below
    }
    try {
        const auto cut = std::allocate_shared<Cut>(ReserveAllocator<Cut>());
        fill(*cut);
        const std::size_t room = sizeof cut->words - sizeof kMark;
        std::size_t length = 0;
        for (const std::string_view part : {op, std::string_view(": "), message}) {
            const std::string_view kept = part.substr(0, room - length);
            std::copy(kept.begin(), kept.end(), cut->words + length);
            length += kept.size();
        }
        if (op.size() + 2 + message.size() > room)
            std::copy(std::begin(kMark), std::end(kMark), cut->words + length);
        else
            cut->words[length] = '\0';
        cut->op_length = std::min(op.size(), length);
        cut->what = cut->words;
        return cut;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

Error::Error(ErrorKind kind, std::string_view op, std::string_view message) noexcept
    : kind_(kind), text_(make_text(op, message, nullptr)) {}
Error::Error(ErrorKind kind, std::string_view op, std::string_view message, const Error& cause) noexcept
    : kind_(kind), text_(make_text(op, message, &cause)) {}
Error::Error(const Error&) noexcept = default;
Error& Error::operator=(const Error&) noexcept = default;
Error::~Error() = default;

const char* Error::what() const noexcept { return text_ ? text_->what : kNothingLeft; }
ErrorKind Error::kind() const noexcept { return kind_; }
const Error* Error::cause() const noexcept { return text_ && text_->cause ? &*text_->cause : nullptr; }
ErrorKind Error::root_kind() const noexcept {
    const Error* root = this;
    while (root->cause() != nullptr) root = root->cause();
    return root->kind();
}
std::string_view Error::op() const noexcept { return {what(), text_ ? text_->op_length : kNobody.size()}; }
std::string_view Error::message() const noexcept {
    const std::string_view all(what());
    return all.substr(std::min(op().size() + 2, all.size()));
}
std::string_view Error::backtrace() const noexcept { return text_ ? text_->trace : std::string_view(); }

std::string call_stack() try { return frames(); } catch (const std::bad_alloc&) {
    throw_out_of_memory("call_stack");
}

void throw_out_of_memory(std::string_view op, std::size_t bytes) {
    std::array<char, 64> message{};
    std::snprintf(message.data(), message.size(), "%zu bytes cannot be allocated", bytes);
    throw Error(ErrorKind::OutOfMemory, op, message.data());
}
void throw_out_of_memory(std::string_view op) {
    throw Error(ErrorKind::OutOfMemory, op, "its lists and texts cannot be allocated");
}

}}  // namespace tenferro::TENFERRO_ABI
