// Tensors of the C API in C++: owned handles, and failures as exceptions.
#pragma once

#include <tenferro.h>

#include <memory>

namespace tenferro::cli {

struct ReleaseHandle {
    void operator()(tfe_tensor_f64* tensor) const { tfe_tensor_f64_release(tensor); }
};
using CHandle = std::unique_ptr<tfe_tensor_f64, ReleaseHandle>;

/// Throws std::runtime_error with the library's message unless `status` is TFE_SUCCESS.
void check_status(tfe_status_t status);

}  // namespace tenferro::cli
