// The thread count of the default engine.
#include "tenferro/api/engine.hpp"
#include "tenferro/capi/guard.hpp"

namespace capi = tenferro::capi;

void tfe_set_num_threads(int32_t threads, tfe_status_t* status) {
    capi::guard(__func__, status, [&](const char*) { tenferro::set_num_threads(threads); });
}

int32_t tfe_get_num_threads(void) {
    return capi::guard(__func__, nullptr,
                       [](const char*) { return static_cast<int32_t>(tenferro::num_threads()); });
}
