/* Four threads on the same handles: the same results, and to each its own last error. */
#include <pthread.h>

#include "check.h"

enum { kThreads = 4, kRounds = 200, kSide = 24 };
static tfe_tensor_f64* operands[3];
static tfe_tensor_f64* cotangent;
static double expected[kSide * kSide], expected_grad[kSide * kSide];

static void* work(void* given) {
    const int number = *(const int*)given;
    long wrong = 0;
    int round;
    for (round = 0; round < kRounds; ++round) {
        tfe_status_t status = 77;
        tfe_tensor_f64 *grads[3], *out;
        char text[256], wanted[64];
        size_t length = 0, i;
        out = tfe_tropical_einsum_maxplus_f64("ij,jk,kl->il", operands, 3, &status);
        wrong += status != TFE_SUCCESS || memcmp(tfe_tensor_f64_data(out), expected, sizeof expected) != 0;
        tfe_tensor_f64_release(out);
        tfe_tropical_einsum_rrule_maxplus_f64("ij,jk,kl->il", operands, 3, cotangent, grads, &status);
        wrong += status != TFE_SUCCESS ||
                 memcmp(tfe_tensor_f64_data(grads[1]), expected_grad, sizeof expected_grad) != 0;
        for (i = 0; i < 3; ++i) tfe_tensor_f64_release(grads[i]);
        snprintf(wanted, sizeof wanted, "i%d->", number);
        wrong += tfe_tropical_einsum_minplus_f64(wanted, operands, 2, &status) != NULL ||
                 status != TFE_INVALID_ARGUMENT;
        wrong += tfe_last_error_message((uint8_t*)text, sizeof text, &length) != TFE_SUCCESS || length < 2;
    }
    return (void*)(size_t)wrong;
}

int main(void) {
    static double values[kSide * kSide];
    const size_t shape[2] = {kSide, kSide};
    pthread_t threads[kThreads];
    int numbers[kThreads], i;
    tfe_tensor_f64 *grads[3], *out;
    for (i = 0; i < kSide * kSide; ++i) values[i] = (double)(i * 7919 % 101);
    for (i = 0; i < 3; ++i) operands[i] = tfe_tensor_f64_from_data(values, kSide * kSide, shape, 2, NULL);
    cotangent = tfe_tensor_f64_from_data(values, kSide * kSide, shape, 2, NULL);
    out = tfe_tropical_einsum_maxplus_f64("ij,jk,kl->il", operands, 3, NULL);
    memcpy(expected, tfe_tensor_f64_data(out), sizeof expected);
    tfe_tensor_f64_release(out);
    tfe_tropical_einsum_rrule_maxplus_f64("ij,jk,kl->il", operands, 3, cotangent, grads, NULL);
    memcpy(expected_grad, tfe_tensor_f64_data(grads[1]), sizeof expected_grad);
    for (i = 0; i < 3; ++i) tfe_tensor_f64_release(grads[i]);
    for (i = 0; i < kThreads; ++i) {
        numbers[i] = i;
        CHECK(pthread_create(&threads[i], NULL, work, &numbers[i]) == 0);
    }
    for (i = 0; i < kThreads; ++i) {
        void* wrong = NULL;
        CHECK(pthread_join(threads[i], &wrong) == 0 && wrong == NULL);
    }
    for (i = 0; i < 3; ++i) tfe_tensor_f64_release(operands[i]);
    tfe_tensor_f64_release(cotangent);
    if (failures == 0) printf("threads agree\n");
    return failures != 0;
}
