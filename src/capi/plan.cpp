// Einsum plans as handles: subscripts and shapes are parsed, checked and searched once, then run on the
// default engine with any element type.
#include "capi/handle_table.hpp"
#include "capi/plan_handle.hpp"
#include "capi/plan_options.hpp"
#include "capi/structs.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/capi/guard.hpp"
#include "tenferro/capi/operands.hpp"
#include "tenferro/capi/progress.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi { namespace {

// clang-format off
#define TFE_COST_END(field) TFE_END(tfe_einsum_plan_cost, field)
constexpr std::size_t kCostEnds[] = {
    TFE_COST_END(struct_size),
    TFE_COST_END(flops),
    TFE_COST_END(bytes),
    TFE_COST_END(seconds),
    TFE_COST_END(peak_bytes),
    TFE_COST_END(largest_intermediate),
    TFE_COST_END(slices),
};
// clang-format on
constexpr StructLayout kCostLayout{kCostEnds, sizeof(tfe_einsum_plan_cost)};

/// The shapes and options that every plan is made of.
struct PlanArguments {
    const std::size_t* const* shapes;
    const std::size_t* ndims;
    std::size_t n;
    const tfe_einsum_plan_options* options;

    void check(const char* function) const {
        if (n == 0)
            throw Error(ErrorKind::InvalidArgument, function,
                        "n is 0 but an einsum has at least one operand");
        check_array(function, shapes, "shapes", n, "n");
        check_array(function, ndims, "ndims", n, "n");
    }
};

tfe_einsum_plan* publish_plan(PlanPointer plan) {
    return reinterpret_cast<tfe_einsum_plan*>(plan_handles().publish(std::move(plan)));
}

/// `subscripts` makes them, once everything else has been checked.
template <class MakeSubscripts>
tfe_einsum_plan* create(const char* function, const PlanArguments& given, const MakeSubscripts& subscripts) {
    std::vector<Dims> dims;
    for (std::size_t i = 0; i < given.n; ++i)
        dims.push_back(to_dims(function, given.shapes[i], given.ndims[i]));
    PlanOptions options = to_plan_options(function, given.options, given.n);
    if (options.path)
        return publish_plan(std::make_shared<const tensor_network::EinsumPlan>(
            subscripts(), dims, *options.path, options.search.dtype));
    const Watch watch(TFE_PHASE_SEARCH);
    options.search.cancellation = watch.options().cancellation;
    options.search.progress = watch.options().search;
    return publish_plan(
        std::make_shared<const tensor_network::EinsumPlan>(subscripts(), dims, options.search));
}

tfe_einsum_plan* create_from_text(const char* function, const char* subscripts, const PlanArguments& given) {
    check_pointer(function, subscripts, "subscripts");
    given.check(function);
    return create(function, given, [&] { return tensor_network::Subscripts::parse(subscripts); });
}

tfe_einsum_plan* create_from_labels(const char* function, const std::int32_t* const* labels,
                                    const std::int32_t* output, std::size_t output_ndim,
                                    const PlanArguments& given) {
    given.check(function);
    check_array(function, labels, "labels", given.n, "n");
    check_array(function, output, "output", output_ndim, "output_ndim");
    std::vector<std::span<const std::int32_t>> inputs;
    for (std::size_t i = 0; i < given.n; ++i) {
        check_array(function, labels[i], text("labels[", i, "]"), given.ndims[i], text("ndims[", i, "]"));
        inputs.emplace_back(labels[i], given.ndims[i]);
    }
    return create(function, given, [&] {
        return tensor_network::Subscripts::from_labels(inputs, {output, output_ndim});
    });
}

/// `cost_of` is asked once the arguments are known to be good.
template <class CostOf>
void get_cost(const char* function, const tfe_einsum_plan* handle, tfe_einsum_plan_cost* out,
              const CostOf& cost_of) {
    const PlanTable::Pin plan = borrow_plan(function, handle);
    check_pointer(function, out, "out");
    const tensor_network::ContractionCost cost = cost_of(**plan);
    const tfe_einsum_plan_cost all{
        0, cost.flops, cost.bytes, cost.seconds, cost.peak_bytes, cost.largest_intermediate, cost.slices};
    write_struct(function, "out", out, kCostLayout, &all);
}

void get_path(const char* function, const tfe_einsum_plan* handle, std::size_t* buffer, std::size_t length,
              std::size_t* out_len) {
    const PlanTable::Pin plan = borrow_plan(function, handle);
    const auto path = tensor_network::path_from_tree((*plan)->tree());
    if (!wants_elements(function, buffer, length, out_len, 2 * path.size())) return;
    for (const std::vector<int>& step : path)
        for (const int position : step) *buffer++ = static_cast<std::size_t>(position);
}

