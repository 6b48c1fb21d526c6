/* A matrix product through the C ABI. Data is column-major.
   Expected: C = [19 22; 43 50] */
#include <stdio.h>
#include <tenferro.h>

int main(void) {
    const size_t shape[2] = {2, 2};
    const double a_data[4] = {1, 3, 2, 4}; /* [1 2; 3 4] */
    const double b_data[4] = {5, 7, 6, 8}; /* [5 6; 7 8] */
    tfe_status_t status;

    tfe_tensor_f64* operands[2];
    operands[0] = tfe_tensor_f64_from_data(a_data, 4, shape, 2, &status);
    operands[1] = tfe_tensor_f64_from_data(b_data, 4, shape, 2, &status);
    tfe_tensor_f64* c = tfe_einsum_f64("ij,jk->ik", operands, 2, &status);
    if (status != TFE_SUCCESS) {
        char message[256];
        size_t length;
        tfe_last_error_message((uint8_t*)message, sizeof message, &length);
        fprintf(stderr, "%s\n", message);
        return 1;
    }
    const double* v = tfe_tensor_f64_data(c);
    printf("C = [%g %g; %g %g]\n", v[0], v[2], v[1], v[3]);

    tfe_tensor_f64_release(c);
    tfe_tensor_f64_release(operands[0]);
    tfe_tensor_f64_release(operands[1]);
    return 0;
}
