/* The functions of the extension's library behave as the core's do. */
#include <stdio.h>
#include <string.h>

#include "twice.h"

static int failures;
#define CHECK(condition)                                                              \
    do {                                                                              \
        if (!(condition)) {                                                           \
            ++failures;                                                               \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
        }                                                                             \
    } while (0)

static int message_is(const char* start) {
    char text[4096];
    size_t length = 0;
    CHECK(tfe_last_error_message((uint8_t*)text, sizeof text, &length) == TFE_SUCCESS);
    if (strncmp(text, start, strlen(start)) == 0) return 1;
    fprintf(stderr, "message is '%s'\n", text);
    return 0;
}

static int holds(const tfe_tensor_f64* tensor, const double* values) {
    return tfe_tensor_f64_len(tensor) == 4 &&
           memcmp(tfe_tensor_f64_data(tensor), values, 4 * sizeof *values) == 0;
}

static const double kA[4] = {1, 3, 2, 4}, kB[4] = {5, 7, 6, 8};
static const size_t kShape[2] = {2, 2};
static const char kProduct[] = "ij,jk->ik";

static void values(tfe_tensor_f64* const* operands) {
    const double product[4] = {38, 86, 44, 100}, grad[4] = {22, 22, 30, 30}, ones[4] = {1, 1, 1, 1};
    const double tangent[4] = {76, 172, 88, 200}, doubled[4] = {2, 6, 4, 8};
    tfe_tensor_f64* cotangent = tfe_tensor_f64_from_data(ones, 4, kShape, 2, NULL);
    tfe_tensor_f64 *out, *grads[2];
    tfe_status_t status = 77;
    out = twice_einsum_f64(kProduct, operands, 2, &status);
    CHECK(status == TFE_SUCCESS && holds(out, product));
    tfe_tensor_f64_release(out);
    twice_einsum_vjp_f64(kProduct, operands, 2, cotangent, grads, &status);
    CHECK(status == TFE_SUCCESS && holds(grads[0], grad));
    tfe_tensor_f64_release(grads[0]);
    tfe_tensor_f64_release(grads[1]);
    out = twice_einsum_jvp_f64(kProduct, operands, 2, operands, &status);
    CHECK(status == TFE_SUCCESS && holds(out, tangent));
    tfe_tensor_f64_release(out);
    out = twice_f64(operands[0], &status);
    CHECK(status == TFE_SUCCESS && holds(out, doubled));
    tfe_tensor_f64_release(out);
    tfe_tensor_f64_release(cotangent);
}

static void null_and_dead(tfe_tensor_f64* const* operands) {
    tfe_tensor_f64 *dead = tfe_tensor_f64_zeros(kShape, 2, NULL), *mixed[2], *grads[2], *out;
    tfe_status_t status = 77;
    tfe_tensor_f64_release(dead);
    mixed[0] = operands[0], mixed[1] = dead;
    out = dead;
    out = twice_f64(NULL, &status);
    CHECK(out == NULL && status == TFE_INVALID_ARGUMENT && message_is("twice_f64: tensor is NULL"));
    CHECK(tfe_last_error_detail() == TFE_DETAIL_NULL_POINTER);
    CHECK(twice_f64(dead, NULL) == NULL && message_is("twice_f64: tensor is not a live tensor handle"));
    CHECK(tfe_last_error_detail() == TFE_DETAIL_DEAD_HANDLE);
    CHECK(twice_einsum_f64(NULL, operands, 2, &status) == NULL && status == TFE_INVALID_ARGUMENT);
    CHECK(message_is("twice_einsum_f64: subscripts is NULL"));
    CHECK(twice_einsum_f64(kProduct, mixed, 2, &status) == NULL && status == TFE_INVALID_ARGUMENT);
    CHECK(message_is("twice_einsum_f64: operand 1 is not a live tensor handle"));
    CHECK(twice_einsum_f64("ij,jk->il", operands, 2, &status) == NULL && status == TFE_INVALID_ARGUMENT);
    grads[0] = grads[1] = operands[0];
    twice_einsum_vjp_f64(kProduct, operands, 2, dead, grads, &status);
    CHECK(status == TFE_INVALID_ARGUMENT && grads[0] == NULL && grads[1] == NULL);
    CHECK(message_is("twice_einsum_vjp_f64: cotangent is not a live tensor handle"));
    twice_einsum_vjp_f64(kProduct, operands, 2, operands[0], NULL, &status);
    CHECK(status == TFE_INVALID_ARGUMENT && message_is("twice_einsum_vjp_f64: grads_out is NULL"));
    CHECK(twice_einsum_jvp_f64(kProduct, operands, 2, mixed, &status) == NULL);
    CHECK(message_is("twice_einsum_jvp_f64: tangent 1 is not a live tensor handle"));
}

static void faults(tfe_tensor_f64* const* operands) {
    static const struct {
        tfe_status_t status;
        int32_t detail;
        const char* message;
    } wanted[6] = {
        {TFE_INTERNAL_ERROR, TFE_DETAIL_INTERNAL, "twice_fail_f64: internal error: on purpose"},
        {TFE_INTERNAL_ERROR, TFE_DETAIL_INTERNAL, "twice_fail_f64: internal error: unknown exception"},
        {TFE_INTERNAL_ERROR, TFE_DETAIL_OUT_OF_MEMORY, "twice_fail_f64: out of memory"},
        {TFE_SHAPE_MISMATCH, TFE_DETAIL_SHAPE, "twice: on purpose"},
        {TFE_INTERNAL_ERROR, TFE_DETAIL_INTERNAL,
         "publish: the result has dtype f32 but its handle is of f64"},
        {TFE_INTERNAL_ERROR, TFE_DETAIL_INTERNAL, "publish: there are 1 results but 2 outputs"},
    };
    int how;
    for (how = 0; how < 6; ++how) {
        tfe_tensor_f64* out[2];
        tfe_status_t status = 77;
        out[0] = out[1] = operands[0];
        twice_fail_f64(how, out, &status);
        CHECK(status == wanted[how].status && out[0] == NULL && out[1] == NULL);
        CHECK(tfe_last_error_detail() == wanted[how].detail && message_is(wanted[how].message));
    }
    twice_fail_f64(0, NULL, NULL);
    CHECK(message_is("twice_fail_f64: out is NULL"));
}

static int32_t stop(const tfe_progress* progress, void* user) {
    (void)progress, ++*(int*)user;
    return 1;
}

static void cancelled(tfe_tensor_f64* const* operands) {
    tfe_status_t status = 77;
    int asked = 0;
    tfe_set_progress(stop, &asked);
    CHECK(twice_einsum_f64(kProduct, operands, 2, &status) == NULL && status == TFE_INTERNAL_ERROR);
    CHECK(asked == 1 && tfe_last_error_detail() == TFE_DETAIL_CANCELLED);
    tfe_set_progress(NULL, NULL);
}

int main(void) {
    tfe_tensor_f64* operands[2];
    operands[0] = tfe_tensor_f64_from_data(kA, 4, kShape, 2, NULL);
    operands[1] = tfe_tensor_f64_from_data(kB, 4, kShape, 2, NULL);
    values(operands);
    null_and_dead(operands);
    faults(operands);
    cancelled(operands);
    values(operands);
    tfe_tensor_f64_release(operands[0]);
    tfe_tensor_f64_release(operands[1]);
    if (failures == 0) printf("as the core\n");
    return failures != 0;
}
