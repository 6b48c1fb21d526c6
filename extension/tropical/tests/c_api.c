/* The C functions: reference values, ties, NULL and dead handles. */
#include "check.h"

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
    refusals_f64();
    refusals_f32();
    values_f64(); /* nothing was broken */
    values_f32();
    if (failures == 0) printf("as specified\n");
    return failures != 0;
}
