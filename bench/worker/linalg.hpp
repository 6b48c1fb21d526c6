// What rows of linear algebra compute: the functions by the names of bench/harness/linalg.py on plain and on
// traced tensors, and the form in which results of all contestants can be compared.
#pragma once

#include <span>
#include <vector>

#include "bench/worker/row.hpp"
#include "tenferro/linalg/backend.hpp"
#include "tenferro/runtime/traced_tensor.hpp"

namespace tenferro::bench {

/// The outputs of a function, as many as it has, without memory of its own.
struct Parts {
    Tensor part[3];
};
using PlainFunction = Parts (*)(const linalg::LinalgBackend& backend, const TensorRead& a,
                                const TensorRead& b);
/// The functions of `name`, which are Unsupported where there are none.
[[nodiscard]] PlainFunction plain_function(std::string_view name);
[[nodiscard]] std::vector<TracedTensor> traced_function(std::string_view name, const TracedTensor& a,
                                                        const TracedTensor& b);

/// Turns vectors so that the element of largest modulus of each is positive, and what they are multiplied by
/// with them.
void fix_phases(std::string_view name, Parts& parts);

/// The elements of all tensors, real and imaginary parts apart, in one tensor.
[[nodiscard]] Tensor joined(std::span<const Tensor> parts);

}  // namespace tenferro::bench
