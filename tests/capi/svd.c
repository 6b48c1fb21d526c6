/* The SVD of tensors by axis lists, its truncation, derivatives and errors, for every element type. */

#include "check.h"
#include "matrices.h"

#define TEMPLATE "svd_family.h"
#include "each_element.h"

int main(void) {
    run_svd_f64();
    run_svd_f32();
    run_svd_c32();
    run_svd_c64();
    return finish();
}
