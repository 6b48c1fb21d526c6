/* The check macros of the C tests: failures are printed and counted, main returns finish(). Also what every
 * test of the C API asks of a failing call: its status, and a fresh one-line message that starts with the
 * function's name. */
#ifndef TENFERRO_TESTS_CHECK_H
#define TENFERRO_TESTS_CHECK_H

#include <stdio.h>
#include <string.h>

#include "tenferro.h"

static long checks = 0, failures = 0;

#define CHECK(condition)                                                              \
    do {                                                                              \
        ++checks;                                                                     \
        if (!(condition)) {                                                           \
            ++failures;                                                               \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
        }                                                                             \
    } while (0)

/* The last error into a static buffer, "" when there was none. */
static inline const char* last_message(void) {
    static char text[32768];
    size_t length = 0;
    text[0] = '\0';
    CHECK(tfe_last_error_message((uint8_t*)text, sizeof text, &length) == TFE_SUCCESS);
    CHECK(length == strlen(text) + 1);
    return text;
}

/* Makes the last error one that no checked call produces. */
static inline void forget_message(void) {
    (void)tfe_tensor_f64_len(NULL);
    CHECK(strcmp(last_message(), "tfe_tensor_f64_len: tensor is NULL") == 0);
}

static inline int message_is(const char* start) {
    const char* message = last_message();
    const int good = strncmp(message, start, strlen(start)) == 0 && strlen(message) > strlen(start) &&
                     strpbrk(message, "\n\r\t") == NULL;
    if (!good) fprintf(stderr, "message is '%s', expected to start with '%s'\n", message, start);
    return good;
}

/* The call must fail: status `wanted`, message beginning with `start`. `status` names the variable the call
 * writes. */
#define CHECK_FAILS(call, status, wanted, start) \
    do {                                         \
        forget_message();                        \
        (status) = 77;                           \
        call;                                    \
        CHECK((status) == (wanted));             \
        CHECK(message_is(start));                \
    } while (0)

/* A call without status must leave a message beginning with `start`. */
#define CHECK_REPORTS(call, start) \
    do {                           \
        forget_message();          \
        call;                      \
        CHECK(message_is(start));  \
    } while (0)

/* The call must succeed and leave the last error alone. */
#define CHECK_SUCCEEDS(call, status)                                              \
    do {                                                                          \
        forget_message();                                                         \
        (status) = 77;                                                            \
        call;                                                                     \
        CHECK((status) == TFE_SUCCESS);                                           \
        CHECK(strcmp(last_message(), "tfe_tensor_f64_len: tensor is NULL") == 0); \
    } while (0)

/* A matrix or vector of the test; NULL when the library refuses. */
static inline tfe_tensor_f64* make2(size_t rows, size_t columns, const double* values) {
    const size_t shape[2] = {rows, columns};
    tfe_status_t status = 77;
    tfe_tensor_f64* tensor = tfe_tensor_f64_from_data(values, rows * columns, shape, 2, &status);
    CHECK(status == TFE_SUCCESS && tensor != NULL);
    return tensor;
}

static inline tfe_tensor_f64* make1(size_t extent, const double* values) {
    tfe_status_t status = 77;
    tfe_tensor_f64* tensor = tfe_tensor_f64_from_data(values, extent, &extent, 1, &status);
    CHECK(status == TFE_SUCCESS && tensor != NULL);
    return tensor;
}

/* Whether the tensor has exactly these elements in column-major order. */
static inline int holds(const tfe_tensor_f64* tensor, size_t len, const double* values) {
    const double* data = tfe_tensor_f64_data(tensor);
    size_t i;
    if (tfe_tensor_f64_len(tensor) != len || (len != 0 && data == NULL)) return 0;
    for (i = 0; i < len; ++i)
        if (data[i] != values[i]) return 0;
    return 1;
}

static inline int finish(void) {
    printf("%ld checks, %ld failed\n", checks, failures);
    return failures != 0 || checks == 0;
}

#endif
