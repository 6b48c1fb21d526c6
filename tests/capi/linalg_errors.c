/* What functions of QR, LU, Cholesky, eigenvalues and equations say of bad matrices and arguments, for every
 * element type. */

#include "check.h"
#include "matrices.h"

#define TEMPLATE "linalg_errors_family.h"
#include "each_element.h"

int main(void) {
    errors_f64();
    errors_f32();
    errors_c32();
    errors_c64();
    return finish();
}
