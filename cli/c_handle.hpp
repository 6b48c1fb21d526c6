// Tensors of the C API in C++: owned handles, and failures as exceptions.
#pragma once

#include <tenferro.h>

#include <memory>
#include <span>

namespace tenferro::cli {

struct ReleaseHandle {
    void operator()(tfe_tensor_f64* tensor) const { tfe_tensor_f64_release(tensor); }
};
using CHandle = std::unique_ptr<tfe_tensor_f64, ReleaseHandle>;

/// Throws the library's last error unless the call succeeded: an Error of kind OutOfMemory or
/// InvalidArgument with its message.
void check_call(bool succeeded);
inline void check_status(tfe_status_t status) { check_call(status == TFE_SUCCESS); }

/// The elements of a tensor that has some.
std::span<const double> elements(const CHandle& tensor);

}  // namespace tenferro::cli
