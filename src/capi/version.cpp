// The version as C callers see it. The numbers come from base/version.hpp; the C header repeats them for the
// preprocessor.
#include "tenferro/base/version.hpp"

#include "tenferro.h"
#include "tenferro/api/engine.hpp"

static_assert(TFE_VERSION_MAJOR == TENFERRO_VERSION_MAJOR && TFE_VERSION_MINOR == TENFERRO_VERSION_MINOR &&
              TFE_VERSION_PATCH == TENFERRO_VERSION_PATCH);

void tfe_version(int32_t* major, int32_t* minor, int32_t* patch) {
    if (major != nullptr) *major = TENFERRO_VERSION_MAJOR;
    if (minor != nullptr) *minor = TENFERRO_VERSION_MINOR;
    if (patch != nullptr) *patch = TENFERRO_VERSION_PATCH;
}

// tenferro::version() views a string literal, hence the terminating NUL.
const char* tfe_version_string(void) { return tenferro::version().data(); }
