/* The best approximation of a tensor by rank 1 between its axes (0, 2) and its axis 1, and how its weight
   changes with the tensor. Expected: U 2x2x1, S = 3, Vt 1x2, left out 2, d S / d T[0,0,0] = 1 */
#include <math.h>
#include <stdio.h>
#include <tenferro.h>

int main(void) {
    const size_t shape[3] = {2, 2, 2}, left[2] = {0, 2}, right[1] = {1};
    double data[8] = {0}; /* T[i, j, k] is data[i + 2 j + 4 k] */
    tfe_status_t status;
    data[0] = 3;         /* T[0, 0, 0] */
    data[1 + 2 + 4] = 2; /* T[1, 1, 1] */
    tfe_tensor_f64* t = tfe_tensor_f64_from_data(data, 8, shape, 3, &status);

    tfe_tensor_f64 *u, *s, *vt;
    const size_t max_rank = 1;
    const double cutoff = 1e-12; /* drops what is smaller; negative: nothing */
    tfe_svd_f64(t, left, 2, right, 1, max_rank, cutoff, &u, &s, &vt, &status);
    if (status != TFE_SUCCESS) return 1;

    /* U diag(S) Vt is an einsum, with the axes where the tensor has them. */
    tfe_tensor_f64* factors[3];
    factors[0] = u, factors[1] = s, factors[2] = vt;
    tfe_tensor_f64* approximation = tfe_einsum_f64("ika,a,aj->ijk", factors, 3, &status);
    if (status != TFE_SUCCESS) return 1;
    double left_out = 0;
    for (int i = 0; i < 8; ++i) left_out += pow(data[i] - tfe_tensor_f64_data(approximation)[i], 2);

    /* Reverse mode: the cotangent of S is 1, those of U and Vt are zero. */
    const double one = 1;
    const size_t single[1] = {1};
    tfe_tensor_f64* cot_s = tfe_tensor_f64_from_data(&one, 1, single, 1, &status);
    tfe_tensor_f64* gradient =
        tfe_svd_rrule_f64(t, left, 2, right, 1, max_rank, cutoff, NULL, cot_s, NULL, &status);
    if (status != TFE_SUCCESS) return 1;

    size_t u_shape[3], vt_shape[2];
    tfe_tensor_f64_shape(u, u_shape);
    tfe_tensor_f64_shape(vt, vt_shape);
    printf("U %zux%zux%zu, S = %g, Vt %zux%zu, left out %g, d S / d T[0,0,0] = %g\n", u_shape[0], u_shape[1],
           u_shape[2], tfe_tensor_f64_data(s)[0], vt_shape[0], vt_shape[1], sqrt(left_out),
           tfe_tensor_f64_data(gradient)[0]);

    tfe_tensor_f64_release(gradient);
    tfe_tensor_f64_release(cot_s);
    tfe_tensor_f64_release(approximation);
    tfe_tensor_f64_release(u);
    tfe_tensor_f64_release(s);
    tfe_tensor_f64_release(vt);
    tfe_tensor_f64_release(t);
    return 0;
}
