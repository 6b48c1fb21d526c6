/* The C functions: reference values, ties, NULL and dead handles. */
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

#define TYPE f64
#define SCALAR double
#include "c_api_values.h"
#undef TYPE
#undef SCALAR
#define TYPE f32
#define SCALAR float
#include "c_api_values.h"

int main(void) {
    values_f64();
    values_f32();
    if (failures == 0) printf("as specified\n");
    return failures != 0;
}
