// The version as text, put together from the numbers in base/version.hpp.
#include "tenferro/base/version.hpp"

#include "tenferro/api/engine.hpp"

#define TENFERRO_TEXT(x) #x
#define TENFERRO_VERSION(major, minor, patch) \
    TENFERRO_TEXT(major) "." TENFERRO_TEXT(minor) "." TENFERRO_TEXT(patch)

namespace tenferro { inline namespace TENFERRO_ABI {

std::string_view version() noexcept {
    return TENFERRO_VERSION(TENFERRO_VERSION_MAJOR, TENFERRO_VERSION_MINOR, TENFERRO_VERSION_PATCH);
}

}}  // namespace tenferro::TENFERRO_ABI
