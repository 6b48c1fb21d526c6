// Einsum plans as handles: subscripts and shapes are parsed, checked and searched once, then run on the
// default engine with any element type.
#include <algorithm>
#include <cstring>
#include <limits>

#include "capi/guard.hpp"
#include "capi/operands.hpp"
#include "capi/structs.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi { namespace {

constexpr std::int32_t kMaxExact = 16;
constexpr std::int32_t kMaxAttempts = 1 << 20;
constexpr double kMaxDeadline = 1e9;  // seconds

#define TFE_END(type, field) (offsetof(type, field) + sizeof(type::field))
const StructLayout kOptionsLayout{
    {TFE_END(tfe_einsum_plan_options, struct_size), TFE_END(tfe_einsum_plan_options, max_exact),
     TFE_END(tfe_einsum_plan_options, greedy_attempts), TFE_END(tfe_einsum_plan_options, seed),
     TFE_END(tfe_einsum_plan_options, deadline), TFE_END(tfe_einsum_plan_options, memory_limit),
     TFE_END(tfe_einsum_plan_options, objective), TFE_END(tfe_einsum_plan_options, element_bytes),
     TFE_END(tfe_einsum_plan_options, threads), TFE_END(tfe_einsum_plan_options, reserved)},
    sizeof(tfe_einsum_plan_options)};
const StructLayout kCostLayout{
    {TFE_END(tfe_einsum_plan_cost, struct_size), TFE_END(tfe_einsum_plan_cost, flops),
     TFE_END(tfe_einsum_plan_cost, bytes), TFE_END(tfe_einsum_plan_cost, seconds),
     TFE_END(tfe_einsum_plan_cost, peak_bytes), TFE_END(tfe_einsum_plan_cost, largest_intermediate),
     TFE_END(tfe_einsum_plan_cost, slices)},
    sizeof(tfe_einsum_plan_cost)};
#undef TFE_END

template <class T>
void check_range(const char* function, std::string_view field, T value, T low, T high) {
    if (value < low || value > high)
        throw Error(ErrorKind::InvalidArgument, function,
                    text("options->", field, " is ", value, " but must be ", low, " to ", high));
}

einsum::PathObjective to_objective(const char* function, std::int32_t objective) {
    switch (objective) {
        case TFE_EINSUM_OBJECTIVE_TIME: return einsum::PathObjective::Time;
        case TFE_EINSUM_OBJECTIVE_FLOPS: return einsum::PathObjective::Flops;
        case TFE_EINSUM_OBJECTIVE_MEMORY: return einsum::PathObjective::Memory;
        default:
            throw Error(
                ErrorKind::InvalidArgument, function,
                text("options->objective is ", objective, " but must be 0 (time), 1 (flops) or 2 (memory)"));
    }
}

/// The fields that the caller's header knew; the rest keep their defaults. Fields that only a later header
/// knows must be 0.
einsum::PathOptions to_path_options(const char* function, const tfe_einsum_plan_options* given) {
    tfe_einsum_plan_options options = TFE_EINSUM_PLAN_OPTIONS_INIT;
    if (given != nullptr) read_struct(function, "options", given, kOptionsLayout, &options);
    check_range(function, "max_exact", options.max_exact, 0, kMaxExact);
    check_range(function, "greedy_attempts", options.greedy_attempts, 1, kMaxAttempts);
    if (!(options.deadline >= 0 && options.deadline <= kMaxDeadline))  // nor is it when it is not a number
        throw Error(ErrorKind::InvalidArgument, function,
                    text("options->deadline is ", std::to_string(options.deadline),
                         " but must be 0 to 1000000000 seconds"));
    check_range(function, "memory_limit", options.memory_limit, std::int64_t{0},
                std::numeric_limits<std::int64_t>::max());
    check_range(function, "element_bytes", options.element_bytes, 1, 16);
    check_range(function, "threads", options.threads, 1, 1024);
    check_range(function, "reserved", options.reserved, 0, 0);
    einsum::PathOptions path;
    path.max_exact = options.max_exact;
    path.greedy_attempts = options.greedy_attempts;
    path.seed = options.seed;
    path.objective = to_objective(function, options.objective);
    path.deadline = options.deadline;
    path.dtype = options.element_bytes <= 4   ? DType::F32
                 : options.element_bytes <= 8 ? DType::F64
                                              : DType::C64;
    path.threads = options.threads;
    path.memory_limit_bytes = options.memory_limit;
    return path;
}

tfe_einsum_plan* create(const char* function, const char* subscripts, const std::size_t* const* shapes,
                        const std::size_t* ndims, std::size_t n, const tfe_einsum_plan_options* options) {
    check_pointer(function, subscripts, "subscripts");
    if (n == 0)
        throw Error(ErrorKind::InvalidArgument, function, "n is 0 but an einsum has at least one operand");
    check_array(function, shapes, "shapes", n, "n");
    check_array(function, ndims, "ndims", n, "n");
    std::vector<Dims> dims;
    for (std::size_t i = 0; i < n; ++i) dims.push_back(to_dims(function, shapes[i], ndims[i]));
    const einsum::PathOptions path = to_path_options(function, options);
    PlanPointer plan =
        std::make_shared<const einsum::EinsumPlan>(einsum::Subscripts::parse(subscripts), dims, path);
    return reinterpret_cast<tfe_einsum_plan*>(plan_handles().publish(std::move(plan)));
}

