/* Calls through the C ABI. The operands are the matrices [1 2; 3 4] and [5 6; 7 8]. */
#include <string.h>
#include <tenferro.h>

#include "bench/calls/calls.h"

static tfe_tensor_f64* operands[2];
static tfe_einsum_plan* plan;
static volatile size_t sink;
static double result[4];

static void prepare(void) {
    if (operands[0] != NULL) return;
    const size_t shape[2] = {2, 2};
    const size_t* const shapes[2] = {shape, shape};
    const size_t ndims[2] = {2, 2};
    const double a[4] = {1, 3, 2, 4}, b[4] = {5, 7, 6, 8};
    operands[0] = tfe_tensor_f64_from_data(a, 4, shape, 2, NULL);
    operands[1] = tfe_tensor_f64_from_data(b, 4, shape, 2, NULL);
    plan = tfe_einsum_plan_create("ij,jk->ik", shapes, ndims, 2, NULL, NULL);
}

static const double* keep(tfe_tensor_f64* tensor) {
    const double* data = tfe_tensor_f64_data(tensor);
    memset(result, 0, sizeof result);
    if (data != NULL) memcpy(result, data, sizeof result);
    tfe_tensor_f64_release(tensor);
    return result;
}

static tfe_tensor_f64* einsum(void) { return tfe_einsum_f64("ij,jk->ik", operands, 2, NULL); }
static tfe_tensor_f64* einsum_plan(void) { return tfe_einsum_plan_run_f64(plan, operands, 2, NULL); }
static tfe_tensor_f64* clone(void) { return tfe_tensor_f64_clone(operands[0], NULL); }
static tfe_tensor_f64* vjp(void) {
    tfe_tensor_f64* gradients[2];
    tfe_einsum_vjp_f64("ij,jk->ik", operands, 2, operands[0], gradients, NULL);
    tfe_tensor_f64_release(gradients[1]);
    return gradients[0];
}

#define DEFINE(name)                                                   \
    static void run_##name(size_t n) {                                 \
        prepare();                                                     \
        for (size_t i = 0; i < n; ++i) tfe_tensor_f64_release(name()); \
    }                                                                  \
    static const double* last_##name(void) {                           \
        prepare();                                                     \
        return keep(name());                                           \
    }
DEFINE(einsum)
DEFINE(einsum_plan)
DEFINE(clone)
DEFINE(vjp)

static void run_ndim(size_t n) {
    prepare();
    for (size_t i = 0; i < n; ++i) sink = tfe_tensor_f64_ndim(operands[0]);
}

const bench_call bench_c_calls[] = {
    {"c: ndim", run_ndim, last_clone},          {"c: clone 2x2", run_clone, last_clone},
    {"c: einsum 2x2", run_einsum, last_einsum}, {"c: einsum 2x2 prepared", run_einsum_plan, last_einsum_plan},
    {"c: einsum 2x2 vjp", run_vjp, last_vjp},
};
const size_t bench_c_call_count = sizeof bench_c_calls / sizeof bench_c_calls[0];
