// Any bytes as a .npy file: the reader either throws Error or returns a tensor that survives being written
// and read again.
#include <cstdint>
#include <cstring>
#include <sstream>
#include <string>

#include "tenferro/base/error.hpp"
#include "tenferro/tensor/npy.hpp"

namespace {

tenferro::Tensor read(const std::string& bytes) {
    std::istringstream in(bytes);
    return tenferro::read_npy(in, bytes.size(), "fuzz");
}

std::string write(const tenferro::Tensor& tensor) {
    std::ostringstream out;
    tenferro::write_npy(out, tensor, "fuzz");
    return out.str();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const std::string first = write(read(std::string(reinterpret_cast<const char*>(data), size)));
        if (write(read(first)) != first) __builtin_trap();
    } catch (const tenferro::Error&) {
        // refused, as it should be
    }
    return 0;
}
