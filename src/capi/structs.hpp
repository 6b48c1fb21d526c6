// Structs that cross the C boundary carry their size first and grow at their end only, so that callers and
// libraries of different versions understand each other: who knows less gets what he knows.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi {

/// Where a field ends.
#define TFE_END(type, field) (offsetof(type, field) + sizeof(type::field))

/// Where the fields of one of our structs end, in order, and its size.
struct StructLayout {
    std::span<const std::size_t> ends;
    std::size_t size;
};

/// Checks the struct_size that a caller gave: one at which a field that we know ends, or that of a later
/// version. `name` is the parameter. Throws InvalidArgument.
void check_struct_size(const char* function, std::string_view name, std::size_t given,
                       const StructLayout& known);

/// Copies the fields that the caller knows from `given`, of which all bytes that we do not know must be 0
/// (Unsupported), into `own`.
void read_struct(const char* function, std::string_view name, const void* given, const StructLayout& known,
                 void* own);

/// Copies the fields that the caller knows to `out`, all but its struct_size.
void write_struct(const char* function, std::string_view name, void* out, const StructLayout& known,
                  const void* own);

}}}  // namespace tenferro::TENFERRO_ABI::capi
