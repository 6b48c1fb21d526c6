/* QR, LU, Cholesky, eigenvalues and equations of batches of matrices, with derivatives, for every element
 * type. */

#include "check.h"
#include "matrices.h"

#define TEMPLATE "linalg_family.h"
#include "each_element.h"

int main(void) {
    run_f64();
    run_f32();
    run_c32();
    run_c64();
    return finish();
}
