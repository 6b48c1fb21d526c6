// Einsum plans as handles: subscripts and shapes are parsed, checked and searched once, then run on the default engine with any
// element type.
#include <algorithm>
#include <cstring>

#include "capi/guard.hpp"
#include "capi/operands.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::inline TENFERRO_ABI::capi {

namespace {

constexpr std::int32_t kMaxExact = 16;
constexpr std::int32_t kMaxAttempts = 1 << 20;

void check_range(const char* function, std::string_view field, std::int32_t value, std::int32_t low, std::int32_t high) {
    if (value < low || value > high)
        throw Error(ErrorKind::InvalidArgument, function,
                    text("options->", field, " is ", value, " but must be ", low, " to ", high));
}

/// The fields that the caller's header knew; the rest keep their defaults. Fields that only a later header knows must be 0.
einsum::PathOptions to_path_options(const char* function, const tfe_einsum_plan_options* given) {
    tfe_einsum_plan_options options = TFE_EINSUM_PLAN_OPTIONS_INIT;
    if (given != nullptr) {
        const std::size_t size = given->struct_size;
        if (size < sizeof size || size > 4096)
            throw Error(ErrorKind::InvalidArgument, function,
                        text("options->struct_size is ", size, " but this library's is ", sizeof options));
        const auto* bytes = reinterpret_cast<const unsigned char*>(given);
        if (std::any_of(bytes + std::min(size, sizeof options), bytes + size, [](unsigned char byte) { return byte != 0; }))
            throw Error(ErrorKind::Unsupported, function,
                        text("options sets a field beyond the ", sizeof options, " bytes that this library knows"));
        std::memcpy(&options, given, std::min(size, sizeof options));
    }
    check_range(function, "max_exact", options.max_exact, 0, kMaxExact);
    check_range(function, "greedy_attempts", options.greedy_attempts, 1, kMaxAttempts);
    einsum::PathOptions path;
    path.max_exact = options.max_exact;
    path.greedy_attempts = options.greedy_attempts;
    path.seed = options.seed;
    return path;
}

tfe_einsum_plan* create(const char* function, const char* subscripts, const std::size_t* const* shapes, const std::size_t* ndims,
                        std::size_t n, const tfe_einsum_plan_options* options) {
    check_pointer(function, subscripts, "subscripts");
    if (n == 0) throw Error(ErrorKind::InvalidArgument, function, "n is 0 but an einsum has at least one operand");
    check_array(function, shapes, "shapes", n, "n");
    check_array(function, ndims, "ndims", n, "n");
    std::vector<Dims> dims;
    for (std::size_t i = 0; i < n; ++i) dims.push_back(to_dims(function, shapes[i], ndims[i]));
    const einsum::PathOptions path = to_path_options(function, options);
    PlanPointer plan = std::make_shared<const einsum::EinsumPlan>(einsum::Subscripts::parse(subscripts), dims, path);
    return reinterpret_cast<tfe_einsum_plan*>(plan_handles().publish(std::move(plan)));
}

PlanTable::Pin borrow_plan(const char* function, const tfe_einsum_plan* plan) {
    PlanTable::Pin pin = plan_handles().pin(reinterpret_cast<Token>(plan));
    if (!pin) throw dead_handle(function, plan, "plan", "plan");
    return pin;
}

template <class T>
Handle<T>* run(const char* function, const tfe_einsum_plan* handle, Handle<T>* const* array, std::size_t n) {
    const PlanTable::Pin plan = borrow_plan(function, handle);
    const Operands operands = borrow_operands<T>(function, array, n, "operands", "operand");
    return publish<T>(default_engine().backend().with_backend_session(
        [&](BackendSession& session) { return (*plan)->run(session, operands.views()); }));
}

template <class T>
void vjp(const char* name, const tfe_einsum_plan* handle, Handle<T>* const* array, std::size_t n, const Handle<T>* cotangent,
         Handle<T>** grads_out, tfe_status_t* status) noexcept {
    clear_outputs<T>(grads_out, n);
    guard(name, status, [&](const char* function) {
        const PlanTable::Pin plan = borrow_plan(function, handle);
        check_array(function, grads_out, "grads_out", n, "n");
        const Operands operands = borrow_operands<T>(function, array, n, "operands", "operand");
        const HandleTable::Pin pulled = borrow<T>(function, cotangent, {"cotangent"});
        publish_all<T>(default_engine().backend().with_backend_session(
                           [&](BackendSession& session) { return (*plan)->vjp(session, operands.views(), *pulled); }),
                       grads_out);
    });
}

template <class T>
Handle<T>* jvp(const char* function, const tfe_einsum_plan* handle, Handle<T>* const* primals, std::size_t n,
               Handle<T>* const* tangents) {
    const PlanTable::Pin plan = borrow_plan(function, handle);
    const Operands operands = borrow_operands<T>(function, primals, n, "primals", "primal");
    const Tangents directions = borrow_tangents<T>(function, tangents, n);
    return publish<T>(default_engine().backend().with_backend_session(
        [&](BackendSession& session) { return (*plan)->jvp(session, operands.views(), directions.views); }));
}

}  // namespace

}  // namespace tenferro::inline TENFERRO_ABI::capi

namespace capi = tenferro::capi;

tfe_einsum_plan* tfe_einsum_plan_create(const char* subscripts, const size_t* const* shapes, const size_t* ndims, size_t n,
                                        const tfe_einsum_plan_options* options, tfe_status_t* status) {
    return capi::guard(__func__, status,
                       [&](const char* function) { return capi::create(function, subscripts, shapes, ndims, n, options); });
}

void tfe_einsum_plan_release(tfe_einsum_plan* plan) {
    capi::guard(__func__, nullptr, [&](const char* function) {
        if (plan != nullptr && !capi::plan_handles().release(reinterpret_cast<capi::Token>(plan)))
            throw capi::dead_handle(function, plan, "plan", "plan");
    });
}

int32_t tfe_einsum_plan_is_assigned(const tfe_einsum_plan* plan) {
    return capi::plan_handles().pin(reinterpret_cast<capi::Token>(plan)) ? 1 : 0;
}

#define TFE_DEFINE_PLAN(suffix, element, c_scalar)                                                                            \
    tfe_tensor_##suffix* tfe_einsum_plan_run_##suffix(const tfe_einsum_plan* plan, tfe_tensor_##suffix* const* operands,      \
                                                      size_t n, tfe_status_t* status) {                                       \
        return capi::guard(__func__, status,                                                                                  \
                           [&](const char* function) { return capi::run<element>(function, plan, operands, n); });            \
    }                                                                                                                         \
    void tfe_einsum_plan_vjp_##suffix(const tfe_einsum_plan* plan, tfe_tensor_##suffix* const* operands, size_t n,            \
                                      const tfe_tensor_##suffix* cotangent, tfe_tensor_##suffix** grads_out,                  \
                                      tfe_status_t* status) {                                                                 \
        capi::vjp<element>(__func__, plan, operands, n, cotangent, grads_out, status);                                        \
    }                                                                                                                         \
    tfe_tensor_##suffix* tfe_einsum_plan_jvp_##suffix(const tfe_einsum_plan* plan, tfe_tensor_##suffix* const* primals,       \
                                                      size_t n, tfe_tensor_##suffix* const* tangents, tfe_status_t* status) { \
        return capi::guard(__func__, status,                                                                                  \
                           [&](const char* function) { return capi::jvp<element>(function, plan, primals, n, tangents); });   \
    }

TFE_FOR_EACH_ELEMENT(TFE_DEFINE_PLAN)
