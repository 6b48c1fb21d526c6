// The C functions of an einsum over any algebra: everything but the arithmetic, which the caller passes.
#pragma once

#include <string_view>

#include "tenferro/capi/guard.hpp"
#include "tenferro/capi/operands.hpp"
#include "tenferro/capi/progress.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi {

/// A function of the form of tfe_einsum_f64. Its result is Tensor compute(std::string_view subscripts,
/// std::span<const TensorRead> operands, const tensor_network::RunOptions& options).
template <class T, class Compute>
Handle<T>* einsum(const char* name, const char* subscripts, Handle<T>* const* array, std::size_t n,
                  tfe_status_t* status, const Compute& compute) noexcept {
    return guard(name, status, [&](const char* function) {
        check_pointer(function, subscripts, "subscripts");
        const Operands operands = borrow_operands<T>(function, array, n, "operands", "operand");
        const Watch watch(TFE_PHASE_SEARCH);
        return publish<T>(compute(std::string_view(subscripts), operands.views(), watch.options()));
    });
}

/// A function of the form of tfe_einsum_vjp_f64. The gradients are std::vector<Tensor> compute(subscripts,
/// operands, const Tensor& cotangent, options).
template <class T, class Compute>
void einsum_vjp(const char* name, const char* subscripts, Handle<T>* const* array, std::size_t n,
                const Handle<T>* cotangent, Handle<T>** grads_out, tfe_status_t* status,
                const Compute& compute) noexcept {
    clear_outputs<T>(grads_out, n);
    guard(name, status, [&](const char* function) {
        check_pointer(function, subscripts, "subscripts");
        check_array(function, grads_out, "grads_out", n, "n");
        const Operands operands = borrow_operands<T>(function, array, n, "operands", "operand");
        const Borrowed pulled = borrow<T>(function, cotangent, {"cotangent"});
        const Watch watch(TFE_PHASE_SEARCH);
        publish_all<T>(compute(std::string_view(subscripts), operands.views(), *pulled, watch.options()),
                       grads_out, n);
    });
}

/// A function of the form of tfe_einsum_jvp_f64. The tangent is Tensor compute(subscripts, primals,
/// std::span<const std::optional<TensorRead>> tangents, options).
template <class T, class Compute>
Handle<T>* einsum_jvp(const char* name, const char* subscripts, Handle<T>* const* primals, std::size_t n,
                      Handle<T>* const* tangents, tfe_status_t* status, const Compute& compute) noexcept {
    return guard(name, status, [&](const char* function) {
        check_pointer(function, subscripts, "subscripts");
        const Operands operands = borrow_operands<T>(function, primals, n, "primals", "primal");
        const Tangents directions = borrow_tangents<T>(function, tangents, n);
        const Watch watch(TFE_PHASE_SEARCH);
        return publish<T>(compute(std::string_view(subscripts), operands.views(), std::span(directions.views),
                                  watch.options()));
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::capi
