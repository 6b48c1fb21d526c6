/* Every fault point of every function failed in turn, once and for ever, as an out-of-memory and as an unexpected exception:
 * TFE_INTERNAL_ERROR with a message, outputs NULL, no handle left over, and the next call works. */
#include "check.h"
#include "dlpack_abi.h"
#include "fault_control.h"

static const double kValues[4] = {1, 3, 2, 4};
static const size_t kShape[2] = {2, 2};
static tfe_tensor_f64 *a, *operands[2];
static tfe_einsum_plan* plan;

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

static tfe_status_t call_row_major(tfe_tensor_f64** out) {
    tfe_status_t status = 77;
    out[0] = tfe_tensor_f64_from_row_major_data(kValues, 4, kShape, 2, &status);
    return status;
}
static tfe_status_t call_plan(tfe_tensor_f64** out) {
    const size_t* shapes[2];
    const size_t ndims[2] = {2, 2};
    tfe_status_t status = 77;
    tfe_einsum_plan* made;
    shapes[0] = shapes[1] = kShape;
    made = tfe_einsum_plan_create("ij,jk->ki", shapes, ndims, 2, NULL, &status);
    CHECK((made != NULL) == (status == TFE_SUCCESS));
    if (made != NULL) {
        fault_disarm(); /* what counts is the creation */
        out[0] = tfe_einsum_plan_run_f64(made, operands, 2, &status);
    }
    tfe_einsum_plan_release(made);
    return status;
}
static tfe_status_t call_plan_run(tfe_tensor_f64** out) {
    tfe_status_t status = 77;
    out[0] = tfe_einsum_plan_run_f64(plan, operands, 2, &status);
    return status;
}
static tfe_status_t call_plan_vjp(tfe_tensor_f64** out) {
    tfe_status_t status = 77;
    tfe_einsum_plan_vjp_f64(plan, operands, 2, a, out, &status);
    return status;
}
static tfe_status_t call_plan_jvp(tfe_tensor_f64** out) {
    tfe_status_t status = 77;
    out[0] = tfe_einsum_plan_jvp_f64(plan, operands, 2, operands, &status);
    return status;
}
/* The deleter runs exactly once: before the failure, or at the release. */
static tfe_status_t import_at(tfe_tensor_f64** out, const char* address) {
    static struct lender lenders[2];
    static int next;
    const int64_t shape[2] = {2, 2};
    struct lender* lender = &lenders[next ^= 1];
    tfe_status_t status = 77;
    out[0] = tfe_tensor_f64_from_dlpack(lend(lender, address, 2, shape, NULL), &status);
    CHECK(lender->deleted == (out[0] == NULL));
    return status;
}
static tfe_status_t call_import(tfe_tensor_f64** out) { return import_at(out, (const char*)kValues); }
static tfe_status_t call_misaligned_import(tfe_tensor_f64** out) {
    static double memory[6];
    return import_at(out, (const char*)memory + 1);
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

/* An export that fails leaves the handle as it was. */
static void exports(void) {
    tfe_tensor_f64* tensor = make2(2, 2, kValues);
    struct DLManagedTensorVersioned* out = NULL;
    long countdown;
    int failed = 1;
    for (countdown = 1; failed; ++countdown) {
        tfe_status_t status = 77;
        fault_arm(countdown, countdown % 2, 0);
        out = tfe_tensor_f64_to_dlpack(tensor, &status);
        failed = fault_disarm();
        CHECK(failed ? out == NULL && status == TFE_INTERNAL_ERROR : out != NULL && status == TFE_SUCCESS);
        CHECK(tfe_tensor_f64_is_assigned(tensor) == failed);
        CHECK(!failed || holds(tensor, 4, kValues));
    }
    CHECK(countdown > 3);
    CHECK(memcmp(out->dl_tensor.data, kValues, sizeof kValues) == 0);
    out->deleter(out);
}

/* The compact copy of a strided import cannot be made: NULL, a message, and the next call makes it. */
static void compact_copies(void) {
    const int64_t shape[2] = {2, 2};
    const double transposed[4] = {1, 2, 3, 4};
    struct lender lender;
    tfe_tensor_f64* tensor = tfe_tensor_f64_from_dlpack(lend(&lender, kValues, 2, shape, NULL), NULL);
    long countdown;
    for (countdown = 1; countdown <= 3; ++countdown) {
        fault_arm(countdown, 0, 0);
        CHECK(tfe_tensor_f64_data(tensor) == NULL);
        CHECK(fault_disarm() && strstr(last_message(), "tfe_tensor_f64_data: out of memory") != NULL);
        CHECK(tfe_last_error_detail() == TFE_DETAIL_OUT_OF_MEMORY);
    }
    CHECK(holds(tensor, 4, transposed));
    tfe_tensor_f64_release(tensor);
    CHECK(lender.deleted == 1);
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
    {
        const size_t* shapes[2];
        const size_t ndims[2] = {2, 2};
        shapes[0] = shapes[1] = kShape;
        plan = tfe_einsum_plan_create("ij,jk->ki", shapes, ndims, 2, NULL, NULL);
    }
    sweep_all(call_from_data, 3);
    sweep_all(call_zeros, 3);
    sweep_all(call_clone, 3);
    sweep_all(call_einsum, 2);
    sweep_all(call_vjp, 3);
    sweep_all(call_jvp, 2);
    sweep_all(call_row_major, 3);
    sweep_all(call_plan, 1);
    sweep_all(call_plan_run, 2);
    sweep_all(call_plan_vjp, 3);
    sweep_all(call_plan_jvp, 2);
    sweep_all(call_import, 3);
    sweep_all(call_misaligned_import, 4);
    exports();
    compact_copies();
    queries();
    tfe_einsum_plan_release(plan);
    tfe_tensor_f64_release(a);
    CHECK(live_handles() == 0);
    return finish();
}
