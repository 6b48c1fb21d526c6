// The sizes that structs may have, and the copies in and out.
#include "capi/structs.hpp"

#include <algorithm>
#include <cstring>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi {

namespace {

/// Structs of later versions are larger, but not that much.
constexpr std::size_t kLargestStruct = 4096;

std::size_t size_of(const void* given) noexcept {
    std::size_t size = 0;
    std::memcpy(&size, given, sizeof size);
    return size;
}

}  // namespace

void check_struct_size(const char* function, std::string_view name, std::size_t given,
                       const StructLayout& known) {
    if (given < sizeof given || given > kLargestStruct)
        throw Error(ErrorKind::InvalidArgument, function,
                    text(name, "->struct_size is ", given, " but this library's is ", known.size));
    if (given < known.size && std::find(known.ends.begin(), known.ends.end(), given) == known.ends.end())
        throw Error(ErrorKind::InvalidArgument, function,
                    text(name, "->struct_size is ", given, " but no field ends there; this library's is ",
                         known.size));
}

void read_struct(const char* function, std::string_view name, const void* given, const StructLayout& known,
                 void* own) {
    const std::size_t size = size_of(given);
    check_struct_size(function, name, size, known);
    const auto* const bytes = static_cast<const unsigned char*>(given);
    if (std::any_of(bytes + std::min(size, known.size), bytes + size,
                    [](unsigned char byte) { return byte != 0; }))
        throw Error(ErrorKind::Unsupported, function,
                    text(name, " sets a field beyond the ", known.size, " bytes that this library knows"));
    std::memcpy(own, given, std::min(size, known.size));
}

void write_struct(const char* function, std::string_view name, void* out, const StructLayout& known,
                  const void* own) {
    const std::size_t size = size_of(out);
    check_struct_size(function, name, size, known);
    constexpr std::size_t kAfterSize = sizeof size;
    std::memcpy(static_cast<std::byte*>(out) + kAfterSize, static_cast<const std::byte*>(own) + kAfterSize,
                std::min(size, known.size) - kAfterSize);
}

}}}  // namespace tenferro::TENFERRO_ABI::capi