template <class T>
Handle<T>* run(const char* function, const tfe_einsum_plan* handle, Handle<T>* const* array, std::size_t n) {
    const PlanTable::Pin plan = borrow_plan(function, handle);
    const Operands operands = borrow_operands<T>(function, array, n, "operands", "operand");
    const Watch watch(TFE_PHASE_RUN);
    return publish<T>(default_engine().backend().with_backend_session(
        [&](BackendSession& session) { return (*plan)->run(session, operands.views(), watch.options()); }));
}

template <class T>
void vjp(const char* name, const tfe_einsum_plan* handle, Handle<T>* const* array, std::size_t n,
         const Handle<T>* cotangent, Handle<T>** grads_out, tfe_status_t* status) noexcept {
    clear_outputs<T>(grads_out, n);
    guard(name, status, [&](const char* function) {
        const PlanTable::Pin plan = borrow_plan(function, handle);
        check_array(function, grads_out, "grads_out", n, "n");
        const Operands operands = borrow_operands<T>(function, array, n, "operands", "operand");
        const Borrowed pulled = borrow<T>(function, cotangent, {"cotangent"});
        const Watch watch(TFE_PHASE_RUN);
        publish_all<T>(default_engine().backend().with_backend_session([&](BackendSession& session) {
            return (*plan)->vjp(session, operands.views(), *pulled, watch.options());
        }),
                       grads_out, n);
    });
}

template <class T>
Handle<T>* jvp(const char* function, const tfe_einsum_plan* handle, Handle<T>* const* primals, std::size_t n,
               Handle<T>* const* tangents) {
    const PlanTable::Pin plan = borrow_plan(function, handle);
    const Operands operands = borrow_operands<T>(function, primals, n, "primals", "primal");
    const Tangents directions = borrow_tangents<T>(function, tangents, n);
    const Watch watch(TFE_PHASE_RUN);
    return publish<T>(default_engine().backend().with_backend_session([&](BackendSession& session) {
        return (*plan)->jvp(session, operands.views(), directions.views, watch.options());
    }));
}

}}}}  // namespace tenferro::TENFERRO_ABI::capi

namespace capi = tenferro::capi;

tfe_einsum_plan* tfe_einsum_plan_create(const char* subscripts, const size_t* const* shapes,
                                        const size_t* ndims, size_t n, const tfe_einsum_plan_options* options,
                                        tfe_status_t* status) {
    return capi::guard(__func__, status, [&](const char* function) {
        return capi::create_from_text(function, subscripts, {shapes, ndims, n, options});
    });
}

tfe_einsum_plan* tfe_einsum_plan_create_from_labels(const int32_t* const* labels, const size_t* const* shapes,
                                                    const size_t* ndims, size_t n, const int32_t* output,
                                                    size_t output_ndim,
                                                    const tfe_einsum_plan_options* options,
                                                    tfe_status_t* status) {
    return capi::guard(__func__, status, [&](const char* function) {
        return capi::create_from_labels(function, labels, output, output_ndim, {shapes, ndims, n, options});
    });
}

tfe_einsum_plan* tfe_einsum_plan_clone(const tfe_einsum_plan* plan, tfe_status_t* status) {
    return capi::guard(__func__, status, [&](const char* function) {
        return capi::publish_plan(*capi::borrow_plan(function, plan));
    });
}

void tfe_einsum_plan_release(tfe_einsum_plan* plan) {
    capi::guard(__func__, nullptr, [&](const char* function) {
        if (plan != nullptr && !capi::plan_handles().release(reinterpret_cast<capi::Token>(plan)))
            throw capi::dead_handle(function, plan, "plan", "plan");
    });
}

void tfe_einsum_plan_get_cost(const tfe_einsum_plan* plan, tfe_einsum_plan_cost* out, tfe_status_t* status) {
    capi::guard(__func__, status, [&](const char* function) {
        capi::get_cost(function, plan, out, [](const auto& prepared) { return prepared.cost(); });
    });
}

void tfe_einsum_plan_get_vjp_cost(const tfe_einsum_plan* plan, tfe_einsum_plan_cost* out,
                                  tfe_status_t* status) {
    capi::guard(__func__, status, [&](const char* function) {
        capi::get_cost(function, plan, out, [](const auto& prepared) { return prepared.vjp_cost(); });
    });
}

void tfe_einsum_plan_get_path(const tfe_einsum_plan* plan, size_t* buf, size_t buf_len, size_t* out_len,
                              tfe_status_t* status) {
    capi::guard(__func__, status,
                [&](const char* function) { capi::get_path(function, plan, buf, buf_len, out_len); });
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
