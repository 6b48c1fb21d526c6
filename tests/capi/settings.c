/* The thread count and what tfe_last_error_detail says of each kind of mistake. */
#include "check.h"

static void thread_count(void) {
    static double values[128 * 128];
    const int32_t wrong[] = {0, -1, INT32_MIN, 4097, INT32_MAX}, right[] = {1, 3, 2, 4096, 1};
    tfe_tensor_f64 *operands[2], *first, *out;
    const int32_t before = tfe_get_num_threads();
    tfe_status_t status;
    size_t i;
    CHECK(before >= 1 && before <= 4096);
    for (i = 0; i < sizeof wrong / sizeof *wrong; ++i)
        CHECK_FAILS(tfe_set_num_threads(wrong[i], &status), status, TFE_INVALID_ARGUMENT,
                    "set_num_threads: thread count is ");
    CHECK_REPORTS(tfe_set_num_threads(0, NULL), "set_num_threads: thread count is 0");
    CHECK(tfe_get_num_threads() == before);
    for (i = 0; i < 128 * 128; ++i) values[i] = (double)(i % 17) / 3;
    operands[0] = operands[1] = make2(128, 128, values);
    first = tfe_einsum_f64("ij,jk->ik", operands, 2, NULL);
    for (i = 0; i < sizeof right / sizeof *right; ++i) {
        if (right[i] > 8) continue; /* accepted below, but not worth starting that many threads */
        CHECK_SUCCEEDS(tfe_set_num_threads(right[i], &status), status);
        CHECK(tfe_get_num_threads() == right[i]);
        out = tfe_einsum_f64("ij,jk->ik", operands, 2, NULL);
        CHECK(holds(out, 128 * 128, tfe_tensor_f64_data(first))); /* bit for bit */
        tfe_tensor_f64_release(out);
    }
    CHECK_SUCCEEDS(tfe_set_num_threads(4096, &status), status);
    CHECK(tfe_get_num_threads() == 4096);
    tfe_set_num_threads(before, NULL);
    CHECK(tfe_get_num_threads() == before);
    tfe_tensor_f64_release(first);
    tfe_tensor_f64_release(operands[0]);
}

static void details(void) {
    const double values[4] = {1, 2, 3, 4};
    const size_t wide[2] = {SIZE_MAX / 2, 3};
    tfe_tensor_f64 *a, *three, *operands[2];
    CHECK(tfe_last_error_detail() == TFE_DETAIL_NONE);
    a = make2(2, 2, values);
    three = make2(1, 3, values);
    operands[0] = a;
    operands[1] = three;
    CHECK(tfe_last_error_detail() == TFE_DETAIL_NONE);
    (void)tfe_tensor_f64_ndim(NULL);
    CHECK(tfe_last_error_detail() == TFE_DETAIL_NULL_POINTER);
    (void)tfe_einsum_f64("ij,jk->ik", operands, 2, NULL);
    CHECK(tfe_last_error_detail() == TFE_DETAIL_SHAPE);
    (void)tfe_einsum_f64("ij->ik", operands, 1, NULL);
    CHECK(tfe_last_error_detail() == TFE_DETAIL_INVALID_VALUE);
    (void)tfe_tensor_f64_ndim((tfe_tensor_f64*)(void*)&a);
    CHECK(tfe_last_error_detail() == TFE_DETAIL_DEAD_HANDLE);
    (void)tfe_einsum_f32("i->i", (tfe_tensor_f32* const*)(void*)operands, 1, NULL);
    CHECK(tfe_last_error_detail() == TFE_DETAIL_DTYPE);
    (void)tfe_tensor_f64_zeros(wide, 2, NULL);
    CHECK(tfe_last_error_detail() == TFE_DETAIL_INVALID_VALUE);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(TENFERRO_SANITIZED)
    {
        const size_t huge[2] = {(size_t)1 << 30, (size_t)1 << 26};
        (void)tfe_tensor_f64_zeros(huge, 2, NULL);
        CHECK(tfe_last_error_detail() == TFE_DETAIL_OUT_OF_MEMORY);
    }
#endif
    tfe_tensor_f64_release(a);
    tfe_tensor_f64_release(three);
    (void)last_message();
    tfe_tensor_f64_release(a);
    CHECK(tfe_last_error_detail() == TFE_DETAIL_DEAD_HANDLE);
}

int main(void) {
    details();
    thread_count();
    return finish();
}