PlanTable::Pin borrow_plan(const char* function, const tfe_einsum_plan* plan) {
    PlanTable::Pin pin = plan_handles().pin(reinterpret_cast<Token>(plan));
    if (!pin) throw dead_handle(function, plan, "plan", "plan");
    return pin;
}

void get_cost(const char* function, const tfe_einsum_plan* handle, tfe_einsum_plan_cost* out) {
    const PlanTable::Pin plan = borrow_plan(function, handle);
    check_pointer(function, out, "out");
    const einsum::ContractionCost& cost = (*plan)->cost();
    const tfe_einsum_plan_cost all{
        0, cost.flops, cost.bytes, cost.seconds, cost.peak_bytes, cost.largest_intermediate, cost.slices};
    write_struct(function, "out", out, kCostLayout, &all);
}

template <class T>
Handle<T>* run(const char* function, const tfe_einsum_plan* handle, Handle<T>* const* array, std::size_t n) {
    const PlanTable::Pin plan = borrow_plan(function, handle);
    const Operands operands = borrow_operands<T>(function, array, n, "operands", "operand");
    return publish<T>(default_engine().backend().with_backend_session(
        [&](BackendSession& session) { return (*plan)->run(session, operands.views()); }));
}

template <class T>
void vjp(const char* name, const tfe_einsum_plan* handle, Handle<T>* const* array, std::size_t n,
         const Handle<T>* cotangent, Handle<T>** grads_out, tfe_status_t* status) noexcept {
    clear_outputs<T>(grads_out, n);
    guard(name, status, [&](const char* function) {
        const PlanTable::Pin plan = borrow_plan(function, handle);
        check_array(function, grads_out, "grads_out", n, "n");
        const Operands operands = borrow_operands<T>(function, array, n, "operands", "operand");
        const HandleTable::Pin pulled = borrow<T>(function, cotangent, {"cotangent"});
        publish_all<T>(default_engine().backend().with_backend_session([&](BackendSession& session) {
            return (*plan)->vjp(session, operands.views(), *pulled);
        }),
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

}}}}  // namespace tenferro::TENFERRO_ABI::capi

namespace capi = tenferro::capi;

tfe_einsum_plan* tfe_einsum_plan_create(const char* subscripts, const size_t* const* shapes,
                                        const size_t* ndims, size_t n, const tfe_einsum_plan_options* options,
                                        tfe_status_t* status) {
    return capi::guard(__func__, status, [&](const char* function) {
        return capi::create(function, subscripts, shapes, ndims, n, options);
    });
}

void tfe_einsum_plan_release(tfe_einsum_plan* plan) {
    capi::guard(__func__, nullptr, [&](const char* function) {
        if (plan != nullptr && !capi::plan_handles().release(reinterpret_cast<capi::Token>(plan)))
            throw capi::dead_handle(function, plan, "plan", "plan");
    });
}

void tfe_einsum_plan_get_cost(const tfe_einsum_plan* plan, tfe_einsum_plan_cost* out, tfe_status_t* status) {
    capi::guard(__func__, status, [&](const char* function) { capi::get_cost(function, plan, out); });
}

int32_t tfe_einsum_plan_is_assigned(const tfe_einsum_plan* plan) {
    return capi::plan_handles().pin(reinterpret_cast<capi::Token>(plan)) ? 1 : 0;
}

#define TFE_DEFINE_PLAN(suffix, element, c_scalar)                                                           \
    tfe_tensor_##suffix* tfe_einsum_plan_run_##suffix(                                                       \
        const tfe_einsum_plan* plan, tfe_tensor_##suffix* const* operands, size_t n, tfe_status_t* status) { \
        return capi::guard(__func__, status, [&](const char* function) {                                     \
            return capi::run<element>(function, plan, operands, n);                                          \
        });                                                                                                  \
    }                                                                                                        \
    void tfe_einsum_plan_vjp_##suffix(const tfe_einsum_plan* plan, tfe_tensor_##suffix* const* operands,     \
                                      size_t n, const tfe_tensor_##suffix* cotangent,                        \
                                      tfe_tensor_##suffix** grads_out, tfe_status_t* status) {               \
        capi::vjp<element>(__func__, plan, operands, n, cotangent, grads_out, status);                       \
    }                                                                                                        \
    tfe_tensor_##suffix* tfe_einsum_plan_jvp_##suffix(                                                       \
        const tfe_einsum_plan* plan, tfe_tensor_##suffix* const* primals, size_t n,                          \
        tfe_tensor_##suffix* const* tangents, tfe_status_t* status) {                                        \
        return capi::guard(__func__, status, [&](const char* function) {                                     \
            return capi::jvp<element>(function, plan, primals, n, tangents);                                 \
        });                                                                                                  \
    }

TFE_FOR_EACH_ELEMENT(TFE_DEFINE_PLAN)
