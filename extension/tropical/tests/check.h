/* What the C tests share. */
#ifndef TROPICAL_TESTS_CHECK_H
#define TROPICAL_TESTS_CHECK_H

#include <stdio.h>
#include <string.h>

#include "tenferro_ext_tropical.h"

static int failures;
#define CHECK(condition)                                                              \
    do {                                                                              \
        if (!(condition)) {                                                           \
            ++failures;                                                               \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
        }                                                                             \
    } while (0)

/* Whether the last error of the thread begins with the name of a function and goes on with `rest`. */
static inline int message_is(const char* function, const char* rest) {
    char text[4096], wanted[512];
    size_t length = 0;
    CHECK(tfe_last_error_message((uint8_t*)text, sizeof text, &length) == TFE_SUCCESS);
    snprintf(wanted, sizeof wanted, "%s%s", function, rest);
    if (strncmp(text, wanted, strlen(wanted)) == 0 && strchr(text, '\n') == NULL) return 1;
    fprintf(stderr, "message is '%s', not '%s'\n", text, wanted);
    return 0;
}

#endif
