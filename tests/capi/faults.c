/* Every fault point of every function failed in turn, once and for ever, as an out-of-memory and as an unexpected exception:
 * TFE_INTERNAL_ERROR with a message, outputs NULL, no handle left over, and the next call works. */
#include "check.h"
#include "fault_control.h"

static const double kValues[4] = {1, 3, 2, 4};
static const size_t kShape[2] = {2, 2};
static tfe_tensor_f64 *a, *operands[2];

/* A call to fail: writes its results to out and returns its status. */
typedef tfe_status_t (*call)(tfe_tensor_f64** out);

static tfe_status_t call_from_data(tfe_tensor_f64** out) {
    tfe_status_t status = 77;
    out[0] = tfe_tensor_f64_from_data(kValues, 4, kShape, 2, &status);
    return status;
}
static tfe_status_t call_zeros(tfe_tensor_f64** out) {
    tfe_status_t status = 77;
    out[0] = tfe_tensor_f64_zeros(kShape, 2, &status);
    return status;
}
static tfe_status_t call_clone(tfe_tensor_f64** out) {
    tfe_status_t status = 77;
    out[0] = tfe_tensor_f64_clone(a, &status);
    return status;
}
static tfe_status_t call_einsum(tfe_tensor_f64** out) {
    tfe_status_t status = 77;
    out[0] = tfe_einsum_f64("ij,jk->ki", operands, 2, &status);
    return status;
}
static tfe_status_t call_vjp(tfe_tensor_f64** out) {
    tfe_status_t status = 77;
    tfe_einsum_vjp_f64("ij,jk->ki", operands, 2, a, out, &status);
    return status;
}
static tfe_status_t call_jvp(tfe_tensor_f64** out) {
    tfe_status_t status = 77;
    out[0] = tfe_einsum_jvp_f64("ij,jk->ki", operands, 2, operands, &status);
    return status;
}

static void release_results(tfe_tensor_f64** out) {
    tfe_tensor_f64_release(out[0]);
    tfe_tensor_f64_release(out[1]);
}

/* Fails the call at its first, second, … fault point until it gets through; returns at how many it failed. */
static long sweep(call function, int internal, int forever) {
    long countdown;
    for (countdown = 1; countdown < 1000; ++countdown) {
        const size_t before = live_handles();
        tfe_tensor_f64* out[2] = {NULL, NULL};
        tfe_status_t status;
        int failed;
        fault_arm(countdown, internal, forever);
        status = function(out);
        failed = fault_disarm();
        if (!failed) {
            CHECK(status == TFE_SUCCESS && out[0] != NULL);
            release_results(out);
            return countdown - 1;
        }
        if (status == TFE_SUCCESS) { /* a fault that the library recovered from, such as a cache that could not grow */
            CHECK(out[0] != NULL);
            release_results(out);
        } else {
            CHECK(status == TFE_INTERNAL_ERROR);
            CHECK(out[0] == NULL && out[1] == NULL);
            CHECK(strstr(last_message(), internal ? "injected internal fault" : "out of memory") != NULL);
        }
        CHECK(live_handles() == before);
        out[0] = out[1] = NULL;
        CHECK(function(out) == TFE_SUCCESS && out[0] != NULL);
        release_results(out);
    }
    return countdown;
}

static void sweep_all(call function, long least) {
    int internal, forever;
    for (internal = 0; internal < 2; ++internal)
        for (forever = 0; forever < 2; ++forever) {
            const long points = sweep(function, internal, forever);
            CHECK(points >= least && points < 999);
        }
}

/* Functions without a status: they report, return 0 or NULL, and a failed release can be repeated. */
static void queries(void) {
    size_t shape[2] = {7, 7};
    tfe_tensor_f64* tensor = make2(2, 2, kValues);
#define CHECK_FAULT(expression)                                           \
    do {                                                                  \
        fault_arm(1, 1, 0);                                               \
        CHECK(expression);                                                \
        CHECK(fault_disarm());                                            \
        CHECK(strstr(last_message(), "injected internal fault") != NULL); \
        (void)tfe_tensor_f64_len(NULL);                                   \
    } while (0)
    CHECK_FAULT(tfe_tensor_f64_ndim(tensor) == 0);
    CHECK_FAULT(tfe_tensor_f64_len(tensor) == 0);
    CHECK_FAULT(tfe_tensor_f64_data(tensor) == NULL);
    CHECK_FAULT((tfe_tensor_f64_shape(tensor, shape), shape[0] == 7 && shape[1] == 7));
    CHECK_FAULT((tfe_tensor_f64_release(tensor), 1));
    CHECK(holds(tensor, 4, kValues));
    tfe_tensor_f64_release(tensor);
}

int main(void) {
    a = make2(2, 2, kValues);
    operands[0] = operands[1] = a;
    sweep_all(call_from_data, 3);
    sweep_all(call_zeros, 3);
    sweep_all(call_clone, 3);
    sweep_all(call_einsum, 2);
    sweep_all(call_vjp, 3);
    sweep_all(call_jvp, 2);
    queries();
    tfe_tensor_f64_release(a);
    CHECK(live_handles() == 0);
    return finish();
}
