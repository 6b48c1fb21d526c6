/* A user's C program: multiplies two matrices and checks the product. */
#include <stdio.h>
#include <tenferro.h>

int main(void) {
    const double a_data[] = {1, 3, 2, 4}, b_data[] = {5, 7, 6, 8}, expected[] = {19, 43, 22, 50};
    const size_t shape[] = {2, 2};
    tfe_status_t status = TFE_INTERNAL_ERROR;
    tfe_tensor_f64* operands[2];
    operands[0] = tfe_tensor_f64_from_data(a_data, 4, shape, 2, &status);
    operands[1] = tfe_tensor_f64_from_data(b_data, 4, shape, 2, &status);
    tfe_tensor_f64* product = tfe_einsum_f64("ij,jk->ik", operands, 2, &status);
    if (status != TFE_SUCCESS) return 1;
    const double* values = tfe_tensor_f64_data(product);
    int wrong = 0;
    for (int i = 0; i < 4; ++i) wrong += values[i] != expected[i];
    tfe_tensor_f64_release(product);
    tfe_tensor_f64_release(operands[0]);
    tfe_tensor_f64_release(operands[1]);
    printf("tenferro %s: %s\n", tfe_version_string(), wrong ? "wrong" : "right");
    return wrong;
}
