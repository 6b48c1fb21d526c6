// The last error as an exception.
#include "cli/c_handle.hpp"

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace tenferro::cli {

void check_status(tfe_status_t status) {
    if (status == TFE_SUCCESS) return;
    std::size_t length = 0;
    tfe_last_error_message(nullptr, 0, &length);
    std::vector<std::uint8_t> message(length + 1);
    tfe_last_error_message(message.data(), message.size(), &length);
    throw std::runtime_error(reinterpret_cast<const char*>(message.data()));
}

}  // namespace tenferro::cli
