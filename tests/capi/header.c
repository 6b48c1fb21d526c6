/* The header first and alone, under each language standard that the compiler has: types, macros and one call
 * through it. */
#include "tenferro.h"

#include "check.h"

int main(void) {
    TfeTensorF64* same_type = NULL;
    tfe_tensor_f64* tensor = same_type;
    tfe_status_t status = TFE_SUCCESS;
    CHECK(sizeof(tfe_status_t) == 4);
    CHECK(TFE_SUCCESS == 0 && TFE_INVALID_ARGUMENT == -1 && TFE_SHAPE_MISMATCH == -2 &&
          TFE_INTERNAL_ERROR == -3 && TFE_BUFFER_TOO_SMALL == -4);
    tensor = tfe_tensor_f64_zeros(NULL, 0, &status);
    CHECK(status == TFE_SUCCESS && tfe_tensor_f64_len(tensor) == 1);
    tfe_tensor_f64_release(tensor);
    return finish();
}
