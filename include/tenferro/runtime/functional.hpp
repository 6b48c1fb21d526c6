// Derivatives of functions at eager tensors: the function, written for any handle, is traced, differentiated
// as a graph, compiled once per structure in the context, and run. As the derivative of a traced function is
// traced itself, they compose: the function given here may call jvp, vjp or grad of TracedTensor.
#pragma once

#include <new>

#include "tenferro/runtime/eager_tensor.hpp"
#include "tenferro/runtime/traced_tensor.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace tfe_detail {
/// Inputs like `values`, with their extents as numbers.
[[nodiscard]] TENFERRO_API std::vector<TracedTensor> traced_like(std::span<const EagerTensor> values);
/// The values of `outputs`, which depend on `inputs`, at `values`.
[[nodiscard]] TENFERRO_API std::vector<EagerTensor> evaluate(std::span<const TracedTensor> outputs,
                                                             std::span<const TracedTensor> inputs,
                                                             std::span<const EagerTensor> values);
[[nodiscard]] inline std::vector<std::optional<TracedTensor>> present(std::span<const TracedTensor> values) {
    return {values.begin(), values.end()};
}
}  // namespace tfe_detail

/// A function of traced tensors.
template <class F>
concept TracedFunction = std::invocable<F&, std::span<const TracedTensor>>;

/// Gradients at `at` of a loss: f takes a span of TracedTensors and returns one of rank 0.
template <TracedFunction F>
[[nodiscard]] std::vector<EagerTensor> grad(F&& f, std::span<const EagerTensor> at) try {
    const std::vector<TracedTensor> x = tfe_detail::traced_like(at);
    const TracedTensor loss = f(std::span<const TracedTensor>(x));
    return tfe_detail::evaluate(grad(loss, x), x, at);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("grad");
}

/// The gradient at `at` of a loss of one tensor: f takes a TracedTensor and returns one of rank 0.
template <class F>
requires std::invocable<F&, const TracedTensor&>
[[nodiscard]] EagerTensor grad(F&& f, const EagerTensor& at) {
    const std::vector<TracedTensor> x = tfe_detail::traced_like({&at, 1});
    return tfe_detail::evaluate(grad(f(x[0]), x), x, {&at, 1}).front();
}

/// The tangents at `at`, along `tangents`, of f, which takes a span of TracedTensors and returns a vector of
/// them.
template <TracedFunction F>
[[nodiscard]] std::vector<EagerTensor> jvp(F&& f, std::span<const EagerTensor> at,
                                           std::span<const EagerTensor> tangents) try {
    const std::vector<TracedTensor> x = tfe_detail::traced_like(at), dx = tfe_detail::traced_like(tangents);
    const std::vector<TracedTensor> y = f(std::span<const TracedTensor>(x));
    std::vector<TracedTensor> inputs = x;
    inputs.insert(inputs.end(), dx.begin(), dx.end());
    std::vector<EagerTensor> values(at.begin(), at.end());
    values.insert(values.end(), tangents.begin(), tangents.end());
    return tfe_detail::evaluate(jvp(y, x, tfe_detail::present(dx)), inputs, values);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("jvp");
}

/// The cotangents at `at`, for `cotangents` of its results, of f, which takes a span of TracedTensors and
/// returns a vector.
template <TracedFunction F>
[[nodiscard]] std::vector<EagerTensor> vjp(F&& f, std::span<const EagerTensor> at,
                                           std::span<const EagerTensor> cotangents) try {
    const std::vector<TracedTensor> x = tfe_detail::traced_like(at), ct = tfe_detail::traced_like(cotangents);
    const std::vector<TracedTensor> y = f(std::span<const TracedTensor>(x));
    std::vector<TracedTensor> inputs = x;
    inputs.insert(inputs.end(), ct.begin(), ct.end());
    std::vector<EagerTensor> values(at.begin(), at.end());
    values.insert(values.end(), cotangents.begin(), cotangents.end());
    return tfe_detail::evaluate(vjp(y, x, tfe_detail::present(ct)), inputs, values);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("vjp");
}

}}  // namespace tenferro::TENFERRO_ABI
