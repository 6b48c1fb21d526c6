/* The same checks for every element type, and handles of one type given to functions of another. */
#include "every_family.h"

/* An f32 handle in f64 functions: refused with both dtypes, and left alone. */
static void types_do_not_mix(void) {
    static const int values[4] = {1, 2, 3, 4};
    tfe_tensor_f32* single = make_f32(2, 2, values);
    tfe_tensor_f64* wrong = (tfe_tensor_f64*)(void*)single;
    tfe_tensor_f64 *right = make_f64(2, 2, values), *operands[2], *grads[2], *out = right;
    size_t shape[2] = {7, 7};
    int64_t strides[2] = {7, 7};
    tfe_status_t status;
    operands[0] = right;
    operands[1] = wrong;
#define BOTH " has dtype f32 but dtype f64 is neede"
    CHECK(tfe_tensor_f64_is_assigned(wrong) == 0);
    CHECK_REPORTS(CHECK(tfe_tensor_f64_ndim(wrong) == 0), "tfe_tensor_f64_ndim: tensor" BOTH);
    CHECK(tfe_last_error_detail() == TFE_DETAIL_DTYPE);
    CHECK_REPORTS(CHECK(tfe_tensor_f64_len(wrong) == 0), "tfe_tensor_f64_len: tensor" BOTH);
    CHECK_REPORTS(CHECK(tfe_tensor_f64_data(wrong) == NULL), "tfe_tensor_f64_data: tensor" BOTH);
    CHECK_REPORTS(tfe_tensor_f64_shape(wrong, shape), "tfe_tensor_f64_shape: tensor" BOTH);
    CHECK_REPORTS(tfe_tensor_f64_strides(wrong, strides), "tfe_tensor_f64_strides: tensor" BOTH);
    CHECK(shape[0] == 7 && strides[0] == 7);
    CHECK_REPORTS(tfe_tensor_f64_release(wrong), "tfe_tensor_f64_release: tensor" BOTH);
    CHECK_FAILS(out = tfe_tensor_f64_clone(wrong, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_tensor_f64_clone: tensor" BOTH);
    CHECK(out == NULL);
    CHECK_FAILS(CHECK(tfe_tensor_f64_to_dlpack(wrong, &status) == NULL), status, TFE_INVALID_ARGUMENT,
                "tfe_tensor_f64_to_dlpack: tensor" BOTH);
    CHECK_FAILS(out = tfe_einsum_f64("ij,jk->ik", operands, 2, &status), status, TFE_INVALID_ARGUMENT,
                "tfe_einsum_f64: operand 1" BOTH);
    CHECK(out == NULL);
    CHECK_FAILS(tfe_einsum_vjp_f64("ij->ij", operands, 1, wrong, grads, &status), status,
                TFE_INVALID_ARGUMENT, "tfe_einsum_vjp_f64: cotangent" BOTH);
    CHECK(tfe_tensor_f32_is_assigned(single) == 1 && tfe_tensor_f32_data(single)[3] == 4);
    tfe_tensor_f32_release(single);
    tfe_tensor_f64_release(right);
}

int main(void) {
    every_family();
    types_do_not_mix();
    return finish();
}
