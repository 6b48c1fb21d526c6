// The last error as an exception.
#include "cli/c_handle.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tenferro/base/error.hpp"

namespace tenferro::cli {

void check_call(bool succeeded) {
    if (succeeded) return;
    std::size_t length = 0;
    tfe_last_error_message(nullptr, 0, &length);
    std::vector<std::uint8_t> message(length + 1);
    tfe_last_error_message(message.data(), message.size(), &length);
    const std::string_view line = reinterpret_cast<const char*>(message.data());
    const std::size_t colon = std::min(line.find(": "), line.size());
    const bool memory = tfe_last_error_detail() == TFE_DETAIL_OUT_OF_MEMORY;
    throw Error(memory ? ErrorKind::OutOfMemory : ErrorKind::InvalidArgument, line.substr(0, colon),
                line.substr(std::min(colon + 2, line.size())));
}

std::span<const double> elements(const CHandle& tensor) {
    const double* const data = tfe_tensor_f64_data(tensor.get());
    const std::size_t count = tfe_tensor_f64_len(tensor.get());
    check_call(data != nullptr && count != 0);
    return {data, count};
}

}  // namespace tenferro::cli
