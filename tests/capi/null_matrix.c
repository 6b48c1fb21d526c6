/* NULL for every parameter of every function, one at a time, with and without a status pointer: no crash, the
 * documented status, a message in the function's name, outputs NULL. */
#include "check.h"

static const double kValues[4] = {1, 2, 3, 4};
static const size_t kShape[2] = {2, 2};
static const char kProduct[] = "ij,jk->ik";

static void constructors(void) {
    tfe_status_t status;
    tfe_tensor_f64* out = NULL;
    CHECK_FAILS(out = tfe_tensor_f64_from_data(NULL, 4, kShape, 2, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_tensor_f64_from_data: data is NUL");
    CHECK(out == NULL);
    CHECK_FAILS(out = tfe_tensor_f64_from_data(kValues, 4, NULL, 2, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_tensor_f64_from_data: shape is NULL");
    CHECK(out == NULL);
    CHECK_REPORTS(out = tfe_tensor_f64_from_data(NULL, 4, kShape, 2, NULL),
                  "tfe_tensor_f64_from_data: data is NUL");
    CHECK(out == NULL);
    CHECK_FAILS(out = tfe_tensor_f64_zeros(NULL, 1, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_tensor_f64_zeros: shape is NULL");
    CHECK(out == NULL);
    CHECK_REPORTS(out = tfe_tensor_f64_zeros(NULL, 1, NULL), "tfe_tensor_f64_zeros: shape is NULL");
    CHECK(out == NULL);
    CHECK_FAILS(out = tfe_tensor_f64_clone(NULL, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_tensor_f64_clone: tensor is NUL");
    CHECK(out == NULL);
    CHECK_REPORTS(out = tfe_tensor_f64_clone(NULL, NULL), "tfe_tensor_f64_clone: tensor is NUL");
    CHECK(out == NULL);
}

static void copies(void) {
    tfe_tensor_f64* out = NULL;
    double buffer[4] = {7, 7, 7, 7};
    size_t length = 7;
    tfe_status_t status;
    CHECK_FAILS(out = tfe_tensor_f64_conj(NULL, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_tensor_f64_conj: tensor is NUL");
    CHECK(out == NULL);
    CHECK_REPORTS(out = tfe_tensor_f64_conj(NULL, NULL), "tfe_tensor_f64_conj: tensor is NUL");
    CHECK_FAILS(tfe_tensor_f64_copy_row_major(NULL, buffer, 4, &length, &status), status,
                TFE_INVALID_ARGUMENT, "tfe_tensor_f64_copy_row_major: tensor is NUL");
    CHECK_REPORTS(tfe_tensor_f64_copy_row_major(NULL, NULL, 0, NULL, NULL),
                  "tfe_tensor_f64_copy_row_major: tensor is NUL");
    CHECK(length == 7 && buffer[0] == 7);
    tfe_set_progress(NULL, NULL);
}

static void queries(void) {
    tfe_tensor_f64* tensor = make2(2, 2, kValues);
    size_t shape[2] = {7, 7};
    tfe_status_t status;
    CHECK_REPORTS(CHECK(tfe_tensor_f64_ndim(NULL) == 0), "tfe_tensor_f64_ndim: tensor is NUL");
    CHECK_REPORTS(CHECK(tfe_tensor_f64_data(NULL) == NULL), "tfe_tensor_f64_data: tensor is NUL");
    CHECK_REPORTS(tfe_tensor_f64_shape(NULL, shape), "tfe_tensor_f64_shape: tensor is NUL");
    CHECK_REPORTS(tfe_tensor_f64_shape(NULL, NULL), "tfe_tensor_f64_shape: tensor is NUL");
    CHECK_REPORTS(tfe_tensor_f64_shape(tensor, NULL), "tfe_tensor_f64_shape: out_shape is NULL");
    CHECK(shape[0] == 7 && shape[1] == 7);
    (void)tfe_tensor_f64_ndim(NULL);
    CHECK_REPORTS(CHECK(tfe_tensor_f64_len(NULL) == 0), "tfe_tensor_f64_len: tensor is NUL");
    CHECK_SUCCEEDS((status = tfe_tensor_f64_is_assigned(NULL)), status);
    CHECK_SUCCEEDS((tfe_tensor_f64_release(NULL), status = TFE_SUCCESS), status);
    tfe_tensor_f64_release(tensor);
}

/* Successful calls without a status pointer. */
static void no_status(void) {
    tfe_tensor_f64* made = tfe_tensor_f64_from_data(kValues, 4, kShape, 2, NULL);
    tfe_tensor_f64* zeros = tfe_tensor_f64_zeros(kShape, 2, NULL);
    tfe_tensor_f64* clone = tfe_tensor_f64_clone(made, NULL);
    tfe_tensor_f64* operands[2];
    tfe_tensor_f64* grads[2] = {NULL, NULL};
    tfe_tensor_f64 *value, *tangent;
    CHECK(made != NULL && zeros != NULL && clone != NULL);
    operands[0] = made;
    operands[1] = clone;
    value = tfe_einsum_f64(kProduct, operands, 2, NULL);
    tangent = tfe_einsum_jvp_f64(kProduct, operands, 2, operands, NULL);
    tfe_einsum_vjp_f64(kProduct, operands, 2, value, grads, NULL);
    CHECK(value != NULL && tangent != NULL && grads[0] != NULL && grads[1] != NULL);
    tfe_tensor_f64_release(made);
    tfe_tensor_f64_release(zeros);
    tfe_tensor_f64_release(clone);
    tfe_tensor_f64_release(value);
    tfe_tensor_f64_release(tangent);
    tfe_tensor_f64_release(grads[0]);
    tfe_tensor_f64_release(grads[1]);
}

static void einsum(void) {
    tfe_tensor_f64* a = make2(2, 2, kValues);
    tfe_tensor_f64* operands[2];
    tfe_tensor_f64* holed[2];
    tfe_tensor_f64* out = a;
    tfe_status_t status;
    operands[0] = operands[1] = holed[0] = a;
    holed[1] = NULL;
    CHECK_FAILS(out = tfe_einsum_f64(NULL, operands, 2, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_f64: subscripts is NUL");
    CHECK(out == NULL);
    CHECK_FAILS(out = tfe_einsum_f64(kProduct, NULL, 2, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_f64: operands is NULL");
    CHECK(out == NULL);
    CHECK_FAILS(out = tfe_einsum_f64(kProduct, holed, 2, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_f64: operand 1 is NUL");
    CHECK(out == NULL);
    CHECK_FAILS(out = tfe_einsum_f64(kProduct, operands, 0, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_f64: n is 0");
    CHECK(out == NULL);
    CHECK_FAILS(out = tfe_einsum_f64(kProduct, NULL, 0, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_f64: n is 0");
    CHECK_FAILS(out = tfe_einsum_f64(kProduct, operands, SIZE_MAX, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_f64: n is ");
    CHECK_REPORTS(out = tfe_einsum_f64(NULL, operands, 2, NULL), "tfe_einsum_f64: subscripts is NUL");
    CHECK(out == NULL);
    tfe_tensor_f64_release(a);
}

typedef tfe_tensor_f64* (*jvp_function)(const char*, tfe_tensor_f64* const*, size_t, tfe_tensor_f64* const*,
                                        tfe_status_t*);
typedef void (*vjp_function)(const char*, tfe_tensor_f64* const*, size_t, const tfe_tensor_f64*,
                             tfe_tensor_f64**, tfe_status_t*);

static void jvp(jvp_function function, const char* name) {
    tfe_tensor_f64* a = make2(2, 2, kValues);
    tfe_tensor_f64* operands[2];
    tfe_tensor_f64* holed[2];
    tfe_tensor_f64* out = a;
    tfe_status_t status;
    operands[0] = operands[1] = holed[0] = a;
    holed[1] = NULL;
    CHECK_FAILS(out = function(NULL, operands, 2, operands, &status), status, TFE_INVALID_ARGUMENT, name);
    CHECK(out == NULL);
    CHECK_FAILS(out = function(kProduct, NULL, 2, operands, &status), status, TFE_INVALID_ARGUMENT, name);
    CHECK(out == NULL);
    CHECK_FAILS(out = function(kProduct, holed, 2, operands, &status), status, TFE_INVALID_ARGUMENT, name);
    CHECK(out == NULL);
    CHECK_FAILS(out = function(kProduct, operands, 2, NULL, &status), status, TFE_INVALID_ARGUMENT, name);
    CHECK(out == NULL);
    CHECK_FAILS(out = function(kProduct, operands, 0, NULL, &status), status, TFE_INVALID_ARGUMENT, name);
    CHECK(out == NULL);
    CHECK_REPORTS(out = function(kProduct, operands, 2, NULL, NULL), name);
    CHECK(out == NULL);
    tfe_tensor_f64_release(a);
}

static void vjp(vjp_function function, const char* name) {
    tfe_tensor_f64* a = make2(2, 2, kValues);
    tfe_tensor_f64* operands[2];
    tfe_tensor_f64* holed[2];
    tfe_tensor_f64* grads[2];
    tfe_status_t status;
    operands[0] = operands[1] = holed[0] = a;
    holed[1] = NULL;
#define CHECK_VJP_FAILS(call)                                      \
    do {                                                           \
        grads[0] = grads[1] = a; /* must be overwritten by NULL */ \
        CHECK_FAILS(call, status, TFE_INVALID_ARGUMENT, name);     \
        CHECK(grads[0] == NULL && grads[1] == NULL);               \
    } while (0)
    CHECK_VJP_FAILS(function(NULL, operands, 2, a, grads, &status));
    CHECK_VJP_FAILS(function(kProduct, NULL, 2, a, grads, &status));
    CHECK_VJP_FAILS(function(kProduct, holed, 2, a, grads, &status));
    CHECK_VJP_FAILS(function(kProduct, operands, 2, NULL, grads, &status));
    CHECK_FAILS(function(kProduct, operands, 2, a, NULL, &status), status, TFE_INVALID_ARGUMENT, name);
    CHECK_FAILS(function(kProduct, operands, 0, a, NULL, &status), status, TFE_INVALID_ARGUMENT, name);
    CHECK_FAILS(function(kProduct, operands, SIZE_MAX, a, grads, &status), status, TFE_INVALID_ARGUMENT,
                name);
    CHECK_REPORTS(function(kProduct, operands, 2, NULL, grads, NULL), name);
    tfe_tensor_f64_release(a);
}

static void errors_and_version(void) {
    uint8_t buffer[8];
    size_t length = 99;
    CHECK(tfe_last_error_message(buffer, sizeof buffer, NULL) == TFE_INVALID_ARGUMENT);
    CHECK(tfe_last_error_message(NULL, 0, NULL) == TFE_INVALID_ARGUMENT);
    CHECK(tfe_last_error_message(NULL, 0, &length) == TFE_SUCCESS);
    CHECK(length > 1 && length != 99);
    tfe_version(NULL, NULL, NULL);
}

int main(void) {
    constructors();
    copies();
    queries();
    no_status();
    einsum();
    jvp(tfe_einsum_jvp_f64, "tfe_einsum_jvp_f64: ");
    jvp(tfe_einsum_frule_f64, "tfe_einsum_frule_f64: ");
    vjp(tfe_einsum_vjp_f64, "tfe_einsum_vjp_f64: ");
    vjp(tfe_einsum_rrule_f64, "tfe_einsum_rrule_f64: ");
    errors_and_version();
    return finish();
}
