// Einsums of values out of range: the einsum functions and those of plans with a power of two beside every
// result.
#include "capi/handle_table.hpp"
#include "capi/plan_handle.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/capi/guard.hpp"
#include "tenferro/capi/operands.hpp"
#include "tenferro/capi/progress.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi { namespace {

using tensor_network::EinsumPlan;
using tensor_network::RunOptions;
using tensor_network::ScaledRead;
using tensor_network::ScaledTensor;

template <class Compute>
auto in_session(const Compute& compute) {
    return default_engine().backend().with_backend_session(compute);
}

/// The plan of a string, searched under the watch of the call.
auto plan_of(const char* function, const char* subscripts) {
    check_pointer(function, subscripts, "subscripts");
    return [subscripts](std::span<const TensorRead> operands, const RunOptions& options) {
        return default_engine().plans().get(subscripts, tensor_network::Dialect::Strict, operands, options);
    };
}

/// A plan that the caller has.
auto plan_of(const char* function, const tfe_einsum_plan* handle) {
    return [plan = PlanPointer(*borrow_plan(function, handle))](std::span<const TensorRead>,
                                                                const RunOptions&) { return plan; };
}

/// Work begins with a search where there is no plan yet.
std::int32_t first_phase(const char*) { return TFE_PHASE_SEARCH; }
std::int32_t first_phase(const tfe_einsum_plan*) { return TFE_PHASE_RUN; }

template <class T>
Handle<T>* publish_scaled(ScaledTensor result, std::int64_t* exponent_out) {
    Handle<T>* const handle = publish<T>(std::move(result.mantissa));
    *exponent_out = result.exponent;
    return handle;
}

template <class T, class Einsum>
Handle<T>* run(const char* name, const Einsum* einsum, Handle<T>* const* array, std::size_t n,
               std::int64_t* exponent_out, tfe_status_t* status) noexcept {
    return guard(name, status, [&](const char* function) {
        const auto planned = plan_of(function, einsum);
        const Operands operands = borrow_operands<T>(function, array, n, "operands", "operand");
        check_pointer(function, exponent_out, "exponent_out");
        const Watch watch(first_phase(einsum));
        const auto plan = planned(operands.views(), watch.options());
        return publish_scaled<T>(in_session([&](BackendSession& session) {
                                     return plan->run_scaled(session, operands.views(), watch.options());
                                 }),
                                 exponent_out);
    });
}

template <class T, class Einsum>
void vjp(const char* name, const Einsum* einsum, Handle<T>* const* array, std::size_t n,
         const Handle<T>* cotangent, std::int64_t cotangent_exponent, Handle<T>** grads_out,
         std::int64_t* exponents_out, tfe_status_t* status) noexcept {
    clear_outputs<T>(grads_out, n);
    guard(name, status, [&](const char* function) {
        const auto planned = plan_of(function, einsum);
        check_array(function, grads_out, "grads_out", n, "n");
        check_array(function, exponents_out, "exponents_out", n, "n");
        const Operands operands = borrow_operands<T>(function, array, n, "operands", "operand");
        const Borrowed pulled = borrow<T>(function, cotangent, {"cotangent"});
        const Watch watch(first_phase(einsum));
        const auto plan = planned(operands.views(), watch.options());
        std::vector<ScaledTensor> gradients = in_session([&](BackendSession& session) {
            return plan->vjp_scaled(session, operands.views(), ScaledRead{pulled->read(), cotangent_exponent},
                                    watch.options());
        });
        std::vector<Tensor> mantissas;
        for (ScaledTensor& gradient : gradients) mantissas.push_back(std::move(gradient.mantissa));
        publish_all<T>(std::move(mantissas), grads_out, n);
        for (std::size_t i = 0; i < n; ++i) exponents_out[i] = gradients[i].exponent;
    });
}

template <class T, class Einsum>
Handle<T>* jvp(const char* name, const Einsum* einsum, Handle<T>* const* primals, std::size_t n,
               Handle<T>* const* tangents, std::int64_t* exponent_out, tfe_status_t* status) noexcept {
    return guard(name, status, [&](const char* function) {
        const auto planned = plan_of(function, einsum);
        const Operands operands = borrow_operands<T>(function, primals, n, "primals", "primal");
        const Tangents directions = borrow_tangents<T>(function, tangents, n);
        check_pointer(function, exponent_out, "exponent_out");
        const Watch watch(first_phase(einsum));
        const auto plan = planned(operands.views(), watch.options());
        return publish_scaled<T>(in_session([&](BackendSession& session) {
                                     return plan->jvp_scaled(session, operands.views(), directions.views,
                                                             watch.options());
                                 }),
                                 exponent_out);
    });
}

}}}}  // namespace tenferro::TENFERRO_ABI::capi

namespace capi = tenferro::capi;

/* For a string (`argument` is const char* subscripts) and for a plan. */
#define TFE_DEFINE_SCALED_OF(run_name, vjp_name, jvp_name, argument, einsum, suffix, element)       \
    tfe_tensor_##suffix* run_name(argument, tfe_tensor_##suffix* const* operands, size_t n,         \
                                  int64_t* exponent_out, tfe_status_t* status) {                    \
        return capi::run<element>(__func__, einsum, operands, n, exponent_out, status);             \
    }                                                                                               \
    void vjp_name(argument, tfe_tensor_##suffix* const* operands, size_t n,                         \
                  const tfe_tensor_##suffix* cotangent, int64_t cotangent_exponent,                 \
                  tfe_tensor_##suffix** grads_out, int64_t* exponents_out, tfe_status_t* status) {  \
        capi::vjp<element>(__func__, einsum, operands, n, cotangent, cotangent_exponent, grads_out, \
                           exponents_out, status);                                                  \
    }                                                                                               \
    tfe_tensor_##suffix* jvp_name(argument, tfe_tensor_##suffix* const* primals, size_t n,          \
                                  tfe_tensor_##suffix* const* tangents, int64_t* exponent_out,      \
                                  tfe_status_t* status) {                                           \
        return capi::jvp<element>(__func__, einsum, primals, n, tangents, exponent_out, status);    \
    }
#define TFE_DEFINE_SCALED(suffix, element, c_scalar)                                                     \
    TFE_DEFINE_SCALED_OF(tfe_einsum_scaled_##suffix, tfe_einsum_vjp_scaled_##suffix,                     \
                         tfe_einsum_jvp_scaled_##suffix, const char* subscripts, subscripts, suffix,     \
                         element)                                                                        \
    TFE_DEFINE_SCALED_OF(tfe_einsum_plan_run_scaled_##suffix, tfe_einsum_plan_vjp_scaled_##suffix,       \
                         tfe_einsum_plan_jvp_scaled_##suffix, const tfe_einsum_plan* plan, plan, suffix, \
                         element)

TFE_FOR_EACH_ELEMENT(TFE_DEFINE_SCALED)
