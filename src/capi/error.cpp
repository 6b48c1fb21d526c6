// Reading the thread's last error. These functions cannot fail inside, so they need no guard and never alter
// the message.
#include <cstring>

#include "capi/last_error.hpp"
#include "tenferro.h"

tfe_status_t tfe_last_error_message(uint8_t* buf, size_t buf_len, size_t* out_len) {
    if (out_len == nullptr) return TFE_INVALID_ARGUMENT;
    const std::string_view message = tenferro::capi::last_error();
    *out_len = message.size() + 1;
    if (buf == nullptr) return TFE_SUCCESS;
    if (buf_len < *out_len) return TFE_BUFFER_TOO_SMALL;
    std::memcpy(buf, message.data(), *out_len);
    return TFE_SUCCESS;
}

tfe_error_detail_t tfe_last_error_detail(void) { return tenferro::capi::last_error_detail(); }
