/* The last error: query, copy, too small a buffer, persistence, hostile text, truncation; and what einsum
 * reports. */
#include <stdlib.h>

#include "check.h"

static void message_protocol(void) {
    const char expected[] = "tfe_tensor_f64_ndim: tensor is NULL";
    uint8_t buffer[64];
    size_t length = 99, size;

    /* before the first error of this thread */
    memset(buffer, 'x', sizeof buffer);
    CHECK(tfe_last_error_message(buffer, sizeof buffer, &length) == TFE_SUCCESS);
    CHECK(length == 1 && buffer[0] == '\0' && buffer[1] == 'x');

    CHECK(tfe_tensor_f64_ndim(NULL) == 0);
    CHECK(tfe_last_error_message(NULL, 0, &length) == TFE_SUCCESS && length == sizeof expected);
    CHECK(tfe_last_error_message(NULL, sizeof buffer, &length) == TFE_SUCCESS && length == sizeof expected);
    for (size = 0; size < sizeof expected; ++size) {
        length = 99;
        memset(buffer, 'x', sizeof buffer);
        CHECK(tfe_last_error_message(buffer, size, &length) == TFE_BUFFER_TOO_SMALL);
        CHECK(length == sizeof expected && buffer[0] == 'x');
    }
    CHECK(tfe_last_error_message(buffer, sizeof expected, &length) == TFE_SUCCESS);
    CHECK(memcmp(buffer, expected, sizeof expected) == 0 && buffer[sizeof expected] == 'x');
    CHECK(tfe_last_error_message(buffer, sizeof buffer, NULL) == TFE_INVALID_ARGUMENT);
    CHECK(strcmp(last_message(), expected) == 0); /* still in place after every way of reading it */
}

/* Runs "subscripts" on n 2x2 matrices and expects a failure that einsum itself reports. */
static void refused(const char* subscripts, size_t n, tfe_status_t wanted) {
    const double values[4] = {1, 2, 3, 4};
    tfe_tensor_f64* operands[4];
    tfe_tensor_f64* out = NULL;
    tfe_status_t status;
    size_t i;
    for (i = 0; i < n; ++i) operands[i] = make2(2, 2, values);
    CHECK_FAILS(out = tfe_einsum_f64(subscripts, operands, n, &status), status, wanted, "einsum");
    CHECK(out == NULL);
    for (i = 0; i < n; ++i) tfe_tensor_f64_release(operands[i]);
}

static void malformed_subscripts(void) {
    refused("", 1, TFE_INVALID_ARGUMENT);
    refused("ij", 1, TFE_INVALID_ARGUMENT);
    refused("ij-", 1, TFE_INVALID_ARGUMENT);
    refused("ij>ij", 1, TFE_INVALID_ARGUMENT);
    refused("ij->ij->ij", 1, TFE_INVALID_ARGUMENT);
    refused("ij->ik", 1, TFE_INVALID_ARGUMENT);
    refused("i$->i", 1, TFE_INVALID_ARGUMENT);
    refused("i\n\x01j->i", 1, TFE_INVALID_ARGUMENT);
    refused("i\xff->i", 1, TFE_INVALID_ARGUMENT);
    refused("i\xc3->i", 1, TFE_INVALID_ARGUMENT);
    refused("(ij->ij", 1, TFE_INVALID_ARGUMENT);
    refused("ij,jk->ik", 1, TFE_INVALID_ARGUMENT);
    refused("ij->ij", 2, TFE_INVALID_ARGUMENT);
    refused("ijk->ijk", 1, TFE_INVALID_ARGUMENT);
    refused("i->i", 1, TFE_INVALID_ARGUMENT);
}

/* A string far longer than the message buffer, ending in characters of several bytes. */
static void long_messages(void) {
    const double value = 1;
    char* subscripts = malloc(60001);
    tfe_tensor_f64* operand = make1(1, &value);
    tfe_status_t status;
    const unsigned char* message;
    size_t i, tail;
    for (i = 0; i < 60000; i += 3) memcpy(subscripts + i, "\xe2\x82\xac", 3);
    subscripts[60000] = '\0';
    CHECK_FAILS(tfe_einsum_f64(subscripts, &operand, 1, &status), status, TFE_INVALID_ARGUMENT, "einsum");
    message = (const unsigned char*)last_message();
    for (i = strlen((const char*)message), tail = 0; i > 0 && (message[i - 1] & 0xC0) == 0x80; --i) ++tail;
    CHECK(tail == 0 || (i > 0 && tail == (message[i - 1] >= 0xF0 ? 3u : message[i - 1] >= 0xE0 ? 2u : 1u)));
    free(subscripts);
    tfe_tensor_f64_release(operand);
}

static void shape_errors(void) {
    const double values[6] = {1, 2, 3, 4, 5, 6};
    tfe_tensor_f64* operands[2];
    tfe_tensor_f64* tangents[2];
    tfe_tensor_f64* grads[2];
    tfe_tensor_f64* out;
    tfe_status_t status;
    operands[0] = make2(2, 3, values);
    operands[1] = make2(2, 3, values);
    grads[0] = grads[1] = out = operands[0];
    CHECK_FAILS(out = tfe_einsum_f64("ij,jk->ik", operands, 2, &status), status, TFE_SHAPE_MISMATCH,
                "einsum");
    CHECK(out == NULL);
    CHECK_FAILS(out = tfe_einsum_jvp_f64("ij,jk->ik", operands, 2, operands, &status), status,
                TFE_SHAPE_MISMATCH, "einsum");
    CHECK(out == NULL);
    CHECK_FAILS(tfe_einsum_vjp_f64("ij,jk->ik", operands, 2, operands[0], grads, &status), status,
                TFE_SHAPE_MISMATCH, "einsum");
    CHECK(grads[0] == NULL && grads[1] == NULL);
    /* a cotangent that has not the result's shape, a tangent that has not its primal's */
    CHECK_FAILS(tfe_einsum_vjp_f64("ij,kj->ik", operands, 2, operands[0], grads, &status), status,
                TFE_SHAPE_MISMATCH, "einsum");
    CHECK(grads[0] == NULL && grads[1] == NULL);
    tangents[0] = NULL;
    tangents[1] = make2(3, 2, values);
    CHECK_FAILS(out = tfe_einsum_jvp_f64("ij,kj->ik", operands, 2, tangents, &status), status,
                TFE_SHAPE_MISMATCH, "einsum");
    CHECK(out == NULL);
    tfe_tensor_f64_release(operands[0]);
    tfe_tensor_f64_release(operands[1]);
    tfe_tensor_f64_release(tangents[1]);
}

int main(void) {
    message_protocol();
    malformed_subscripts();
    long_messages();
    shape_errors();
    return finish();
}
