/* The gradient of sum(A B) with respect to A and B through the C ABI, and the directional derivative along
   one entry of A. Expected: dA = [11 15; 11 15], dB = [4 4; 6 6], dC = [5 6; 0 0] */
#include <stdio.h>
#include <tenferro.h>

static void print_matrix(const char* name, const tfe_tensor_f64* m, const char* end) {
    const double* v = tfe_tensor_f64_data(m);
    printf("%s = [%g %g; %g %g]%s", name, v[0], v[2], v[1], v[3], end);
}

int main(void) {
    const size_t shape[2] = {2, 2};
    const double a_data[4] = {1, 3, 2, 4}, b_data[4] = {5, 7, 6, 8}, ones[4] = {1, 1, 1, 1},
                 direction[4] = {1, 0, 0, 0};
    tfe_status_t status;

    tfe_tensor_f64* operands[2];
    operands[0] = tfe_tensor_f64_from_data(a_data, 4, shape, 2, &status);
    operands[1] = tfe_tensor_f64_from_data(b_data, 4, shape, 2, &status);
    tfe_tensor_f64* cotangent = tfe_tensor_f64_from_data(ones, 4, shape, 2, &status);

    tfe_tensor_f64* gradients[2];
    tfe_einsum_vjp_f64("ij,jk->ik", operands, 2, cotangent, gradients, &status);
    if (status != TFE_SUCCESS) return 1;

    tfe_tensor_f64* tangents[2] = {NULL, NULL}; /* NULL is a zero tangent */
    tangents[0] = tfe_tensor_f64_from_data(direction, 4, shape, 2, &status);
    tfe_tensor_f64* tangent = tfe_einsum_jvp_f64("ij,jk->ik", operands, 2, tangents, &status);
    if (status != TFE_SUCCESS) return 1;

    print_matrix("dA", gradients[0], ", ");
    print_matrix("dB", gradients[1], ", ");
    print_matrix("dC", tangent, "\n");

    tfe_tensor_f64_release(tangent);
    tfe_tensor_f64_release(tangents[0]);
    tfe_tensor_f64_release(gradients[0]);
    tfe_tensor_f64_release(gradients[1]);
    tfe_tensor_f64_release(cotangent);
    tfe_tensor_f64_release(operands[0]);
    tfe_tensor_f64_release(operands[1]);
    return 0;
}
